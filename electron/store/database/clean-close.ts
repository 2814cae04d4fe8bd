import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Sql } from './sql.ts';

/**
 * A mark beside the database tells that it was closed in order, and the size and time of the file then. While both still agree, the check of every
 * page (a second for 100,000 documents) is skipped at the next start. There is no mark while the database is open.
 */
const markOf = (path: string) => `${path}.closed`;

/** Size and time of a database; null if its write-ahead log is not empty, or there is no database. */
export function stampOf(path: string): string | null {
  try {
    if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) return null;
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  } catch {
    return null;
  }
}

/** True if the database is unchanged since it was closed in order. */
export function hasCleanMark(path: string): boolean {
  try {
    return readFileSync(markOf(path), 'utf8') === stampOf(path);
  } catch {
    return false;
  }
}

/** Removes the mark. */
export function takeCleanMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

/** Closes the database and leaves the mark. Never throws: without a mark the next start only takes longer. */
export function closeCleanly(sql: Sql, path: string): void {
  try {
    // If another program is still writing, the log stays and no mark is written.
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const stamp = stampOf(path);
    if (stamp) writeFileSync(markOf(path), stamp, { mode: 0o600 });
  } catch {
    // No mark: the next start checks every page.
  }
  sql.close();
}
