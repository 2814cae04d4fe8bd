import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled } from './settled.ts';

/**
 * Goes on from the form of a request to its review. The form still moves while the first page of its file comes: a press that begins on the button may end beside
 * it, which is none. A person presses again, and so does this.
 */
export async function openReview(page: Page): Promise<void> {
  await settled(page);
  const send = page.getByRole('button', { name: 'Send request' });
  const press = () => page.getByRole('button', { name: 'Review and send…' }).click({ timeout: 2_000 });
  await expect
    .poll(
      async () => {
        if (!(await send.isVisible())) await press().catch(() => undefined);
        return await send.isVisible();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true);
}
