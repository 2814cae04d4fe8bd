import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/* Tells the run how long this file took, and how much of that was work of its own and of programs that it waited for (scripts/test-times.mjs). */

const list = process.env.SEALDESK_FILE_TIMES;
const began = performance.now();
const usedBefore = usedSeconds();

// First to be registered, last to be called.
if (list)
  afterAll(() => {
    const { testPath } = expect.getState();
    const seconds = (performance.now() - began) / 1000;
    const row = { file: testPath, pid: process.pid, seconds, used: usedSeconds() - usedBefore };
    appendFileSync(list, `${JSON.stringify(row)}\n`);
  });

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildren();
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
