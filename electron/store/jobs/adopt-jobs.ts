import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { countUnawaited } from './connection-breakers.ts';
import { type OfRunOrJob, stopCountdown } from './job-gates.ts';
import type { MoveJob } from './job-moves.ts';
import { holdNumbers, readJob } from './job-rows.ts';
import { doubtUnseen, now } from './job-steps.ts';
import { recordDuplicate, sameWork } from './same-work.ts';

/** The failure of a job whose request had begun to leave when its program ended. */
function lostWithProgram(): Failure {
  return appError('outcome-unknown', 'the program ended after the request had begun to leave and before its answer')
    .failure;
}

/**
 * Takes over the jobs of runs that have ended, each run in one transaction: an incomplete batch is removed; a job that had begun to leave is
 * in doubt; a job that was being sent and had not left waits again; the others keep their state, and a countdown that ran is stopped. Answers how many jobs still wait.
 */
export function takeOverDeadRuns(sql: Sql, run: RunLock, move: MoveJob): number {
  const runs = sql.all<{ run_id: string }>(
    `SELECT DISTINCT run_id FROM jobs WHERE state IN ('prepared', 'waiting', 'sending')
     UNION SELECT run_id FROM batches WHERE complete = 0`,
  );
  let adopted = 0;
  for (const { run_id } of runs) {
    if (run_id === run.runId || run.isAlive(run_id)) continue;
    adopted += sql.transaction(() => {
      sql.run('DELETE FROM batches WHERE complete = 0 AND run_id = ?', run_id);
      return takeOverJobs(sql, run, move, 'run_id = ?', run_id);
    });
  }
  return adopted;
}

/** For a program that takes over nothing by itself: what was sent ahead over a held connection and was lost with an ended run holds it again. */
export function holdLostProbes(sql: Sql, run: RunLock): void {
  const sending = "SELECT run_id, connection_id FROM jobs WHERE state = 'sending' AND departed_at IS NOT NULL";
  for (const { run_id, connection_id } of sql.all<{ run_id: string; connection_id: string }>(sending))
    if (!run.isAlive(run_id)) sql.transaction(() => countUnawaited(sql, connection_id));
}

/** Takes over the jobs of ended runs that have not ended themselves; answers how many still wait. Call it in a transaction. */
export function takeOverJobs(sql: Sql, run: RunLock, move: MoveJob, ...[which, value]: OfRunOrJob): number {
  const at = now();
  doubtUnseen(sql, lostWithProgram(), `${which} AND state = 'sending' AND departed_at IS NOT NULL`, value);
  // What was being sent and is not in doubt has not left.
  const unsent = `${which} AND state = 'sending'`;
  sql.run(
    `INSERT INTO job_events (job_seq, at, kind) SELECT seq, ?, 'waiting' FROM jobs WHERE ${unsent}`,
    ...[at, value],
  );
  sql.run(`UPDATE jobs SET state = 'waiting', updated_at = ? WHERE ${unsent}`, at, value);
  holdOvertaken(sql, move, ['given', `j.${which}`, value]);
  stopCountdown(sql, which, value);
  return sql.run(
    `UPDATE jobs SET run_id = ? WHERE ${which} AND state IN ('prepared', 'waiting')`,
    ...[run.runId, value],
  );
}

/** A condition on `j`: another program had begun it. */
export const isTakenOver = 'j.run_id <> (SELECT run_id FROM batches AS b WHERE b.seq = j.batch_seq)';
/** When a job was given to the program, or a person last wanted it sent, by the history: no clock decides an order. */
const givenAt = (job: 'j' | 'o') =>
  `(SELECT coalesce(max(seq) FILTER (WHERE kind IN ('sent-again', 'duplicate-decided')), min(seq)) FROM job_events WHERE job_seq = ${job}.seq)`;
const isAgain = (states: string, same: string) => `EXISTS (
  SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND ${same} AND o.batch_seq <> j.batch_seq AND o.state IN (${states})
    AND NOT ${asks('o')} AND o.id IS NOT json_extract(j.duplicate_of, '$.jobId') AND ${givenAt('o')} > ${givenAt('j')})`;
const asks = (job: 'j' | 'o') => `${job}.held % ${holdNumbers.restored} = ${holdNumbers.duplicate}`;

/** The jobs that may be overtaken, by a condition on `j` and its values, and by what: all that was given to the program again, or only what of it has left. */
export type Overtaken = readonly [by: 'given' | 'left', which: string, ...values: string[]];

/**
 * Jobs whose work was given to the program again before they were taken over from a killed run, or while a countdown kept them back: sending them would do the same twice. What was there when they were
 * given counts by their rule, and what waits for a decision about them not at all; with the rule to skip they are passed over, else held for a person's decision. Jobs whose bytes are not known yet are looked at once they are.
 * Rows of a bulk are compared as they leave. Answers whether there were any. Call it within a transaction.
 */
export function holdOvertaken(sql: Sql, move: MoveJob, [by, which, ...values]: Overtaken): boolean {
  const again = (same: string) => isAgain(`${by === 'given' ? "'waiting', " : ''}'sending', 'in-doubt', 'done'`, same);
  const rows = sql.all<{ readonly id: string }>(
    `SELECT j.id FROM jobs AS j
     WHERE ${which} AND j.state = 'waiting' AND NOT ${asks('j')}
       AND (j.operation = 'AddNewDocument' OR j.duplicates <> 'send' OR NOT EXISTS (SELECT 1 FROM bulk_rows WHERE job_id = j.id))
       AND (${again("o.sha256 = j.sha256 AND (j.operation = 'AddNewDocument' OR o.work_key = j.work_key)")}
         OR j.source_path IS NULL AND ${again('o.source_path IS NULL AND o.operation = j.operation AND o.work_key = j.work_key')})`,
    ...values,
  );
  for (const { id } of rows) {
    const job = readJob(sql, id);
    const same = job && sameWork(sql, job, job.sha256);
    if (same) recordDuplicate(sql, id, same, job.duplicates !== 'skip');
    if (same && job.duplicates === 'skip') move(id, ['waiting'], 'passed-over', { failure: null });
  }
  return rows.length > 0;
}
