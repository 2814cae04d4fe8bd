import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { failureOf } from '../core/foundation/app-error.ts';
import type { LedgerQuestions, Log } from '../core/foundation/ports.ts';
import { answerWordTable } from './answers/answer-words.ts';
import { connectionTable } from './connections/connections.ts';
import { closeCleanly, markWhole } from './database/clean-close.ts';
import { keepProgramVersion } from './database/database-header.ts';
import { keepCountBeside } from './database/departure-count.ts';
import { ledgerNotices, movingLedger } from './database/ledger-errors.ts';
import { createListWriter } from './database/list-writer.ts';
import type { Migration } from './database/migrate.ts';
import { isSmall, mendIndexes, openDatabase } from './database/open-database.ts';
import { withReadyLedger } from './database/ready-ledger.ts';
import { holdRunLock, type RunLock } from './database/run-lock.ts';
import { forgetTakenBack, isMoving, isTakenBack } from './database/set-aside.ts';
import type { Sql } from './database/sql.ts';
import { documentTable, indexOfDocuments } from './documents/documents.ts';
import { downloadTable } from './documents/downloads.ts';
import { connectionBreakerTable } from './jobs/connection-breakers.ts';
import { type Departures, openDepartures } from './jobs/departures.ts';
import { jobTable } from './jobs/jobs.ts';
import { findOlderLedger, holdTakenBack } from './jobs/older-ledger.ts';
import { workTable } from './lasting-work/work-runs.ts';
import { indexOfPeople, peopleTable } from './people/people.ts';
import { migrations } from './schema/migrations.ts';
import { keyValueTable, viewTable } from './settings/key-values.ts';
import { bulkTable } from './signatures/bulks.ts';
import { formTable } from './signatures/forms.ts';
import { indexOfRequests } from './signatures/requests/compute-requests.ts';
import { requestTable } from './signatures/requests/requests.ts';
import { sentTable } from './signatures/sent.ts';
import { indexOfEntries } from './signatures/tracking/list-entries.ts';
import { trackedTable } from './signatures/tracking/tracked.ts';
import { trackedStatusTable } from './signatures/tracking/tracked-statuses.ts';
import { teamClaimTable } from './team/team-claims.ts';
import { teamItemTable } from './team/team-items.ts';
import { verifyFileTable } from './verify/verify-files.ts';
import { auditTable, verifyRunTable } from './verify/verify-runs.ts';

/**
 * The register of documents, the ledger of jobs, and the connections, in one SQLite file (`sealdesk.db`). Every function is synchronous and
 * short; each write is on the disk when it returns. Throws AppErrors: storage-full, storage-busy, storage-unusable.
 */
export type Store = ReturnType<typeof storeOn>;

export interface StoreOptions {
  /** Made if missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** Version of the program, stored for older programs, to which the database is too new. */
  readonly program?: string;
  /** Asks a person if the database is unusable. Without it the database is left as it is and the store is not opened. */
  readonly ask?: LedgerQuestions;
  /** For tests of migrations: other steps than the program's. */
  readonly steps?: readonly Migration[];
}

/**
 * Opens the store. `setAside`: folder, below the data folder, of a damaged database that was just set aside and replaced by a new one on a person's decision; else null.
 * Rejects with storage-unusable, storage-full, storage-busy, and with cancelled if the person chose to quit.
 */
export async function openStore(options: StoreOptions): Promise<{ store: Store; setAside: string | null }> {
  const { dataDir, log, program, ask, steps = migrations } = options;
  const path = join(dataDir, 'sealdesk.db');
  const { opened, setAsideNow } = await withReadyLedger({ dataDir, path, steps, log, program, ask }, () =>
    openReady(path, options),
  );
  return { store: opened, setAside: setAsideNow };
}

async function openReady(path: string, { dataDir, log, program, steps = migrations }: StoreOptions): Promise<Store> {
  const run = holdRunLock(dataDir, randomUUID());
  let sql: Sql | null = null;
  try {
    // Checked after this run's lock is held: an app that moves the database marks the move first and then looks for locks.
    if (isMoving(dataDir)) throw movingLedger(dataDir);
    const { isInDoubt, isCompared, ...opened } = await openDatabase(path, steps, program);
    sql = opened.sql;
    if (program) keepProgramVersion(sql, program);
    const departures = openDepartures(dataDir, run);
    const isOlder = findOlderLedger(sql, dataDir, run, departures);
    if (isTakenBack(dataDir)) {
      holdTakenBack(sql, run);
      forgetTakenBack(dataDir);
    }
    const isChecked = !isInDoubt || isCompared;
    // Other steps may have other tables.
    if (isInDoubt && isSmall(sql) && steps === migrations) fillSearch(sql);
    if (isChecked) markWhole(path);
    return storeOn(sql, { path, dataDir, log, run, departures, isOlder, isChecked });
  } catch (error) {
    sql?.close();
    run.release();
    throw error;
  }
}

