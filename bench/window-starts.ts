import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { electronArguments, electronPath } from '../test/harness/electron.ts';
import { interleaved, withFolder } from './harness.ts';

/*
 * Starts the built program and an empty window, in turn, each until it can be used; prints the times, and the memory of each at rest, as JSON. Needs Electron and
 * a display. Half a minute after a start more of what it left behind is collected, for which a figure that is taken often does not wait
 * (`node bench/window-starts.ts 1 40000`).
 */

/** What it prints. */
export interface WindowStarts {
  /** Milliseconds from the start of the process until its window can be used. */
  readonly times: Readonly<Record<'ours' | 'empty', readonly number[]>>;
  /** MB of all processes of a window that has been at rest for a while, what they share counted once (PSS); null where the system does not tell. */
  readonly restingMb: Readonly<Record<'ours' | 'empty', number>> | null;
}

const [rounds, untilRestMs] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 4_000)];
const hook = join(import.meta.dirname, 'say-usable.cjs');

/** Calls `then` with the process when its window can be used, waits for its end, and answers what that did. */
async function start<T>(home: string, program: string | undefined, then: (pid: number) => T): Promise<Awaited<T>> {
  const words = ['-r', hook, ...electronArguments(home, program === undefined ? {} : { program })];
  const child = spawn(electronPath(), words, { stdio: ['pipe', 'pipe', 'ignore'], timeout: 60_000 });
  const ended = once(child, 'exit');
  for await (const text of child.stdout) {
    if (!String(text).includes('usable')) continue;
    const answer = await then(child.pid ?? 0);
    child.stdin.end();
    await ended;
    return answer;
  }
  throw new Error('the window was never usable');
}

async function startMs(home: string, program?: string): Promise<number> {
  const since = performance.now();
  return start(home, program, () => performance.now() - since);
}

const restingMb = (home: string, program?: string): Promise<number> =>
  start(home, program, async (pid) => {
    await sleep(untilRestMs);
    return descendants(pid).reduce((sum, one) => sum + pssMb(one), 0);
  });

function descendants(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name): [number, number][] => {
    const parent = /^PPid:\s+(\d+)/m.exec(readIfThere(`/proc/${name}/status`))?.[1];
    return parent ? [[Number(name), Number(parent)]] : [];
  });
  const below = (one: number): number[] => [
    one,
    ...parents.filter(([, parent]) => parent === one).flatMap(([child]) => below(child)),
  ];
  return below(pid);
}

const pssMb = (pid: number) =>
  (Number(/^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024) / 1e6;

/** Empty for what has ended meanwhile, and for a name that is no process. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const result: WindowStarts = await withFolder(async (folder) => {
  const [ours, empty] = [
    [join(folder, 'ours')],
    [join(folder, 'empty'), join(import.meta.dirname, 'empty-window')],
  ] as const;
  // The first start of both fills caches and makes the program's folder.
  await startMs(...ours);
  await startMs(...empty);
  const times = await interleaved(rounds, { ours: () => startMs(...ours), empty: () => startMs(...empty) });
  const hasProc = process.platform === 'linux';
  return { times, restingMb: hasProc ? { ours: await restingMb(...ours), empty: await restingMb(...empty) } : null };
});
console.log(JSON.stringify(result));
