import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import {
  answerSaveDialog,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { mainThreadClock, watchTurns } from '../harness/processor-time.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** SEALDESK_LARGE_MIB=1024 for more by hand. */
const mebibytes = Number(process.env.SEALDESK_LARGE_MIB ?? 200);
const transferMs = 20_000 + mebibytes * 200;
/** Of its processor: stock node-soap computes for 700 to 1,200 ms per 100 MiB in one turn. */
const longestMainMs = 200;
/** Of the clock: a machine with other work takes a program's turn for a while, too. */
const longestFrameMs = 1_000;

/** A PDF whose middle is a hole on the disk: made in no time, sent like any other. */
async function writeLarge(path: string): Promise<number> {
  const sizeBytes = mebibytes * 1024 * 1024;
  const start = plainPdf('large');
  const end = start.subarray(start.lastIndexOf('startxref'));
  const file = await open(path, 'w');
  await file.write(start);
  await file.write(end, 0, end.length, sizeBytes - end.length);
  await file.close();
  return sizeBytes;
}

async function hashOf(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256');
  await once(
    createReadStream(path, { end: sizeBytes - 1 }).on('data', (chunk) => hash.update(chunk)),
    'end',
  );
  return hash.digest('hex');
}

interface Watched {
  longestMs: number;
  stop: boolean;
}
type Watching = typeof globalThis & { stopWatching?: () => number };

/** Watches main process and window until `look` is called, which tells the longest turn of the one, the longest frame of the other, and what the progress bar showed. */
async function watch(app: ElectronApplication, page: Page) {
  await app.evaluate((_electron, source) => {
    (globalThis as Watching).stopWatching = new Function(`return ${source}`)() as () => number;
  }, `(${watchTurns})((${mainThreadClock})())`);
  await page.evaluate(() => {
    const watched = { longestMs: 0, stop: false, values: new Set<string>() };
    Object.assign(globalThis, { watched });
    let last = performance.now();
    const frame = () => {
      const now = performance.now();
      watched.longestMs = Math.max(watched.longestMs, now - last);
      last = now;
      for (const bar of document.querySelectorAll('[role=progressbar][aria-valuenow]'))
        watched.values.add(bar.getAttribute('aria-valuenow') ?? '');
      if (!watched.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return async () => {
    const mainMs = await app.evaluate(() => (globalThis as Watching).stopWatching?.() ?? Number.NaN);
    const window = await page.evaluate(() => {
      const { watched } = globalThis as unknown as { watched: Watched & { values: Set<string> } };
      watched.stop = true;
      return { frameMs: watched.longestMs, values: [...watched.values].map(Number) };
    });
    return { mainMs, ...window };
  };
}

function expectLively(seen: { mainMs: number; frameMs: number; values: readonly number[] }, what: string): void {
  const steps = new Set(seen.values.map(Math.floor)).size;
  console.log(
    `${what} ${mebibytes} MiB: main at most ${Math.round(seen.mainMs)} ms, frame ${Math.round(seen.frameMs)} ms, ${steps} positions of the bar`,
  );
  expect(seen.mainMs).toBeLessThan(longestMainMs);
  expect(seen.frameMs).toBeLessThan(longestFrameMs);
  expect(new Set(seen.values).size).toBeGreaterThan(3);
}

describe.skipIf(why !== '')(`a document of ${mebibytes} MiB in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  let sizeBytes = 0;
  const original = () => join(folder, 'Drawings.pdf');
  const copy = () => join(folder, 'copy.pdf');

  beforeAll(async () => {
    folder = newHome();
    sizeBytes = await writeLarge(original());
    desktop = await startDesktop({ home: join(folder, 'home') });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('is registered and comes back whole, with a moving bar and a window that answers', {
    timeout: 2 * transferMs + 90_000,
  }, async () => {
    await step('registering', async () => {
      const { app, page } = desktop;
      await dropFiles(page, [original()], await middle(page));
      const look = await watch(app, page);
      await registerFilesInHand(page, 1);
      const card = page.getByRole('article', { name: 'Drawings' });
      await card.getByText('Registered', { exact: true }).waitFor({ timeout: transferMs });
      expectLively(await look(), 'sent');
    });

    await step('downloading', async () => {
      const { app, page } = desktop;
      await go(page, 'Documents');
      await page.getByRole('row', { name: /Drawings/ }).click();
      const panel = page.getByRole('complementary');
      await expect
        .poll(
          async () => {
            await panel.getByRole('button', { name: 'Check status' }).click();
            return panel.getByText(/^Completed$/).count();
          },
          { timeout: 15_000, interval: 700 },
        )
        .toBeGreaterThan(0);
      await answerSaveDialog(app, copy());
      const look = await watch(app, page);
      await page.getByRole('complementary').getByRole('button', { name: 'Download…' }).click();
      await seen(page, /Saved as/, transferMs);
      expectLively(await look(), 'received');
      expect((await stat(copy())).size).toBeGreaterThan(sizeBytes);
      // The service's seal stands behind what was registered.
      expect(await hashOf(copy(), sizeBytes)).toBe(await hashOf(original(), sizeBytes));
    });
  });
});
