import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { QueueContext } from './queue-context.ts';

/**
 * True if a job can never be sent again: only then are its copies and its secret word no longer needed. It leaves this
 * state only while a person can undo it (kept-copies.ts).
 */
export function isOver({ state, dismissed }: Pick<StoredJob, 'state' | 'dismissed'>): boolean {
  return dismissed || state === 'done';
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
