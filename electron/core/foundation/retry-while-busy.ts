import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from './app-error.ts';

/* The one rule for work that another program keeps from the database. */

/** Pause between two tries. */
export const busyPauseMs = 250;
const usualLimitMs = 60_000;
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
      return await work();
    } catch (error) {
      sinceMs ??= performance.now();
      const mostMs = typeof limitMs === 'number' ? limitMs : limitMs();
      if (!isBusy(error) || signal?.aborted || performance.now() - sinceMs >= mostMs) throw error;
      await sleep(busyPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
