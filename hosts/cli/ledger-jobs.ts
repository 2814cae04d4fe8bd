import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerJob } from '../../contract/jobs.ts';
import { AppError } from '../../electron/core/foundation/app-error.ts';
import type { Session } from './session.ts';

/** The most that `jobs.read` and `jobs.takeOver` accept in one call. */
export const idsPerCall = 500;

/**
 * Jobs of the ledger by id; ids that are not in it are absent. Repeats the call while the storage fails, because the end of sent jobs must still be
 * reported.
 */
export async function ledgerJobs(session: Session, jobIds: readonly string[]): Promise<ReadonlyMap<string, LedgerJob>> {
  for (;;) {
    const answer = await session.ask('jobs.read', { jobIds: [...jobIds] });
    if (answer.ok) return new Map(answer.value.map((job) => [job.id, job]));
    // A full disk, or a lock of another program.
    if (answer.failure.code !== 'storage-unusable' && answer.failure.code !== 'storage-full')
      throw new AppError(answer.failure);
    await sleep(1_000);
  }
}

/** All jobs of a batch, in the order of its files. */
export async function jobsOfBatch(session: Session, batchId: string): Promise<readonly LedgerJob[]> {
  const jobs: LedgerJob[] = [];
  for (;;) {
    const page = await session.ask('jobs.read', { batchId, offset: jobs.length, limit: idsPerCall });
    if (!page.ok) throw new AppError(page.failure);
    if (page.value.length === 0) return jobs;
    jobs.push(...page.value);
  }
}
