import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/jobs.ts';

/** Room comes back, and files are closed, while jobs are being sent; a disk that stays full does not end a script by itself. */
const patienceMs = 10_000;

/**
 * Answers why jobs are to be let go: once nothing but waiting for the program's own storage has been left of all that are open, for ten seconds in a
 * row. Nothing of such a job was sent.
 */
export function createStoragePatience(
  now: () => number = () => performance.now(),
): (open: Iterable<Job>) => Failure | null {
  let since: number | null = null;
  const goesOn = () => {
    since = null;
    return null;
  };
  return (open) => {
    let failure: Failure | null = null;
    for (const job of open) {
      if (waitsForStorage(job)) failure = job.failure;
      else if (job.state !== 'waiting') return goesOn();
    }
    // One that waits its turn goes on only where nothing before it is stuck.
    if (!failure) return goesOn();
    since ??= now();
    return now() - since >= patienceMs ? failure : null;
  };
}

/** Its copy, its departure or its end cannot be written. */
export function waitsForStorage({ state, failure }: Pick<Job, 'state' | 'failure'>): boolean {
  return ['prepared', 'waiting', 'sending'].includes(state) && failure?.code.startsWith('storage-') === true;
}
