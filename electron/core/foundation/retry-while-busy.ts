import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from './app-error.ts';

/* The one rule for work that another program keeps from the database. */

/** Pause between two tries, on average: between half of it and one and a half, as the tries of all at once, or in step with the other program, would miss the moments in which it is free. */
export const busyPauseMs = 50;
const usualLimitMs = 60_000;
/** Aborted by the first that finds the database free after it waited: the other program may leave it for a moment only, and all others that wait write in it, too. */
let free = new AbortController();
/** For what must not be lost: only the end of the program ends the tries. */
export const asLongAsItTakes = Number.POSITIVE_INFINITY;

/** The patience with what somebody can stop, for as long as it takes; without a signal the usual one. */
export const untilAborted = (signal?: AbortSignal) => (signal ? { limitMs: asLongAsItTakes, signal } : {});

export const isBusy = (error: unknown) => failureOf(error)?.code === 'storage-busy';

/**
 * Runs work that writes to the database, and repeats it while another program is writing, without blocking. Only for work that
 * has changed nothing when it throws storage-busy, or goes on where it was. Rejects with storage-busy after `limitMs` (a minute by default; `asLongAsItTakes`; a function is
 * asked after each try) or when `signal` is aborted.
 */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  {
    limitMs = usualLimitMs,
    signal,
  }: { readonly limitMs?: number | (() => number); readonly signal?: AbortSignal } = {},
): Promise<T> {
  let sinceMs: number | null = null;
  for (;;) {
    try {
      const value = await work();
      if (sinceMs !== null) {
        free.abort();
        free = new AbortController();
      }
      return value;
    } catch (error) {
      sinceMs ??= performance.now();
      const mostMs = typeof limitMs === 'number' ? limitMs : limitMs();
      if (!isBusy(error) || signal?.aborted || performance.now() - sinceMs >= mostMs) throw error;
      const sooner = AbortSignal.any(signal ? [signal, free.signal] : [free.signal]);
      await sleep(busyPauseMs * (0.5 + Math.random()), undefined, { signal: sooner }).catch(() => undefined);
    }
  }
}
