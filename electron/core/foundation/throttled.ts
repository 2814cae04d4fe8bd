import { setImmediate as nextTurn } from 'node:timers/promises';

export type Throttled = ReturnType<typeof throttled>;

/** Runs `work` at most once in `everyMs`, and never loses the last request. */
export function throttled(everyMs: number | (() => number), work: () => void) {
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
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
      const dueMs = lastAt + pauseMs - performance.now();
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

/**
 * Runs work one at a time; what is asked for meanwhile is done once more afterwards. Failures are dropped. `soon`: no earlier than `pauseMs` after
 * the last start, so that many reasons lead to one run; twice as long after work that answers true, as it had much to do.
 */
export function coalesced(work: () => Promise<unknown>, pauseMs: number) {
  let running: Promise<void> | null = null;
  let [isWanted, isMuch] = [false, false];
  const run = async () => {
    for (; isWanted; isMuch = (await work().catch(() => false)) === true) isWanted = false;
    running = null;
  };
  const pause = () => (isMuch ? 2 * pauseMs : pauseMs);
  const {
    request,
    flush: atOnce,
    stop,
  } = throttled(pause, () => {
    isWanted = true;
    running ??= run();
  });
  return {
    start: () => {
      request();
      atOnce();
    },
    soon: request,
    stop: async () => {
      stop();
      await running;
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
