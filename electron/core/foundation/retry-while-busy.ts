import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from './app-error.ts';

/* The one rule for work that another program keeps from the database. */

/** Pause between two tries. */
export const busyPauseMs = 250;
const usualLimitMs = 60_000;
/** For what must not be lost: only the end of the program ends the tries. */
export const asLongAsItTakes = Number.POSITIVE_INFINITY;

export const isBusy = (error: unknown) => failureOf(error)?.code === 'storage-busy';

/** How long work waits for a program that holds the database. It counts from the first failure since the last success: one that writes often never ends other work. */
export function createPatience(limitMs = usualLimitMs) {
  let sinceMs: number | null = null;
  return {
    /** True if the work may be tried again after a pause. */
    isLeft: () => {
      sinceMs ??= performance.now();
      return performance.now() - sinceMs < limitMs;
    },
    renew: () => {
      sinceMs = null;
    },
  };
}

/** For work that many callers ask for: one try at a time, as each of a busy database's failures would ask for another. False once the patience is over. */
export function createLaterTry(work: () => void) {
  const patience = createPatience();
  let timer: NodeJS.Timeout | undefined;
  return {
    ask: (): boolean => {
      if (timer) return true;
      if (!patience.isLeft()) return false;
      timer = setTimeout(() => {
        timer = undefined;
        work();
      }, busyPauseMs);
      return true;
    },
    renew: patience.renew,
    stop: () => clearTimeout(timer),
  };
}

/**
 * Runs work that writes to the database, and repeats it while another program is writing, without blocking. Only for work that
 * has changed nothing when it throws storage-busy, or goes on where it was. Rejects with storage-busy after `limitMs` (a minute by default; `asLongAsItTakes`) or when
 * `signal` is aborted.
 */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  { limitMs = usualLimitMs, signal }: { readonly limitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const patience = createPatience(limitMs);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || signal?.aborted || !patience.isLeft()) throw error;
      await sleep(busyPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
