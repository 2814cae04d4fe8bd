import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { stopCountdown } from './job-gates.ts';
import { holdNumbers } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { sameJob } from './same-work.ts';

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

interface Overtaken {
  readonly id: string;
  readonly connection_id: string;
  readonly sha256: string;
}

/**
 * Holds jobs of a killed run whose files were given to another run before the jobs were taken over: sending them would register the same bytes
 * twice. Waiting jobs are held for a person's decision; jobs whose bytes are not known yet are checked once they are. `which`: a condition
 * on `j`, with its value. Call it within a transaction.
 */
export function holdOvertaken(sql: Sql, which: 'j.run_id = ?' | 'j.id = ?', value: string): void {
  const rows = sql.all<Overtaken>(
    `SELECT j.id, j.connection_id, j.sha256 FROM jobs AS j
     WHERE ${which} AND j.state = 'waiting' AND j.held = 0 AND j.operation = 'AddNewDocument' AND EXISTS (
       SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND o.sha256 = j.sha256 AND o.seq > j.seq
         AND o.state IN ('waiting', 'sending', 'in-doubt', 'done')
         -- One that waits for a decision about this very job has not overtaken it.
         AND o.held % ${holdNumbers.restored} <> ${holdNumbers.duplicate})
       AND NOT EXISTS (SELECT 1 FROM job_events AS e WHERE e.job_seq = j.seq AND e.kind = 'duplicate-decided')`,
    value,
  );
  for (const { id, connection_id, sha256 } of rows) {
    const same = sameJob(sql, connection_id, sha256, { jobId: id });
    sql.run(`UPDATE jobs SET held = ${holdNumbers.duplicate}, duplicate_of = ? WHERE id = ?`, JSON.stringify(same), id);
    addStep(sql, id, 'duplicate-found');
  }
  sql.run(
    `UPDATE jobs AS j SET duplicates = 'ask'
     WHERE ${which} AND j.state = 'prepared' AND j.duplicates = 'send' AND j.operation = 'AddNewDocument' AND EXISTS (
       SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND o.size_bytes = j.size_bytes
         AND o.source_path = j.source_path AND o.seq > j.seq AND o.state NOT IN ('refused', 'failed', 'cancelled'))`,
    value,
  );
}
