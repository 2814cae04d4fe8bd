import { setImmediate as nextTurn } from 'node:timers/promises';

export type Throttled = ReturnType<typeof throttled>;

/** Runs `work` at most once in `everyMs`, and never loses the last request. */
export function throttled(everyMs: number, work: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  const run = () => {
    clearTimeout(timer);
    timer = undefined;
    lastAt = performance.now();
    work();
  };
  return {
    /** Requests a run: at once if the last one is long enough ago, else as soon as it is. */
    request: (): void => {
      if (stopped || timer) return;
      const dueMs = lastAt + everyMs - performance.now();
      if (dueMs <= 0) run();
      else timer = setTimeout(run, dueMs);
    },
    /** Runs now if a run was requested. */
    flush: (): void => {
      if (timer) run();
    },
    /** Cancels a requested run; there is none after this. */
    stop: (): void => {
      stopped = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Time in which long work may go on without other work of the process: well under a frame of 16 ms. */
const sliceMs = 6;

/** For long work to call after each small part: a promise to wait for when other work is due, else undefined. */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  const next = async () => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since > sliceMs ? next() : undefined);
}
