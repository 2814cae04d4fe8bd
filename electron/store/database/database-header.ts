import { closeSync, openSync, readSync } from 'node:fs';

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
