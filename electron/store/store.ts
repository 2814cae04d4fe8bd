import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../core/ports.ts';
import { type AnswerWordTable, answerWordTable } from './answer-words.ts';
import { type BulkTable, bulkTable } from './bulks.ts';
import { closeCleanly } from './clean-close.ts';
import { type BrakeTable, brakeTable } from './connection-brakes.ts';
import { type ConnectionTable, connectionTable } from './connections.ts';
import { openDepartures } from './departures.ts';
import { type DocumentTable, documentTable } from './documents.ts';
import { type DraftTable, draftTable } from './drafts.ts';
import { type JobTable, jobTable } from './jobs.ts';
import { createListWriter } from './list-writer.ts';
import { type Migration, migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { type PeopleTable, peopleTable } from './people.ts';
import { holdRunLock, type RunLock } from './run-lock.ts';
import { type SentTable, sentTable } from './sent.ts';
import { type SettingTable, settingTable } from './settings.ts';
import { type TemplateTable, templateTable } from './templates.ts';
import { type TrackedTable, trackedTable } from './tracked.ts';
import { type TrackedStatusTable, trackedStatusTable } from './tracked-statuses.ts';
import { type TrackingViewTable, trackingViewTable } from './tracking-views.ts';
import { type AuditTable, auditTable } from './verify-audits.ts';
import { type VerifyFileTable, verifyFileTable } from './verify-files.ts';
import { type VerifyRunTable, verifyRunTable } from './verify-runs.ts';
import { type ViewTable, viewTable } from './views.ts';

/**
 * The register, the ledger of what was sent, and the connections, in one SQLite file (`sealdesk.db`). Every function is synchronous and
 * short; each write is on the disk when it returns. Throws Failings: storage-full, storage-unusable.
 */
export interface Store {
  readonly connections: ConnectionTable;
  readonly settings: SettingTable;
  readonly jobs: JobTable;
  readonly brakes: BrakeTable;
  readonly documents: DocumentTable;
  readonly tracked: TrackedTable;
  readonly trackedStatuses: TrackedStatusTable;
  readonly trackingViews: TrackingViewTable;
  readonly answerWords: AnswerWordTable;
  readonly drafts: DraftTable;
  readonly templates: TemplateTable;
  readonly people: PeopleTable;
  readonly bulks: BulkTable;
  readonly sent: SentTable;
  readonly verifyRuns: VerifyRunTable;
  readonly verifyFiles: VerifyFileTable;
  readonly audits: AuditTable;
  readonly views: ViewTable;
  readonly run: RunLock;
  /** Several writes as one: all of them or none is on the disk. Must not be nested and must not await. */
  together<T>(work: () => T): T;
  close(): void;
}

export interface StoreOptions {
  /** Made if missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** For tests of migrations: other steps than the program's. */
  readonly steps?: readonly Migration[];
}

/** `setAside`: file name of a damaged or newer database that was renamed and replaced by a new one, else null. */
export async function openStore(options: StoreOptions): Promise<{ store: Store; setAside: string | null }> {
  const { dataDir, log, steps = migrations } = options;
  const path = join(dataDir, 'sealdesk.db');
  const { sql, setAside } = await openDatabase(path, steps, log);
  const run = holdRunLock(dataDir, randomUUID());
  const departures = openDepartures(dataDir, run);
  const store: Store = {
    connections: connectionTable(sql),
    settings: settingTable(sql),
    jobs: jobTable(sql, run, departures),
    brakes: brakeTable(sql),
    documents: documentTable(sql),
    tracked: trackedTable(sql, run, () => createListWriter(sql, path, log)),
    trackedStatuses: trackedStatusTable(sql),
    trackingViews: trackingViewTable(sql),
    answerWords: answerWordTable(sql),
    drafts: draftTable(sql),
    templates: templateTable(sql),
    people: peopleTable(sql),
    bulks: bulkTable(sql, run),
    sent: sentTable(sql),
    verifyRuns: verifyRunTable(sql, run),
    verifyFiles: verifyFileTable(sql),
    audits: auditTable(sql),
    views: viewTable(sql),
    run,
    together: (work) => sql.transaction(work),
    close: () => {
      run.release();
      closeCleanly(sql, path);
      departures.close();
    },
  };
  return { store, setAside };
}
