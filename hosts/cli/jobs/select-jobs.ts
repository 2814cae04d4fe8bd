import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobState, LedgerJob } from '../../../contract/jobs.ts';
import { AppError } from '../../../electron/core/foundation/app-error.ts';
import { isSet, textOf, type Values } from '../arguments/values.ts';
import { unwrapped } from '../follow-task.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

/** States of jobs that have not ended. A job in `sending` may have been sent before its program ended. */
export const unfinishedStates: readonly JobState[] = ['prepared', 'waiting', 'sending'];

/** The named jobs, in any state; with --all or --batch those of the connection in these states. Throws a UsageError if neither or both are given. */
export async function chosen(
  session: Session,
  values: Values,
  ids: readonly string[],
  states: readonly JobState[],
): Promise<readonly LedgerJob[]> {
  const batchId = textOf(values, 'batch');
  if (ids.length > 0) {
    if (isSet(values, 'all') || batchId !== undefined) throw new UsageError(t('errors.jobsOrAll'));
    return named(session, ids);
  }
  if (!isSet(values, 'all') && batchId === undefined) throw new UsageError(t('errors.whichJobs'));
  return inLedger(session, states, batchId);
}

/** The jobs with these ids. Throws a UsageError for an id that the connection does not have. */
export async function named(session: Session, ids: readonly string[]): Promise<readonly LedgerJob[]> {
  const found = new Map<string, LedgerJob>();
  for (const part of parts([...new Set(ids)])) {
    for (const job of unwrapped(await session.ask('jobs.read', { jobIds: part }))) found.set(job.id, job);
  }
  return [...new Set(ids)].map((id) => {
    const job = found.get(id);
    if (job?.connectionId !== session.connection.id || job.isDismissed) {
      throw new UsageError(t('errors.noJob', { id: JSON.stringify(id) }));
    }
    return job;
  });
}

/** Jobs of this connection in these states, the newest batch first. */
export async function inLedger(
  session: Session,
  states: readonly JobState[],
  batchId?: string,
): Promise<readonly LedgerJob[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += idsPerCall) {
    const page = unwrapped(await session.ask('jobs.list', { batchId, states: [...states], offset, limit: idsPerCall }));
    ids.push(...idsOf(page.jobs.filter(({ connectionId }) => connectionId === session.connection.id)));
    if (page.jobs.length < idsPerCall) break;
  }
  const jobs: LedgerJob[] = [];
  for (const part of parts(ids)) jobs.push(...unwrapped(await session.ask('jobs.read', { jobIds: part })));
  return jobs;
}

export const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id);

/** Slices that one call accepts. */
export function* parts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += idsPerCall) yield all.slice(from, from + idsPerCall);
}

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
    const page = unwrapped(await session.ask('jobs.read', { batchId, offset: jobs.length, limit: idsPerCall }));
    if (page.length === 0) return jobs;
    jobs.push(...page);
  }
}
