import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Sql } from './sql.ts';

/**
 * A mark beside the database says that it was closed in order and what the file looked like then. While both still agree, the check of every
 * page (a second for 100,000 documents) is left out at the next start. The mark is taken away while the database is open.
 */
const markOf = (path: string) => `${path}.closed`;

/** Size and time of a database that was closed in order; null where something is still in its log, or where there is none. */
export function stampOf(path: string): string | null {
  try {
    if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) return null;
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  } catch {
    return null;
  }
}

/** True where it is as it was when it was closed in order. */
export function hasCleanMark(path: string): boolean {
  try {
    return readFileSync(markOf(path), 'utf8') === stampOf(path);
  } catch {
    return false;
  }
}

/** Whoever opens the database next finds no mark. */
export function takeCleanMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

/** Closes the database and leaves the mark. Never throws: without a mark the next start only takes longer. */
export function closeCleanly(sql: Sql, path: string): void {
  try {
    // Another program may still be writing; then the log stays and no mark is left.
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const stamp = stampOf(path);
    if (stamp) writeFileSync(markOf(path), stamp);
  } catch {
    // See above.
  }
  sql.close();
}
