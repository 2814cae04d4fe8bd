import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutOff } from '../harness/cut-off.ts';
import { go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** The screens of the rail, and those that are reached from them by a button. */
const screens = [
  ['Start'],
  ['Activity'],
  ['Documents'],
  ['Signatures'],
  ['Signatures', 'New request'],
  ['Verify'],
  ['Notes'],
  ['Connections'],
  ['Connections', 'Add connection…'],
  ['Settings'],
] as const;
const sizes = [
  [1280, 800],
  [720, 600],
] as const;

describe.skipIf(why !== '')(`every screen at 200 % and in high contrast, in real Electron${why}`, () => {
  let desktop: Desktop;

  beforeAll(async () => {
    desktop = await startDesktop();
    const { page } = desktop;
    const folder = newHome();
    const files = Array.from({ length: 12 }, (_, at) => join(folder, `Lease ${at + 1}, Harbour St 14.pdf`));
    for (const file of files) writeFileSync(file, plainPdf(file));
    await dropFiles(page, files, await middle(page));
    await seen(page, /^12 files,/);
    await registerFilesInHand(page, 12);
    await seen(page, '12 Registered');
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it.each(sizes)('cuts nothing and collapses no list at %i × %i', { timeout: 120_000 }, async (width, height) => {
    const { app, page } = desktop;
    await app.evaluate(
      ({ BrowserWindow }, [wide, high]) => {
        const window = BrowserWindow.getAllWindows()[0];
        window?.setContentSize(wide, high);
        window?.webContents.setZoomFactor(2);
      },
      [width, height] as const,
    );
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width / 2, height / 2]);
    const problems: string[] = [];
    for (const [screen, button] of screens) {
      await go(page, screen);
      if (button) await page.getByRole('button', { name: button }).first().click();
      await settled(page);
      problems.push(...(await cutOff(page)).map((problem) => `${button ?? screen}: ${problem}`));
    }
    expect(problems).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('shows the columns of Documents beside the panel without scrolling sideways', async () => {
    const { app, page } = desktop;
    await app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setContentSize(1280, 800);
      window?.webContents.setZoomFactor(1);
    });
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([1280, 800]);
    await go(page, 'Documents');
    await page.getByRole('row', { name: /Lease 12/ }).click();
    await page.getByRole('complementary').waitFor();
    await settled(page);
    const sideways = await page.getByRole('grid').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(sideways).toBeLessThanOrEqual(0);
  });

  it('keeps the main action and all pictures apart from the ground in high contrast', async () => {
    const { page } = desktop;
    await go(page, 'Verify');
    await page.emulateMedia({ forcedColors: 'active' });
    const colours = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { color, backgroundColor } = getComputedStyle(element);
          return { color, backgroundColor };
        });
    const text = (await colours('main h1')).color;
    expect((await colours('main [class*="primary"]')).backgroundColor).not.toBe(
      (await colours('nav button')).backgroundColor,
    );
    expect((await colours('nav [aria-current="page"] svg')).color).toBe(
      (await colours('nav [aria-current="page"]')).color,
    );
    expect((await colours('header svg')).color).toBe(text);
    await page.emulateMedia({ forcedColors: null });
  });
});
