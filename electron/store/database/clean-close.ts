import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Sql } from './sql.ts';

/**
 * A mark beside the database tells that it was closed in order, and the size and time of the file then. While both still agree, the check of every
 * page (seconds for a million documents) is skipped at the next start. There is no mark while the database is open.
 */
const markOf = (path: string) => `${path}.closed`;
/** Another one tells in which session of the system, and as which file, it was opened last and is known to be whole. */
const openMarkOf = (path: string) => `${path}.opened`;

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

/** How long after the last commit its checkpoint may write the database. */
const checkpointMs = 1_000;

/**
 * True if the database is unchanged since it was closed in order, or since its program was killed: what a program has written, a kill does not take from the system, as the end of
 * its session does (a power cut). The log is what such a program wrote last, and its last user removes it: with a database that was changed later, or that is another file, neither is known.
 */
export function isKnownWhole(path: string): boolean {
  try {
    if (existsSync(markOf(path)) && readFileSync(markOf(path), 'utf8') === stampOf(path)) return true;
    const isOpened = readFileSync(openMarkOf(path), 'utf8') === openMark(path);
    return isOpened && statSync(path).ctimeMs <= statSync(`${path}-wal`).ctimeMs + checkpointMs;
  } catch {
    return false;
  }
}

/** Removes the marks: until `markWhole` the next start is in doubt as well, however this one ends. */
export function markOpen(path: string): void {
  for (const mark of [markOf(path), openMarkOf(path)]) rmSync(mark, { force: true });
}

/** Leaves the mark of the session. Without it the next start only takes longer. */
export function markWhole(path: string): void {
  try {
    writeFileSync(openMarkOf(path), openMark(path), { mode: 0o600 });
  } catch {
    // As for `closeCleanly`.
  }
}

function openMark(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${session()} ${dev} ${ino}`;
}

/** The session of the system. Where it has no name, the minute in which it began: at worst every page is checked. */
function session(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}

/** Closes the database and leaves the mark. Never throws: without a mark the next start only takes longer. */
export function closeCleanly(sql: Sql, path: string): void {
  try {
    // If another program is still writing, the log stays and no mark is written.
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const stamp = stampOf(path);
    if (stamp && existsSync(openMarkOf(path))) writeFileSync(markOf(path), stamp, { mode: 0o600 });
  } catch {
    // No mark: the next start checks every page.
  }
  sql.close();
}
