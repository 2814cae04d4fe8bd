import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toStorageError } from '../../core/files/fs-errors.ts';
import type { Sql } from '../database/sql.ts';
import { syncFolder } from '../database/sync-folder.ts';

/**
 * How many requests have ever left, kept in the database and in a file beside it. The number of a departure is written in the same transaction as the
 * departure itself; the file follows later and is never ahead. So a file that is ahead proves that the database is a copy of an earlier day.
 */
export const countFile = 'departures.count';

const key = 'departures.count';

/** Of the database. */
export function countIn(sql: Sql): number {
  return numberIn(sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value);
}

/** Of the file beside it; 0 where there is none. Throws storage-unusable where it cannot be read. */
export function countBeside(dataDir: string): number {
  try {
    return numberIn(readFileSync(join(dataDir, countFile), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw toStorageError(error, 'the count of departures cannot be read');
  }
}

/** Never lowers it. Belongs into a transaction. */
export function raiseCount(sql: Sql, to: number): void {
  if (to <= countIn(sql)) return;
  sql.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    String(to),
  );
}

/** The number of the next departure. Belongs into its transaction. */
export function nextNumber(sql: Sql): number {
  const next = countIn(sql) + 1;
  raiseCount(sql, next);
  return next;
}

/**
 * Brings the file up to the database, on the disk when it returns. Under the database's write lock, so that of two programs the later one sees what the
 * other wrote. Throws storage-full, storage-unusable, storage-busy.
 */
export function keepCountBeside(sql: Sql, dataDir: string): void {
  if (countIn(sql) <= countBeside(dataDir)) return;
  sql.transaction(() => {
    const count = countIn(sql);
    if (count > countBeside(dataDir)) writeCount(dataDir, count);
  });
}

function writeCount(dataDir: string, count: number): void {
  const path = join(dataDir, countFile);
  try {
    const file = openSync(`${path}.new`, 'w', 0o600);
    try {
      writeSync(file, `${count}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
    syncFolder(dataDir);
  } catch (error) {
    throw toStorageError(error, 'the count of departures cannot be written');
  }
}

function numberIn(text: string | undefined): number {
  const found = /^(\d{1,15})\s*$/.exec(text ?? '');
  return found ? Number(found[1]) : 0;
}
