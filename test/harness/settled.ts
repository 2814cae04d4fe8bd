import type { Page } from 'playwright-core';

/** Waits until nothing on screen moves any more, but for what moves for ever. Two frames later everything is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const ending = () =>
      document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    // A dialog that only begins to open is there, with no animation yet, and cannot be seen.
    const isOpening = () =>
      [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].some(
        (dialog) => !dialog.checkVisibility({ opacityProperty: true }),
      );
    // A colour may begin to change while another one ends.
    for (
      let moving = ending(), round = 0;
      round === 0 || ((moving.length > 0 || isOpening()) && round < 20);
      moving = ending(), round += 1
    ) {
      await frame();
      await Promise.allSettled(ending().map(({ finished }) => finished));
      await frame();
      await frame();
    }
  });
}
