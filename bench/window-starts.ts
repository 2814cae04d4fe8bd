import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { electronArguments, electronPath } from '../test/harness/electron.ts';
import { interleaved, withFolder } from './harness.ts';

/* Starts the built program and an empty window, in turn, each until it can be used; prints the times as JSON. Needs Electron and a display. */

const rounds = Number(process.argv[2] ?? 5);
const hook = join(import.meta.dirname, 'say-usable.cjs');

/** Milliseconds from the start of the process until its window can be used. Waits for its end. */
async function start(home: string, program?: string): Promise<number> {
  const since = performance.now();
  const words = ['-r', hook, ...electronArguments(home, program === undefined ? {} : { program })];
  const child = spawn(electronPath(), words, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
  const ended = once(child, 'exit');
  for await (const text of child.stdout) {
    if (!String(text).includes('usable')) continue;
    const tookMs = performance.now() - since;
    await ended;
    return tookMs;
  }
  throw new Error('the window was never usable');
}

const times = await withFolder(async (folder) => {
  const ours = () => start(join(folder, 'ours'));
  const empty = () => start(join(folder, 'empty'), join(import.meta.dirname, 'empty-window'));
  // The first start of both fills caches and makes the program's folder.
  await ours();
  await empty();
  return interleaved(rounds, { ours, empty });
});
console.log(JSON.stringify(times));
