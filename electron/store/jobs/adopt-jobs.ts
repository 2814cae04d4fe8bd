import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { stopCountdown } from './job-gates.ts';
import { holdOvertaken } from './overtaken-jobs.ts';

/** The failure of a job whose request had begun to leave when its program ended. */
export function lostWithProgram(): Failure {
  return appError('outcome-unknown', 'the program ended after the request had begun to leave and before its answer')
    .failure;
}

/**
 * Takes over the jobs of runs that have ended, each run in one transaction: an incomplete batch is removed; a job that had begun to leave is
 * in doubt; a job that was being sent and had not left waits again; the others keep their state, and a countdown that ran is stopped. Answers how many jobs still wait.
 */
export function takeOverDeadRuns(sql: Sql, run: RunLock): number {
  const runs = sql.all<{ run_id: string }>(
    `SELECT DISTINCT run_id FROM jobs WHERE state IN ('prepared', 'waiting', 'sending')
     UNION SELECT run_id FROM batches WHERE complete = 0`,
  );
  let adopted = 0;
  for (const { run_id } of runs) {
    if (run_id !== run.runId && !run.isAlive(run_id))
      adopted += sql.transaction(() => takeOverRun(sql, run_id, run.runId));
  }
  return adopted;
}

function takeOverRun(sql: Sql, deadId: string, ownId: string): number {
  const at = new Date().toISOString();
  const failure = JSON.stringify(lostWithProgram());
  sql.run('DELETE FROM batches WHERE complete = 0 AND run_id = ?', deadId);
  sql.run(
    `INSERT INTO job_events (job_seq, at, kind, failure)
     SELECT seq, ?, iif(departed_at IS NULL, 'waiting', 'in-doubt'), iif(departed_at IS NULL, NULL, ?)
     FROM jobs WHERE run_id = ? AND state = 'sending'`,
    at,
    failure,
    deadId,
  );
  sql.run(
    `UPDATE jobs SET state = 'in-doubt', failure = ?, updated_at = ?
     WHERE run_id = ? AND state = 'sending' AND departed_at IS NOT NULL`,
    failure,
    at,
    deadId,
  );
  sql.run("UPDATE jobs SET state = 'waiting', updated_at = ? WHERE run_id = ? AND state = 'sending'", at, deadId);
  holdOvertaken(sql, 'j.run_id = ?', deadId);
  stopCountdown(sql, 'run_id = ?', deadId);
  return sql.run("UPDATE jobs SET run_id = ? WHERE run_id = ? AND state IN ('prepared', 'waiting')", ownId, deadId);
}
