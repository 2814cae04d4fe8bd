import type { Answer } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { addStep, attemptsOf, now } from './job-steps.ts';

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

/** `givenBack`: jobs in doubt that have their places on the list again without a person, as their corrections came to nothing; each with its correction. */
export function jobMoves(sql: Sql, run: RunLock) {
  const givenBack = new Map<string, string>();
  const move: MoveJob = (id, from, to, change = {}) => {
    const at = now();
    if (!update(sql, run, id, from, to, change, at)) return false;
    if (change.answerBeganAt) addStep(sql, id, 'answer-began', null, change.answerBeganAt);
    addStep(sql, id, to, change.failure, at);
    if (['cancelled', 'passed-over', 'failed', 'refused'].includes(to) && !standAsBefore(sql, id, ['in-doubt'])) {
      const doubt = undoCorrection(sql, id, 'in-doubt');
      if (doubt !== null) givenBack.set(doubt, id);
    }
    return true;
  };
  return { move, givenBack };
}

/**
 * What was in doubt when it was sent again, and ends without a sending that the service may have taken, is in doubt as before, whatever ended it: it may have taken the first one. `kinds`: the ends that
 * it has again, with the times of their attempt. Answers whether it has one. Call it in a transaction.
 */
export function standAsBefore(sql: Sql, id: string, kinds: readonly JobState[]): boolean {
  const attempts = attemptsOf(sql, id);
  const before = attempts.findLast(({ kind }) => kind === 'in-doubt') ?? attempts.at(-1);
  if (!before || !kinds.some((kind) => kind === before.kind)) return false;
  // An answer to what left since then is that of another sending; what else was sent, and a decision beside it, still count.
  sql.run(
    `UPDATE jobs SET state = ?, failure = ?, raw = iif(departed_at IS NULL, raw, NULL), answer = iif(departed_at IS NULL, answer, NULL),
       departed_at = ?, answer_began_at = ?, attempt_ended_at = ?,
       held = 0, gate = 0, duplicate_of = json_remove(duplicate_of, '$.skipsWhenDone') WHERE id = ?`,
    ...[before.kind, before.failure && JSON.stringify(before.failure)],
    ...[before.departedAt, before.answerBeganAt, before.endedAt, id],
  );
  addStep(sql, id, 'as-before');
  return true;
}

/** See `JobTable.supersede`. Call it in a transaction. Jobs that this job replaced are marked as replaced by the new one, too: those in doubt are no duplicates of it. */
export function supersede(sql: Sql, id: string, by: string): boolean {
  const changed = sql.run(
    `UPDATE jobs SET dismissed = 1, superseded_by = ?, updated_at = ? WHERE id = ? AND dismissed = 0
     AND state IN ('refused', 'failed', 'passed-over', 'cancelled', 'in-doubt')`,
    by,
    new Date().toISOString(),
    id,
  );
  if (changed !== 1) return false;
  sql.run('UPDATE jobs SET superseded_by = ? WHERE superseded_by = ?', by, id);
  addStep(sql, id, 'corrected');
  return true;
}

/**
 * Answers the job that this one replaced, of several first the one in doubt; null if there is none, or for `in-doubt` none that is. It is on the list again, with the row of a bulk that had become this
 * one. One in doubt that is there already stays beside what is, and beside what replaces that: it may have arrived until it is decided. `any`: this one is taken back and never returns, so it counts as replaced by itself, and the other has its draft; else it stays beside the other with what became of it. Call it in a transaction.
 */
export function undoCorrection(sql: Sql, id: string, which: 'any' | 'in-doubt'): string | null {
  const corrected = sql.get<{ id: string }>(
    `SELECT id FROM jobs WHERE superseded_by = ?1 AND id <> ?1 AND dismissed = 1 AND (state = 'in-doubt' OR ?2 = 'any') ORDER BY state = 'in-doubt' DESC, seq DESC LIMIT 1`,
    id,
    which,
  );
  if (!corrected) return null;
  sql.run('UPDATE jobs SET superseded_by = ? WHERE superseded_by = ?', corrected.id, id);
  sql.run('UPDATE jobs SET dismissed = 0, superseded_by = ? WHERE id = ?', which === 'any' ? null : id, corrected.id);
  sql.run('UPDATE bulk_rows SET job_id = ? WHERE job_id = ?', corrected.id, id);
  addStep(sql, corrected.id, 'as-before');
  if (which === 'any') {
    sql.run('UPDATE jobs SET dismissed = 1, superseded_by = ?1 WHERE id = ?1', id);
    sql.run('UPDATE forms SET job_id = ? WHERE job_id = ?', corrected.id, id);
  }
  return corrected.id;
}

/** See `JobTable.isUnsentCorrection`. */
export function isUnsentCorrection(sql: Sql, id: string): boolean {
  const hasLeft = "SELECT 1 FROM job_events WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?1) AND kind = 'departed'";
  const text = `SELECT 1 FROM jobs WHERE superseded_by = ?1 AND id <> ?1 AND dismissed = 1 AND NOT EXISTS (${hasLeft})`;
  return sql.get(text, id) !== undefined;
}

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
    "superseded_by = iif(? = 'done', NULL, superseded_by)",
    `attempt_ended_at = CASE WHEN ? IN ('prepared', 'waiting', 'sending') THEN NULL
       WHEN state = 'sending' THEN ? ELSE attempt_ended_at END`,
    'run_id = ?',
    'updated_at = ?',
  ];
  const values: SqlValue[] = [to, to, to, to, to, at, run.runId, at];
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue;
    // The fields are columns, as in job-rows.ts.
    sets.push(`${key.replaceAll(/[A-Z]/g, '_$&')} = ?`);
    values.push(value !== null && typeof value === 'object' ? JSON.stringify(value) : value);
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
