import { join } from 'node:path';
import { _electron as electron } from 'playwright-core';
import { electronArguments, electronPath, startDesktop } from '../test/harness/electron.ts';
import { interleaved, withFolder } from './harness.ts';

/* Starts the built program and an empty window, in turn, each until it can be used; prints the times as JSON. Needs Electron and a display. */

const rounds = Number(process.argv[2] ?? 5);
const hold = join(import.meta.dirname, '../test/harness/hold-until-attached.cjs');

async function emptyWindow(home: string): Promise<number> {
  const since = performance.now();
  // The last word is the folder of the program.
  const words = electronArguments(home).slice(0, -1);
  const app = await electron.launch({
    executablePath: electronPath(),
    args: ['-r', hold, ...words, join(import.meta.dirname, 'empty-window')],
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  const tookMs = performance.now() - since;
  await app.close();
  return tookMs;
}

async function program(home: string): Promise<number> {
  const since = performance.now();
  const desktop = await startDesktop({ home });
  const tookMs = performance.now() - since;
  await desktop.quit();
  return tookMs;
}

const times = await withFolder(async (folder) => {
  const [ours, empty] = [join(folder, 'ours'), join(folder, 'empty')];
  // The first start of both fills caches and makes the program's folder.
  await program(ours);
  await emptyWindow(empty);
  return interleaved(rounds, { ours: () => program(ours), empty: () => emptyWindow(empty) });
});
console.log(JSON.stringify(times));
