import type { Failure } from '../../contract/failure.ts';
import type { Job, LedgerJob } from '../../contract/jobs.ts';

/** Sending jobs frees space and closes files, so a full disk may recover; one that stays full must not block a script for ever. */
export const usualPatienceMs = 10_000;

/**
 * Returns the storage failure once all open jobs have waited for nothing but the program's own storage for `patienceMs` without interruption; null before that.
 * Nothing of such a job was sent.
 */
export function createStoragePatience(
  patienceMs = usualPatienceMs,
  now: () => number = () => performance.now(),
): (open: Iterable<Job | LedgerJob>) => Failure | null {
  let since: number | null = null;
  const goesOn = () => {
    since = null;
    return null;
  };
  return (open) => {
    let failure: Failure | null = null;
    for (const job of open) {
      if (waitsForStorage(job)) failure = job.failure;
      else if (job.state !== 'waiting' && !isLeft(job)) return goesOn();
    }
    // A job that waits for its turn counts only if no job before it waits for storage.
    if (!failure) return goesOn();
    since ??= now();
    return now() - since >= patienceMs ? failure : null;
  };
}

/** A job that an ended program left: it goes on only after it was taken over, which is written to the ledger too. */
export const isLeft = (job: Job | LedgerJob) => 'worker' in job && job.worker === 'nobody';

/** The job's copy, departure or outcome cannot be written. */
export function waitsForStorage({ state, failure }: Pick<Job, 'state' | 'failure'>): boolean {
  return ['prepared', 'waiting', 'sending'].includes(state) && failure?.code.startsWith('storage-') === true;
}
