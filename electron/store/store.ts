import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../core/ports.ts';
import { closeCleanly } from './clean-close.ts';
import { type ConnectionTable, connectionTable } from './connections.ts';
import { type DocumentTable, documentTable } from './documents.ts';
import { type JobTable, jobTable } from './jobs.ts';
import { type ListTable, listTable } from './lists.ts';
import { type Migration, migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { holdRunLock, type RunLock } from './run-lock.ts';
import { type SettingTable, settingTable } from './settings.ts';

/**
 * The register, the ledger of what was sent, and the connections, in one SQLite file (`sealdesk.db`). Every function is synchronous and
 * short; each write is on the disk when it returns. Throws Failings: storage-full, storage-unusable.
 */
export interface Store {
  readonly connections: ConnectionTable;
  readonly settings: SettingTable;
  readonly jobs: JobTable;
  readonly documents: DocumentTable;
  readonly lists: ListTable;
  readonly run: RunLock;
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
  const store: Store = {
    connections: connectionTable(sql),
    settings: settingTable(sql),
    jobs: jobTable(sql, run),
    documents: documentTable(sql),
    lists: listTable(sql, run),
    run,
    close: () => {
      run.release();
      closeCleanly(sql, path);
    },
  };
  return { store, setAside };
}
