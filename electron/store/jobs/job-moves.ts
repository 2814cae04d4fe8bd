import type { Answer } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState, JobStep, JobStepKind } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { addStep, historyOf, now } from './job-steps.ts';

/** Fields that a change of state may change besides. */
export interface JobChange {
  readonly sizeBytes?: number;
  readonly sha256?: string | null;
  readonly imageSha256?: string;
  readonly departedAt?: string | null;
  readonly answerBeganAt?: string | null;
  readonly raw?: string | null;
  readonly answer?: Answer | null;
  readonly documentId?: string | null;
  readonly failure?: Failure | null;
}

/** Moves a job if it is in one of `from`, and adds a step to its history; false if it is in no such state. Call it in a transaction. */
export type MoveJob = (id: string, from: readonly JobState[], to: JobState, change?: JobChange) => boolean;

export function jobMoves(sql: Sql, run: RunLock): MoveJob {
  return (id, from, to, change = {}) => {
    const at = now();
    const moved = update(sql, run, id, from, to, change, at);
    if (moved && change.answerBeganAt) addStep(sql, id, 'answer-began', null, change.answerBeganAt);
    if (moved) addStep(sql, id, to, change.failure, at);
    if (moved && ['cancelled', 'failed', 'refused'].includes(to)) standAsBefore(sql, id, ['in-doubt']);
    return moved;
  };
}

/** Failures of attempts whose end nobody saw: their time is that of the start that found them. */
const unseen = /^the program ended after|the database came back older/;

/**
 * What was in doubt when it was sent again, and ends without a sending that the service may have taken, is in doubt as before, whatever ended it: it may have taken the first one. `kinds`: the ends that
 * it has again, with the times of their attempt. Answers whether it has one. Call it in a transaction.
 */
export function standAsBefore(sql: Sql, id: string, kinds: readonly JobState[]): boolean {
  const steps = historyOf(sql, id);
  const isEnd = ({ kind }: JobStep) => ['in-doubt', 'refused', 'failed', 'cancelled'].includes(kind);
  // A person may have accepted it meanwhile and undone that, which ends no attempt.
  const isDoubt = ({ kind }: JobStep, at: number) => kind === 'in-doubt' && steps[at + 1]?.kind !== 'accept-undone';
  const doubted = steps.findLastIndex(isDoubt);
  const endsAt = doubted < 0 ? steps.findLastIndex(isEnd) : doubted;
  const end = steps[endsAt];
  if (!end || !kinds.some((kind) => kind === end.kind)) return false;
  const earlier = steps.slice(0, endsAt);
  const attempt = earlier.slice(earlier.findLastIndex((step) => step.kind === 'sent-again' || isEnd(step)) + 1);
  const last = (kind: JobStepKind) => attempt.findLast((step) => step.kind === kind)?.at ?? null;
  // An answer to what left since then is that of another sending; what else was sent, and a decision beside it, still count.
  sql.run(
    `UPDATE jobs SET state = ?, failure = ?, raw = iif(departed_at IS NULL, raw, NULL), answer = iif(departed_at IS NULL, answer, NULL),
       departed_at = ?, answer_began_at = ?, attempt_ended_at = ?,
       held = 0, gate = 0, duplicate_of = json_remove(duplicate_of, '$.skipsWhenDone') WHERE id = ?`,
    end.kind,
    end.failure && JSON.stringify(end.failure),
    last('departed') ?? (end.kind === 'in-doubt' ? last('sending') : null),
    last('answer-began'),
    unseen.test(end.failure?.note ?? '') ? null : end.at,
    id,
  );
  return true;
}

/** See `JobTable.supersede`. Call it in a transaction. Jobs that this job replaced are marked as replaced by the new one, too: those in doubt are no duplicates of it. */
export function supersede(sql: Sql, id: string, by: string): boolean {
  const changed = sql.run(
    `UPDATE jobs SET dismissed = 1, superseded_by = ?, updated_at = ? WHERE id = ? AND dismissed = 0
     AND state IN ('refused', 'failed', 'cancelled', 'in-doubt')`,
    by,
    new Date().toISOString(),
    id,
  );
  if (changed !== 1) return false;
  sql.run('UPDATE jobs SET superseded_by = ? WHERE superseded_by = ?', by, id);
  addStep(sql, id, 'corrected');
  return true;
}

/** See `JobTable.isOfDoubt`. */
export function isOfDoubt(sql: Sql, id: string): boolean {
  const hasLeft = "SELECT 1 FROM job_events WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?1) AND kind = 'departed'";
  const text = `SELECT 1 FROM jobs WHERE superseded_by = ?1 AND id <> ?1 AND state = 'in-doubt' AND NOT EXISTS (${hasLeft})`;
  return sql.get(text, id) !== undefined;
}

const columns: Record<keyof JobChange, string> = {
  sizeBytes: 'size_bytes',
  sha256: 'sha256',
  imageSha256: 'image_sha256',
  departedAt: 'departed_at',
  answerBeganAt: 'answer_began_at',
  raw: 'raw',
  answer: 'answer',
  documentId: 'document_id',
  failure: 'failure',
};

function update(
  sql: Sql,
  run: RunLock,
  id: string,
  from: readonly JobState[],
  to: JobState,
  change: JobChange,
  at: string,
): boolean {
  // A job that has ended or is being sent is not held.
  const sets = [
    'state = ?',
    "held = iif(? IN ('prepared', 'waiting'), held, 0)",
    "gate = iif(? IN ('prepared', 'waiting'), gate, 0)",
    `attempt_ended_at = CASE WHEN ? IN ('prepared', 'waiting', 'sending') THEN NULL
       WHEN state = 'sending' THEN ? ELSE attempt_ended_at END`,
    'run_id = ?',
    'updated_at = ?',
  ];
  const values: SqlValue[] = [to, to, to, to, at, run.runId, at];
  for (const [key, value] of Object.entries(change) as [keyof JobChange, unknown][]) {
    if (value === undefined) continue;
    sets.push(`${columns[key]} = ?`);
    values.push(value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue));
  }
  const states = from.map(() => '?').join(', ');
  // Another program may have paused it, or taken it back, since it was chosen.
  const isFree = to === 'sending' ? 'AND held = 0 AND gate = 0' : '';
  return (
    sql.run(
      `UPDATE jobs SET ${sets.join(', ')} WHERE id = ? AND dismissed = 0 ${isFree} AND state IN (${states})`,
      ...values,
      id,
      ...from,
    ) === 1
  );
}