const searchIndexes = {
  documents_search: indexOfDocuments,
  requests_search: indexOfRequests,
  people_search: indexOfPeople,
  tracked_search: indexOfEntries,
};

/** Fills the search indexes anew: they are without contents, so SQLite cannot compare them with their tables, and a damaged one finds less. A second for 100,000 documents. */
function fillSearch(sql: Sql): void {
  sql.transaction(() => {
    for (const [table, index] of Object.entries(searchIndexes)) {
      sql.run(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
      sql.run(index);
    }
  });
}

/** Compares the indexes in another thread, which may take longer than the opening; broken off by the end of the program, it is done after the next opening. */
async function checkIndexes(sql: Sql, path: string, log: Log): Promise<void> {
  const writer = createListWriter(sql, path, log);
  await mendIndexes(sql, writer)
    .then(() => markWhole(path))
    .finally(writer.end)
    .catch((error) => log.error('indexes were not compared with their tables', { note: failureOf(error)?.note }));
}

interface Parts {
  readonly path: string;
  readonly dataDir: string;
  readonly log: Log;
  readonly run: RunLock;
  readonly departures: Departures;
  readonly isOlder: boolean;
  /** False while indexes may not have what their tables have. */
  readonly isChecked: boolean;
}

function storeOn(sql: Sql, { path, dataDir, log, run, departures, isOlder, isChecked }: Parts) {
  // A larger cache saves a quarter of the time in which 300,000 documents are copied; of a list it only makes others wait.
  const newWriter = (cacheMb?: number) => createListWriter(sql, path, log, cacheMb);
  const people = peopleTable(sql);
  const documents = documentTable(sql, path, newWriter);
  return {
    connections: connectionTable(sql, run, log),
    settings: keyValueTable(sql),
    jobs: jobTable(sql, run, departures),
    connectionBreakers: connectionBreakerTable(sql),
    documents,
    downloads: downloadTable(sql),
    requests: requestTable(sql),
    tracked: trackedTable(sql, run, () => newWriter(16)),
    trackedStatuses: trackedStatusTable(sql),
    answerWords: answerWordTable(sql),
    forms: formTable(sql),
    people,
    bulks: bulkTable(sql, run),
    sent: sentTable(sql),
    teamClaims: teamClaimTable(sql),
    teamItems: teamItemTable(sql),
    verifyRuns: verifyRunTable(sql, run),
    verifyFiles: verifyFileTable(sql),
    audits: auditTable(sql, run),
    views: viewTable(sql),
    work: workTable(sql, run),
    /** Resolves when every index has what its table has, or that cannot be known. The store stays open until then. */
    indexesChecked: isChecked ? Promise.resolve() : checkIndexes(sql, path, log),
    /** Stored notices about the database that a person has not seen yet. */
    ledgerNotices: ledgerNotices(sql),
    run,
    /** True if at its opening the database did not know all requests that had left. */
    isOlder,
    /** Runs several writes as one transaction: all of them or none is on the disk. Must not await. */
    together: <T>(work: () => T): T => sql.transaction(work),
    /** As `together`, with one wait for the disk for all that is written so within a millisecond; each is on the disk when its own promise resolves. */
    grouped: <T>(work: () => T): Promise<T> => sql.grouped(work),
    /** Sets how long a write blocks for another program before it throws storage-busy, in milliseconds. */
    waitForOthers: (ms: number): void => sql.waitForOthers(ms),
    close: (): void => {
      const isCounted = lastWrite(log, 'the count of departures', () => keepCountBeside(sql, dataDir));
      lastWrite(log, 'what was removed from the address book', people.mergeSearch);
      run.release();
      closeCleanly(sql, path);
      // Without the count the notes are kept, as only they could show that the database is older.
      if (isCounted) departures.close();
    },
  };
}

/** False if it cannot be written. */
function lastWrite(log: Log, what: string, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    log.error(`not written at the end: ${what}`, { note: failureOf(error)?.note });
    return false;
  }
}
