import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { focusedName } from './keyboard.ts';

/** A person without a mouse: counts every key, and holds after each that the focus is somewhere and can be seen. */
export interface KeysOnly {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Tab, or Shift and Tab, until the element with this name has the focus. */
  tabTo(name: RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Waits until the focus has moved by itself to the element with this name. */
  isAt(name: RegExp): Promise<void>;
  /** All keys so far, and how many of them were typing. */
  readonly counted: { readonly keys: number; readonly typed: number };
}

const mostTabs = 40;

export function keysOnly(page: Page): KeysOnly {
  let keys = 0;
  let typed = 0;
  const press = async (...pressed: readonly string[]) => {
    for (const key of pressed) {
      keys += 1;
      await page.keyboard.press(key);
      // Behind the last stop the keys go to the window around the page, and come back.
      if (key.endsWith('Tab') && (await page.evaluate(() => document.activeElement === document.body))) continue;
      await expect.poll(() => page.evaluate(focusFault), { message: `after ${key}`, timeout: 3_000 }).toBeNull();
    }
  };
  return {
    press,
    type: async (text) => {
      keys += text.length;
      typed += text.length;
      await page.keyboard.type(text);
    },
    tabTo: async (name, key = 'Tab') => {
      const passed: string[] = [];
      for (let turn = 0; turn < mostTabs; turn += 1) {
        await press(key);
        const focused = await focusedName(page);
        if (name.test(focused)) return;
        passed.push(focused.slice(0, 30));
      }
      throw new Error(`no stop called ${name}; there were: ${passed.join(' | ')}`);
    },
    isAt: async (name) => {
      await expect.poll(() => focusedName(page), { timeout: 10_000 }).toMatch(name);
      expect(await page.evaluate(focusFault)).toBeNull();
    },
    get counted() {
      return { keys, typed };
    },
  };
}

/** Run in the page: what is wrong with the focus. The start of a screen (`main`) has no mark of its own: the next Tab shows one. */
function focusFault(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'the focus is nowhere';
  if (focused.tagName === 'MAIN') return null;
  const box = focused.getBoundingClientRect();
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  if (!isInside) return `the focus is out of sight: ${focused.outerHTML.slice(0, 120)}`;
  // A hidden input shows its mark at its label.
  const marks = [
    focused,
    focused.closest('label'),
    focused.closest('label')?.querySelector('[aria-hidden="true"]'),
    focused.parentElement,
  ];
  const isMarked = marks.some((one) => {
    if (!one) return false;
    return [null, '::after'].some((part) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, part);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    });
  });
  const isRow = focused.getAttribute('aria-activedescendant') !== null;
  const isLayer = focused.getAttribute('role')?.endsWith('dialog') ?? false;
  return isMarked || isRow || isLayer ? null : `the focus has no mark: ${focused.outerHTML.slice(0, 160)}`;
}
