import { expect } from 'vitest';
import { ask } from './desktop-bridge.ts';
import type { Desktop } from './electron.ts';
import { type Look, usual } from './looks.ts';
import { settled } from './settled.ts';

/** Shows what is on screen in another look, by the person's own way: what they prefer reaches the system's theme and from there the page. */
export async function showLook(desktop: Desktop, look: Partial<Look>): Promise<void> {
  const { app, page } = desktop;
  const { theme, language, forcedColours, size, zoom } = { ...usual, ...look };
  await ask(desktop, 'app.setPreferences', { theme, language });
  await page.emulateMedia({ forcedColors: forcedColours ? 'active' : 'none', reducedMotion: 'reduce' });
  await app.evaluate(
    ({ BrowserWindow }, [[width, height], factor]) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setContentSize(width, height);
      window?.webContents.setZoomFactor(factor);
    },
    [size, zoom] as const,
  );
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual(size.map((side) => side / zoom));
  await expect
    .poll(() => page.evaluate(() => document.documentElement.lang + document.documentElement.dataset.theme))
    .toBe(`${language}${theme === 'contrast' ? undefined : theme}`);
  await page.mouse.move(0, 0);
  await settled(page);
}
