import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync, syncFolderSync } from '../../core/files/atomic-write.ts';
import { toStorageError } from '../../core/foundation/fs-errors.ts';
import type { Sql } from './sql.ts';

/**
 * Number of requests that have ever left, stored in the database and in a file beside it. The number of a departure is written in the same transaction as the
 * departure itself; the file is updated later and is never ahead. So a file that is ahead proves that the database is an older copy.
 */
export const countFile = 'departures.count';

/** How the names of the notes about departures end, in the folder `runs` (store/jobs/departures.ts). */
export const noteEnding = '.departed';
export const isDepartureNote = (name: string) => name.endsWith(noteEnding);

const key = 'departures.count';

/** The count in the database. */
export function countIn(sql: Sql): number {
  return numberIn(sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value);
}

/** The count in the file; 0 if there is no file. Throws storage-unusable if it cannot be read. */
export function countBeside(dataDir: string): number {
  try {
    return numberIn(readFileSync(join(dataDir, countFile), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw toStorageError(error, 'the count of departures cannot be read');
  }
}

/** Raises the count in the database to `to`; never lowers it. Call it in a transaction. */
export function raiseCount(sql: Sql, to: number): void {
  if (to <= countIn(sql)) return;
  sql.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    String(to),
  );
}

/** Takes the number of the next departure. Call it in the transaction that writes the departure. */
export function nextNumber(sql: Sql): number {
  const next = countIn(sql) + 1;
  raiseCount(sql, next);
  return next;
}

/**
 * Raises the count in the file to that of the database; it is on the disk when this returns. Holds the database's write lock, so that the later of two programs sees
 * the other's count. Throws storage-full, storage-unusable, storage-busy.
 */
export function keepCountBeside(sql: Sql, dataDir: string): void {
  if (countIn(sql) <= countBeside(dataDir)) return;
  sql.transaction(() => {
    const count = countIn(sql);
    if (count > countBeside(dataDir)) writeCount(dataDir, count);
  });
}

function writeCount(dataDir: string, count: number): void {
  try {
    replaceFileSync(join(dataDir, countFile), `${count}\n`);
    syncFolderSync(dataDir);
  } catch (error) {
    throw toStorageError(error, 'the count of departures cannot be written');
  }
}

function numberIn(text: string | undefined): number {
  const found = /^(\d{1,15})\s*$/.exec(text ?? '');
  return found ? Number(found[1]) : 0;
}
