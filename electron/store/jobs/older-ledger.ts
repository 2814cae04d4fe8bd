import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { countBeside, countIn, keepCountBeside, raiseCount } from '../database/departure-count.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import type { Departed, Departures } from './departures.ts';
import { holdAllRestored } from './job-restored.ts';
import { addStep } from './job-steps.ts';

/** The failure of a job whose departure the database does not know. */
export function leftUnknown(): Failure {
  return appError('outcome-unknown', 'the request had begun to leave, and the database came back older than that')
    .failure;
}

/** Notices that are stored until a person has seen them: rows of the table `settings`. */
const notices = { incomplete: 'ledger.incomplete', restored: 'ledger.restored' } as const;
export type LedgerNotice = keyof typeof notices;

/** Stored notices about the state of the database, whichever program found it. */
export interface LedgerNotices {
  /** True if the notice was not shown yet. */
  isPending(what: LedgerNotice): boolean;
  /** Removes a notice that was shown. */
  shown(what: LedgerNotice): void;
}

export function ledgerNotices(sql: Sql): LedgerNotices {
  return {
    isPending: (what) => sql.get('SELECT 1 FROM settings WHERE key = ?', notices[what]) !== undefined,
    shown: (what) => void sql.run('DELETE FROM settings WHERE key = ?', notices[what]),
  };
}

/** Stores a notice until `shown`. Call it in a transaction. */
export function requireNotice(sql: Sql, what: LedgerNotice): void {
  sql.run("INSERT INTO settings (key, value) VALUES (?, 'yes') ON CONFLICT (key) DO NOTHING", notices[what]);
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
      `UPDATE jobs SET state = 'in-doubt', held = 0, departed_at = ?, attempt_ended_at = NULL, failure = ?, updated_at = ?, sha256 = coalesce(?, sha256)
       WHERE id = ? AND state NOT IN ('done', 'in-doubt')`,
      at,
      JSON.stringify(failure),
      new Date().toISOString(),
      sha256,
      jobId,
    );
    if (changed === 1) addStep(sql, jobId, 'in-doubt', failure);
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
