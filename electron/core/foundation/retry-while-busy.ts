import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from './app-error.ts';

const pauseMs = 250;

export const isBusy = (error: unknown) => failureOf(error)?.code === 'storage-busy';

/**
 * Runs work that writes to the database, and repeats it while another program is writing, without blocking. Only for work that
 * has changed nothing when it throws storage-busy. Rejects with storage-busy after `limitMs` (30 s by default) or when `signal` is aborted.
 */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  { limitMs = 30_000, signal }: { readonly limitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || signal?.aborted || performance.now() > endMs) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
