import type { Failure } from '../../../contract/failure.ts';
import type { JobStep, JobStepKind } from '../../../contract/jobs.ts';
import type { Sql } from '../database/sql.ts';

export const now = () => new Date().toISOString();

/** Adds a step to a job's history. Call it within a transaction. */
export function addStep(sql: Sql, id: string, kind: JobStepKind, failure: Failure | null = null, at = now()): void {
  sql.run(
    'INSERT INTO job_events (job_seq, at, kind, failure) SELECT seq, ?, ?, ? FROM jobs WHERE id = ?',
    at,
    kind,
    failure ? JSON.stringify(failure) : null,
    id,
  );
}

/** The history of a job, oldest step first. */
export function historyOf(sql: Sql, id: string): JobStep[] {
  return sql
    .all<{ at: string; kind: JobStepKind; failure: string | null }>(
      `SELECT e.at, e.kind, e.failure FROM job_events AS e JOIN jobs AS j ON j.seq = e.job_seq
       WHERE j.id = ? ORDER BY e.seq`,
      id,
    )
    .map(({ at, kind, failure }) => ({ at, kind, failure: failure ? (JSON.parse(failure) as Failure) : null }));
}
