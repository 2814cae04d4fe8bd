import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from './app-error.ts';

/** Pause between two tries. */
export const busyPauseMs = 250;
const usualLimitMs = 60_000;

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

/**
 * Runs work that writes to the database, and repeats it while another program is writing, without blocking. Only for work that
 * has changed nothing when it throws storage-busy. Rejects with storage-busy after `limitMs` (a minute by default) or when `signal` is aborted.
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
