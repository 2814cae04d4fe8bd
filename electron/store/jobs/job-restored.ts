import type { Failure } from '../../../contract/failure.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { holdNumbers } from './job-rows.ts';

/**
 * Holds for jobs of a database that is older than the last sent request, or that was restored from the set-aside ones: any of these jobs may have been sent since. The
 * hold is separate from every other pause; the other pauses stay stored and apply again after it.
 */
const { restored, batch } = holdNumbers;

/** Holds all jobs that have not left. Jobs that ended runs were sending become in doubt. Call it in a transaction. */
export function holdAllRestored(sql: Sql, run: RunLock, failure: Failure): void {
  const at = new Date().toISOString();
  const sending = sql.all<{ run_id: string }>("SELECT DISTINCT run_id FROM jobs WHERE state = 'sending'");
  for (const { run_id } of sending.filter(({ run_id }) => !run.isAlive(run_id))) {
    sql.run(
      `INSERT INTO job_events (job_seq, at, kind, failure)
       SELECT seq, ?, 'in-doubt', ? FROM jobs WHERE run_id = ? AND state = 'sending'`,
      at,
      JSON.stringify(failure),
      run_id,
    );
    sql.run(
      `UPDATE jobs SET state = 'in-doubt', held = 0, departed_at = coalesce(departed_at, updated_at), failure = ?, updated_at = ?
       WHERE run_id = ? AND state = 'sending'`,
      JSON.stringify(failure),
      at,
      run_id,
    );
  }
  sql.run(
    `INSERT INTO job_events (job_seq, at, kind) SELECT seq, ?, 'paused' FROM jobs WHERE ${notLeft} AND held < ${restored}`,
    at,
  );
  sql.run(`UPDATE jobs SET held = held + ${restored}, updated_at = ? WHERE ${notLeft} AND held < ${restored}`, at);
  // Rows of a bulk become jobs one by one: this database does not know which rows became jobs since.
  sql.run("UPDATE bulks SET state = 'paused' WHERE state = 'sending'");
}

/** Ends the hold on a person's decision; other pauses stay in force. Answers how many jobs were released. Call it in a transaction. */
export function resumeRestored(sql: Sql): number {
  const at = new Date().toISOString();
  sql.run(
    `INSERT INTO job_events (job_seq, at, kind) SELECT seq, ?, 'resumed' FROM jobs WHERE ${notLeft} AND held >= ${restored}`,
    at,
  );
  return sql.run(
    `UPDATE jobs SET updated_at = ?, held = CASE
       WHEN held IN (${restored}, ${restored + batch})
         THEN iif((SELECT held FROM batches AS b WHERE b.seq = batch_seq) = 1, ${batch}, 0)
       ELSE held - ${restored} END
     WHERE ${notLeft} AND held >= ${restored}`,
    at,
  );
}

const notLeft = "state IN ('prepared', 'waiting')";
