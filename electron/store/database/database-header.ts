import { closeSync, openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openSql, type Sql } from './sql.ts';

const magic = 'SQLite format 3\0';
/** Offset of `user_version` in the first page (the file format of SQLite, 1.3). */
const versionAt = 60;
/**
 * False on POSIX systems: these release all locks of a process on a file, also SQLite's, as soon as the process closes any descriptor of it. A connection may be
 * open, and without its lock another program would consider itself the last user and remove the write-ahead log that is in use. So there the descriptor of the database stays open until the process ends.
 */
const hasLocksByHandle = process.platform === 'win32';
const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** The header of a database file, read without SQLite, which would create files beside it. */
export type Header =
  | { readonly kind: 'absent' | 'empty' | 'other' }
  | { readonly kind: 'database'; readonly version: number };

/**
 * Reads a database's header. `version`: `user_version` as SQLite would report it, with the write-ahead log. Throws as node:fs, but not for a missing file. `closes`: no
 * connection can be open, so the descriptor need not stay.
 */
export function readHeader(path: string, closes = hasLocksByHandle): Header {
  return reading<Header>(path, { kind: 'absent' }, closes, (file) => {
    const bytes = part(file, 0, 100);
    if (bytes.length === 0) return { kind: 'empty' };
    if (bytes.length < 100 || bytes.toString('latin1', 0, 16) !== magic) return { kind: 'other' };
    const inLog = reading(`${path}-wal`, null, true, versionInLog);
    return { kind: 'database', version: inLog ?? bytes.readUInt32BE(versionAt) };
  });
}

/** The version in the last committed copy of the first page in the log; null if there is none. */
function versionInLog(log: number): number | null {
  const header = part(log, 0, logHeaderBytes);
  if (header.length < logHeaderBytes) return null;
  const pageBytes = header.readUInt32BE(8) || 65_536;
  const salt = header.toString('latin1', 16, 24);
  const neededBytes = frameHeaderBytes + versionAt + 4;
  let [committed, pending]: (number | null)[] = [null, null];
  for (let at = logHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
    const frame = part(log, at, neededBytes);
    // Frames of an earlier use of the log have another salt.
    if (frame.length < neededBytes || frame.toString('latin1', 8, 16) !== salt) return committed ?? null;
    if (frame.readUInt32BE(0) === 1) pending = frame.readUInt32BE(frameHeaderBytes + versionAt);
    if (frame.readUInt32BE(4) !== 0) committed = pending;
  }
}

function reading<T>(path: string, absent: T, closes: boolean, read: (file: number) => T): T {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
  try {
    return read(file);
  } finally {
    if (closes) closeSync(file);
  }
}

function part(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/** Row of the table `settings`: the highest version of the program that ever opened the database. */
const key = 'program.version';

/** Stores the version if this program is newer than all before. */
export function keepProgramVersion(sql: Sql, version: string): void {
  const known = sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value;
  if (known !== undefined && !isNewer(version, known)) return;
  sql.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    version,
  );
}

/**
 * The version in a database that is too new for this `program`; null if there is none that is newer. The file is opened as immutable, so that nothing beside it is created or
 * changed: values that are only in the write-ahead log are not seen.
 */
export function writtenBy(path: string, program = ''): string | null {
  let sql: Sql | null = null;
  try {
    sql = openSql(`${pathToFileURL(path).href}?immutable=1`);
    const row = sql.get<{ value: Uint8Array }>(
      `SELECT CAST(value AS BLOB) AS value FROM settings WHERE key = '${key}'`,
    );
    const text = Buffer.from(row?.value ?? new Uint8Array()).toString();
    return /^\d{1,6}\.\d{1,6}\.\d{1,6}[\w.+-]{0,30}$/.test(text) && isNewer(text, program) ? text : null;
  } catch {
    return null;
  } finally {
    sql?.close();
  }
}

function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
