import type { Answer } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { addStep, now } from './job-steps.ts';

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
    if (moved && (to === 'cancelled' || to === 'failed')) standAsBefore(sql, id, ['in-doubt']);
    return moved;
  };
}

/**
 * What was in doubt when it was sent again, and ends before it leaves, is in doubt as before, whatever ended it: the service may have its first sending. `kinds`: the ends that
 * it has again. Answers whether it has one. Call it in a transaction.
 */
export function standAsBefore(sql: Sql, id: string, kinds: readonly JobState[]): boolean {
  const job = 'SELECT seq FROM jobs WHERE id = ? AND departed_at IS NULL';
  const end = sql.get<{ seq: number; kind: JobState; at: string; failure: string | null }>(
    `SELECT seq, kind, at, failure FROM job_events WHERE job_seq = (${job})
       AND kind IN ('in-doubt', 'refused', 'failed', 'cancelled') ORDER BY kind = 'in-doubt' DESC, seq DESC LIMIT 1`,
    id,
  );
  if (!end || !kinds.includes(end.kind)) return false;
  const last = (kind: string) =>
    `(SELECT at FROM job_events AS e WHERE e.job_seq = jobs.seq AND e.kind = '${kind}' AND e.seq < ${end.seq}
       AND e.seq > (SELECT max(seq) FROM job_events AS s WHERE s.job_seq = jobs.seq AND s.kind = 'sending' AND s.seq < ${end.seq}))`;
  sql.run(
    `UPDATE jobs SET state = ?, failure = ?, departed_at = ${last('departed')}, answer_began_at = ${last('answer-began')}, attempt_ended_at = ?,
       held = 0, gate = 0, duplicate_of = NULL WHERE id = ?`,
    end.kind,
    end.failure,
    end.at,
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
