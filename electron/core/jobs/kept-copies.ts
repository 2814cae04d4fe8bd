import { setTimeout as sleep } from 'node:timers/promises';
import { clearUp } from './clear-up.ts';
import type { QueueContext } from './queue-context.ts';

/** Copies of jobs that are over, which stay while a person can undo that. */
export interface KeptCopies {
  keep(jobIds: readonly string[]): void;
  isKept(jobId: string): boolean;
  /** Its end was undone: its copy stays. */
  release(jobId: string): void;
  /** Removes the copies that are still kept. What a killed program kept is removed at the next start. */
  stop(): Promise<void>;
}

/** `onRemoved`: copies may have been removed, so that others have room. */
export function createKeptCopies(queue: QueueContext, onRemoved: () => void): KeptCopies {
  const kept = new Set<string>();
  const stopping = new AbortController();
  const removals = new Set<Promise<void>>();

  async function removeLater(jobIds: readonly string[]): Promise<void> {
    const { undoMs } = queue.context.pauses;
    await sleep(undoMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    for (const id of jobIds) {
      // One whose end was undone is not over: its copy stays.
      kept.delete(id);
      await clearUp(queue, id);
    }
    onRemoved();
  }

  return {
    keep: (jobIds) => {
      for (const id of jobIds) kept.add(id);
      const removal = removeLater(jobIds).finally(() => removals.delete(removal));
      removals.add(removal);
    },
    isKept: (jobId) => kept.has(jobId),
    release: (jobId) => void kept.delete(jobId),
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(removals);
    },
  };
}
