import type { Page } from 'playwright-core';

/** Presses keys one after the other, as a person does. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Accessible name of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element) return '';
    const byId = (ids: string | null) =>
      (ids ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim();
    const labels = (element as HTMLInputElement).labels;
    const words = [
      element.getAttribute('aria-label'),
      byId(element.getAttribute('aria-labelledby')),
      labels?.length ? [...labels].map((label) => label.textContent).join(' ') : '',
      element.textContent,
    ];
    return (words.find((text) => text && text.trim() !== '') ?? '').trim();
  });
}

const mostTabs = 80;

/** Presses Tab until the focused element has this name. Throws if none has. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let turn = 0; turn < mostTabs; turn += 1) {
    await page.keyboard.press(key);
    const focused = await focusedName(page);
    if (name.test(focused)) return;
    passed.push(focused.slice(0, 40));
  }
  throw new Error(`no stop called ${name}; there were: ${passed.join(' | ')}`);
}

/** Goes to a field by Tab and types. */
export async function typeInto(page: Page, name: RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}
