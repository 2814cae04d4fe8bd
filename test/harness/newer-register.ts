import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';

const log = { info: () => undefined, error: () => undefined };

/** Makes of the register in `dataDir` what a newer program leaves, whole in its file. */
export async function makeNewer(dataDir: string): Promise<void> {
  const { store } = await openStore({ dataDir, log, program: '9.8.7' });
  store.close();
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.exec('PRAGMA user_version = 99');
  // The store's reader closes in its thread, and may be the one that would put the rest into the database.
  sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
  sql.close();
}

/** Names and contents of all files of a data folder but for the command line's log, which tells of the refusal, and what SQLite keeps beside an open database. */
export function filesOf(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.log$|-shm$|-wal$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
}
