import type { Failure } from '../../../contract/failure.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { countBeside, countIn, keepCountBeside, raiseCount } from './departure-count.ts';
import type { Departed, Departures } from './departures.ts';
import { holdAllRestored } from './job-restored.ts';
import { addStep } from './job-steps.ts';

/** What a job says that had left although the database knows nothing of it. */
export function leftUnknown(): Failure {
  return appError('outcome-unknown', 'the request had begun to leave, and the database came back older than that')
    .failure;
}

/** What is to be told to a person until it has been: rows of the table `settings`. */
const tellings = { incomplete: 'ledger.incomplete', restored: 'ledger.restored' } as const;
export type Telling = keyof typeof tellings;

/** What happened to the ledger that a person must hear of, whichever program found it out. */
export interface LedgerTellings {
  isUntold(what: Telling): boolean;
  told(what: Telling): void;
}

export function ledgerTellings(sql: Sql): LedgerTellings {
  return {
    isUntold: (what) => sql.get('SELECT 1 FROM settings WHERE key = ?', tellings[what]) !== undefined,
    told: (what) => void sql.run('DELETE FROM settings WHERE key = ?', tellings[what]),
  };
}

/** Belongs into a transaction. */
export function mustTell(sql: Sql, what: Telling): void {
  sql.run("INSERT INTO settings (key, value) VALUES (?, 'yes') ON CONFLICT (key) DO NOTHING", tellings[what]);
}

/**
 * Compares the ledger with what is noted beside it. Requests that it does not know are in doubt, where a note says of which job they were. Where some are
 * known by their number alone, any job may be the one: then everything that has not left is held until a person decides (`restored`), and what
 * was being sent is in doubt. One transaction, together with the new count: a program that is killed meanwhile does it again. True where requests had left of
 * which the ledger did not know.
 */
export function findOlderLedger(sql: Sql, dataDir: string, run: RunLock, departures: Departures): boolean {
  // Before the count of the database: another program may raise both meanwhile, this one first.
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
        mustTell(sql, 'restored');
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

/** A ledger that was taken back: everything that waits in it may have been sent by the one that was used meanwhile. */
export function holdTakenBack(sql: Sql, run: RunLock): void {
  sql.transaction(() => {
    holdAllRestored(sql, run, leftUnknown());
    mustTell(sql, 'restored');
  });
}

function doubtAll(sql: Sql, departed: readonly Departed[]): void {
  const failure = leftUnknown();
  for (const { jobId, at, sha256 } of departed) {
    // A job that has an end in this ledger and left once more since then: it is not known how that ended.
    const changed = sql.run(
      `UPDATE jobs SET state = 'in-doubt', held = 0, departed_at = ?, failure = ?, updated_at = ?, sha256 = coalesce(?, sha256)
       WHERE id = ? AND state NOT IN ('done', 'in-doubt')`,
      at,
      JSON.stringify(failure),
      new Date().toISOString(),
      sha256,
      jobId,
    );
    if (changed === 1) addStep(sql, jobId, 'in-doubt', failure);
  }
  if (departed.length > 0) mustTell(sql, 'incomplete');
}

/**
 * Notes of programs that did not count, of which the ledger does not know. Their order says little, so only jobs without an end are looked at: these are
 * in doubt unless the last note of a job is the departure that the ledger has.
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
