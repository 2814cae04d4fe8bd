import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStep } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { QueueContext } from './queue-context.ts';
import type { SpoolPart } from './spool.ts';

/** Copies of jobs that are over, which stay while a person can undo that. */
export type KeptCopies = ReturnType<typeof createKeptCopies>;

/** `onRemoved`: copies may have been removed, so that others have room. */
export function createKeptCopies(queue: QueueContext, onRemoved: () => void) {
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
    keep: (jobIds: readonly string[]): void => {
      for (const id of jobIds) kept.add(id);
      const removal = removeLater(jobIds).finally(() => removals.delete(removal));
      removals.add(removal);
    },
    isKept: (jobId: string): boolean => kept.has(jobId),
    /** Its end was undone: its copy stays. */
    release: (jobId: string): void => void kept.delete(jobId),
    /** Removes the copies that are still kept. What a killed program kept is removed at the next start. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.allSettled(removals);
    },
  };
}

/** Takes ended jobs off the list, and puts them back for as long as their copies are kept. */
export function dismissals({ context, secrets, changes }: QueueContext, copies: KeptCopies) {
  const { jobs } = context.store;
  return {
    /** Takes ended jobs off the list (not those in doubt) and removes their secret words, and after a while their copies. */
    dismiss: async (jobIds: readonly string[]) => {
      const withSecret = jobIds.filter((id) => jobs.get(id)?.hasSecret);
      const gone = jobs.dismiss(jobIds);
      if (gone.length > 0) copies.keep(gone);
      for (const id of gone) changes.mark(id);
      // A secret word is never kept longer than its job: it is asked for again.
      for (const id of withSecret) if (gone.includes(id)) await secrets.forget(id);
    },
    /** Puts dismissed jobs back on the list whose copies are still there; answers how many. */
    restoreDismissed: (jobIds: readonly string[]): number => {
      const back = jobs.undismiss(jobIds.filter(copies.isKept));
      for (const id of back) {
        copies.release(id);
        changes.mark(id);
      }
      return back.length;
    },
  };
}

/**
 * True if a job can never be sent again: only then are its copies and its secret word no longer needed. It leaves this
 * state only while a person can undo it (kept-copies.ts).
 */
export function isOver({ state, dismissed }: Pick<StoredJob, 'state' | 'dismissed'>): boolean {
  return dismissed || state === 'done';
}

/** Whether a part of a job is there as it was copied: where sending it found that it was changed, it is copied anew. */
export async function hasCopy({ context, spool }: QueueContext, jobId: string, part: SpoolPart): Promise<boolean> {
  const isChanged = ({ failure }: JobStep) => failure?.detail === 'copy-changed';
  const last = context.store.jobs.history(jobId).findLast((step) => step.kind === 'waiting' || isChanged(step));
  return !(last && isChanged(last)) && (await spool.has(jobId, part));
}

/**
 * Removes the copies and the secret word of a job that is over according to the ledger. Does nothing for any other
 * job, whatever the caller assumes.
 */
export async function clearUp(queue: QueueContext, jobId: string): Promise<void> {
  const job = queue.context.store.jobs.get(jobId);
  if (!job || !isOver(job)) return;
  await queue.spool.remove(jobId);
  if (job.hasSecret) await queue.secrets.forget(jobId);
}
