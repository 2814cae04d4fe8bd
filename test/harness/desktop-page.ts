import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violations } from './axe.ts';
import { settled } from './settled.ts';

/** A person's way through the window, by the names that screen readers hear. */
export async function go(
  page: Page,
  screen: 'Start' | 'Activity' | 'Documents' | 'Signatures' | 'Verify' | 'Notes' | 'Connections' | 'Settings',
) {
  const rail = page.getByRole('navigation', { name: 'Screens' });
  await rail.getByRole('button', { name: new RegExp(`^${screen}`) }).click();
}

/** Waits until a text is on screen, within `timeoutMs`. What was spoken, perhaps long before, does not count. */
export async function seen(page: Page, text: string | RegExp, timeoutMs = 60_000): Promise<void> {
  await page
    .getByText(text)
    .and(page.locator(':not([data-live-announcer] *)'))
    .first()
    .waitFor({ state: 'visible', timeout: timeoutMs });
}

/** Registers the chosen files through the confirmation, up to the Activity screen. */
export async function registerFilesInHand(page: Page, count: number): Promise<void> {
  const documents = count === 1 ? '1 document' : `${count} documents`;
  await page.getByRole('button', { name: new RegExp(`^Register ${documents}`) }).click();
  await page.getByRole('button', { name: `Register ${documents}…` }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByRole('button', { name: `Register ${documents}` }).click();
}

/** Verifies the one chosen file and returns the sentence about it. */
export async function verifyFileInHand(page: Page, fileName: string): Promise<string> {
  await page.getByRole('button', { name: /^Verify 1 file/ }).click();
  const card = page.getByRole('article', { name: fileName }).first();
  const heading = card.getByRole('heading');
  await expect.poll(() => heading.textContent(), { timeout: 20_000 }).not.toMatch(/^(Checking…|Not checked yet)$/);
  return (await heading.textContent()) ?? '';
}

/** How many words the whole window shows now. */
export async function wordsIn(page: Page): Promise<number> {
  await settled(page);
  const text = await page.evaluate(() => document.body.innerText);
  return text.split(/\s+/).filter(Boolean).length;
}

/** The middle of the window, where files are dropped. */
export async function middle(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => ({ x: Math.round(innerWidth / 2), y: Math.round(innerHeight / 2) }));
}

/** Asserts that axe finds no violation on screen, `except` for rules by name. `name` is part of the message. */
export async function accessible(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  expect(await violations(page, name, { except })).toEqual([]);
}
