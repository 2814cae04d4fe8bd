import type { Failure } from '../../../contract/failure.ts';
import type { JobStep, JobStepKind } from '../../../contract/jobs.ts';
import type { Sql } from '../database/sql.ts';
import { countUnawaited } from './connection-breakers.ts';

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

/** Puts these jobs (a condition on `jobs`) in doubt, whose attempts ended unseen. Call it within a transaction. */
export function doubtUnseen(sql: Sql, failure: Failure, which: string, value: string): void {
  const [at, text] = [now(), JSON.stringify(failure)];
  sql.run(
    `INSERT INTO job_events (job_seq, at, kind, failure, unseen) SELECT seq, ?, 'in-doubt', ?, 1 FROM jobs WHERE ${which}`,
    ...[at, text, value],
  );
  for (const { id } of sql.all<{ id: string }>(`SELECT connection_id AS id FROM jobs WHERE ${which}`, value))
    countUnawaited(sql, id);
  sql.run(
    `UPDATE jobs SET state = 'in-doubt', held = 0, departed_at = coalesce(departed_at, updated_at), failure = ?, updated_at = ? WHERE ${which}`,
    ...[text, at, value],
  );
}

/** The history of a job, oldest step first. */
export function historyOf(sql: Sql, id: string): JobStep[] {
  return stepsOf(sql, id).map(({ at, kind, failure }) => ({ at, kind, failure }));
}

function stepsOf(sql: Sql, id: string): (JobStep & { readonly unseen: 0 | 1 })[] {
  return sql
    .all<{ at: string; kind: JobStepKind; failure: string | null; unseen: 0 | 1 }>(
      `SELECT e.at, e.kind, e.failure, e.unseen FROM job_events AS e JOIN jobs AS j ON j.seq = e.job_seq
       WHERE j.id = ? ORDER BY e.seq`,
      id,
    )
    .map((step) => ({ ...step, failure: step.failure ? (JSON.parse(step.failure) as Failure) : null }));
}

/** The attempts of a job that did not succeed, oldest first, each by its end with the times before it. `endedAt`: null if nobody saw it; `at` is when it was found to be over. */
export function attemptsOf(sql: Sql, id: string) {
  const steps = stepsOf(sql, id);
  // A person may have accepted it meanwhile and undone that, which ends no attempt.
  const isEnd = ({ kind }: JobStep, at: number) =>
    ['in-doubt', 'refused', 'failed', 'passed-over', 'cancelled'].includes(kind) &&
    steps[at + 1]?.kind !== 'accept-undone';
  return steps.flatMap((end, at) => {
    if (!isEnd(end, at)) return [];
    const earlier = steps.slice(0, at);
    const own = earlier.slice(earlier.findLastIndex((step, n) => step.kind === 'sent-again' || isEnd(step, n)) + 1);
    const last = (kind: JobStepKind) => own.findLast((step) => step.kind === kind)?.at ?? null;
    const departedAt = last('departed') ?? (end.kind === 'in-doubt' ? last('sending') : null);
    return [{ ...end, departedAt, answerBeganAt: last('answer-began'), endedAt: end.unseen ? null : end.at }];
  });
}
