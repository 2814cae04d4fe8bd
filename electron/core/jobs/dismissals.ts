import { setTimeout as sleep } from 'node:timers/promises';
import { clearUp } from './clear-up.ts';
import type { QueueContext } from './queue-context.ts';

/** Takes ended jobs off the list, and puts them back for as long as their copies are kept. */
export interface Dismissals {
  dismiss(jobIds: readonly string[]): Promise<void>;
  /** Answers how many are on the list again. */
  restore(jobIds: readonly string[]): number;
  /** Removes the copies that are still kept. What a killed program kept is removed at the next start. */
  stop(): Promise<void>;
}

/** `onRemoved`: copies may have been removed, so that others have room. */
export function createDismissals(queue: QueueContext, onRemoved: () => void): Dismissals {
  const { context, secrets } = queue;
  const { jobs } = context.store;
  const kept = new Set<string>();
  const stopping = new AbortController();
  const removals = new Set<Promise<void>>();

  async function removeLater(jobIds: readonly string[]): Promise<void> {
    await sleep(context.pauses.undoMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    for (const id of jobIds) {
      // One that was put back is not dismissed: its copy stays.
      kept.delete(id);
      await clearUp(queue, id);
    }
    onRemoved();
  }

  return {
    dismiss: async (jobIds) => {
      const gone: string[] = [];
      for (const id of jobIds) {
        const hasSecret = jobs.get(id)?.hasSecret ?? false;
        if (!jobs.dismiss(id)) continue;
        // A secret word is never kept longer than its job: it is asked for again.
        if (hasSecret) await secrets.forget(id);
        gone.push(id);
        kept.add(id);
        queue.changes.mark(id);
      }
      if (gone.length === 0) return;
      const removal = removeLater(gone).finally(() => removals.delete(removal));
      removals.add(removal);
    },
    restore: (jobIds) => {
      const back = jobIds.filter((id) => kept.has(id) && jobs.undismiss(id));
      for (const id of back) {
        kept.delete(id);
        queue.changes.mark(id);
      }
      return back.length;
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(removals);
    },
  };
}
