import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/*
 * Tells the run how long this file took, how much of that was work of its own and of programs that it waited for, and how long its thread waited for a processor for
 * each second that it had one (scripts/test-times.mjs).
 */

const list = process.env.SEALDESK_FILE_TIMES;
const began = performance.now();
const usedBefore = usedSeconds();
const [ranBefore, delayedBefore] = scheduled();

// First to be registered, last to be called.
if (list)
  afterAll(() => {
    const { testPath } = expect.getState();
    const seconds = (performance.now() - began) / 1000;
    const [ran, delayed] = scheduled();
    const delay = ran > ranBefore ? (delayed - delayedBefore) / (ran - ranBefore) : 0;
    const row = { file: testPath, pid: process.pid, seconds, used: usedSeconds() - usedBefore, delay };
    appendFileSync(list, `${JSON.stringify(row)}\n`);
  });

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildren();
}

/** How long this thread had a processor, and waited for one although it had work. */
function scheduled(): readonly [number, number] {
  const path = '/proc/thread-self/schedstat';
  if (!existsSync(path)) return [0, 0];
  const [ran = 0, delayed = 0] = readFileSync(path, 'latin1').split(' ').map(Number);
  return [ran, delayed];
}

function endedChildren(): number {
  if (process.platform !== 'linux') return 0;
  const text = readFileSync('/proc/self/stat', 'latin1');
  const [cutime, cstime] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return ((cutime ?? 0) + (cstime ?? 0)) / 100;
}
