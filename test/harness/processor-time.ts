/** What work gives, and the milliseconds of processors that it takes in this process: unlike the time that passes, other programs hardly change them. */
export async function inProcessorTime<T>(work: () => T): Promise<{ readonly value: Awaited<T>; readonly ms: number }> {
  const began = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(began);
  return { value, ms: (user + system) / 1_000 };
}

export async function processorMs(work: () => unknown): Promise<number> {
  return (await inProcessorTime(work)).ms;
}

/** The least of several tries, because other work on the machine only ever makes one slower. */
export async function leastProcessorMs(tries: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let one = 0; one < tries; one += 1) least = Math.min(least, await processorMs(work));
  return least;
}

/** The most milliseconds that this thread computes between two turns of its event loop while the work goes on. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const stop = watchTurns();
  await work();
  return stop();
}

/**
 * Begins to watch; the function that it returns ends that and tells the longest turn as `longestTurnMs` does. `computedMs` tells how long the thread has computed.
 * Self-contained, so that its source text can run in another process, too.
 */
export function watchTurns(
  computedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
): () => number {
  let last = computedMs();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, computedMs() - last);
    last = computedMs();
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/**
 * Tells the milliseconds that a process's main thread has computed, also in Electron's, which knows no `process.threadCpuUsage` before Node 23; by the clock where the
 * system does not tell it. Always reads into the same bytes: new ones at each turn make the collection of memory one of the longest turns. Self-contained.
 */
export function mainThreadClock(): () => number {
  const { openSync, readSync } = process.getBuiltinModule('node:fs');
  const told = Buffer.alloc(64);
  try {
    const file = openSync('/proc/self/schedstat', 'r');
    return () => Number.parseInt(told.toString('latin1', 0, readSync(file, told, 0, told.length, 0)), 10) / 1e6;
  } catch {
    return () => performance.now();
  }
}
