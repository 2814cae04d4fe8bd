import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { countBeside, countIn, keepCountBeside, raiseCount } from '../database/departure-count.ts';
import { requireNotice } from '../database/ledger-errors.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import type { Departed, Departures } from './departures.ts';
import { holdNumbers } from './job-rows.ts';
import { addStep, doubtUnseen } from './job-steps.ts';

/** The failure of a job whose departure the database does not know. */
export function leftUnknown(): Failure {
  return appError('outcome-unknown', 'the request had begun to leave, and the database came back older than that')
    .failure;
}

/**
 * Compares the database with the notes and the count beside it. A job whose noted departure the database does not know becomes in doubt. If some departures are
 * known only by their number, any job may be the one: then all jobs that have not left are held until a person decides (`restored`), and jobs that
 * were being sent are in doubt. All in one transaction with the new count, so that a program that is killed meanwhile repeats it. True if requests had left
 * that the database did not know.
 */
export function findOlderLedger(sql: Sql, dataDir: string, run: RunLock, departures: Departures): boolean {
  // Read before the count of the database: another program may raise both meanwhile, and raises the database's first.
  const beside = countBeside(dataDir);
  const notes = departures.ofDeadRuns();
  let isOlder = false;
  if (notes.length > 0 || beside > countIn(sql))
    sql.transaction(() => {
      const count = countIn(sql);
      const unknown = notes.filter(({ number }) => number !== null && number > count);
      const noted = new Set(unknown.map(({ number }) => number as number));
      const last = Math.max(count, beside, ...noted);
      doubtAll(sql, [...unknown, ...uncounted(sql, notes)]);
      if (last - count > noted.size) {
        holdAllRestored(sql, run, leftUnknown());
        requireNotice(sql, 'restored');
      }
      raiseCount(sql, last);
      isOlder = last > count;
    });
  if (notes.length > 0) {
    keepCountBeside(sql, dataDir);
    departures.forgetDeadRuns();
  }
  return isOlder;
}

/** Holds the jobs of a database that was restored from the set-aside ones: the database used meanwhile may have sent any of them. */
export function holdTakenBack(sql: Sql, run: RunLock): void {
  sql.transaction(() => {
    holdAllRestored(sql, run, leftUnknown());
    requireNotice(sql, 'restored');
  });
}

function doubtAll(sql: Sql, departed: readonly Departed[]): void {
  const failure = leftUnknown();
  for (const { jobId, at, sha256 } of departed) {
    // A job that ended in this database may have left again since then: the end of that attempt is unknown.
    const changed = sql.run(
      `UPDATE jobs SET departed_at = ?, attempt_ended_at = NULL, sha256 = coalesce(?, sha256)
       WHERE id = ? AND state NOT IN ('done', 'in-doubt')`,
      at,
      sha256,
      jobId,
    );
    if (changed !== 1) continue;
    addStep(sql, jobId, 'departed', null, at);
    doubtUnseen(sql, failure, 'id = ?', jobId);
  }
  if (departed.length > 0) requireNotice(sql, 'incomplete');
}

/**
 * Notes of older programs, which did not count, that the database does not know. Their order says little, so only jobs without an end are checked: these become
 * in doubt unless the last note of the job is the departure in the database.
 */
function uncounted(sql: Sql, notes: readonly Departed[]): Departed[] {
  const last = new Map<string, Departed>();
  for (const note of notes) if (note.number === null) last.set(note.jobId, note);
  return [...last.values()].filter(({ jobId, departureId }) => {
    const job = sql.get<{ state: string; departure: string | null }>(
      'SELECT state, departure FROM jobs WHERE id = ?',
      jobId,
    );
    if (!job) return true;
    return ['prepared', 'waiting', 'sending'].includes(job.state) && !job.departure?.includes(departureId);
  });
}

/**
 * Holds for jobs of a database that is older than the last sent request, or that was restored from the set-aside ones: any of these jobs may have been sent since. The
 * hold is separate from every other pause; the other pauses stay stored and apply again after it.
 */
const { restored, batch } = holdNumbers;

/** Holds all jobs that have not left. Jobs that ended runs were sending become in doubt. Call it in a transaction. */
function holdAllRestored(sql: Sql, run: RunLock, failure: Failure): void {
  const at = new Date().toISOString();
  const sending = sql.all<{ run_id: string }>("SELECT DISTINCT run_id FROM jobs WHERE state = 'sending'");
  for (const { run_id } of sending.filter(({ run_id }) => !run.isAlive(run_id)))
    doubtUnseen(sql, failure, "run_id = ? AND state = 'sending'", run_id);
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
