import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`the progress in the taskbar, in real Electron${why}`, () => {
  let desktop: Desktop;
  /** What the window showed, in order. */
  const shown = () => desktop.app.evaluate(() => (globalThis as unknown as { shown: number[] }).shown);

  beforeAll(async () => {
    desktop = await startDesktop();
    await desktop.app.evaluate(({ BrowserWindow }) => {
      const shares: number[] = [];
      Object.assign(globalThis, { shown: shares });
      for (const window of BrowserWindow.getAllWindows()) window.setProgressBar = (share) => void shares.push(share);
    });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('is there while documents are sent, and gone afterwards', async () => {
    const { page } = desktop;
    const files = ['Lease', 'Annex'].map((name) => join(newHome(), `${name}.pdf`));
    for (const file of files) writeFileSync(file, plainPdf(file));
    await dropFiles(page, files, await middle(page));
    await seen(page, /^2 files,/);
    expect(await shown()).toEqual([]);
    await registerFilesInHand(page, 2);
    await expect.poll(async () => (await shown()).at(-1)).toBe(-1);
    const shares = (await shown()).slice(0, -1);
    expect(shares.length).toBeGreaterThan(0);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  });
});
