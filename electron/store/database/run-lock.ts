import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProgramRuns } from '../../core/files/own-files.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { toStorageError } from '../../core/foundation/fs-errors.ts';
import { openSql, type Sql, sqliteCode, storageFailing } from './sql.ts';

/**
 * Distinguishes running programs, so that a command line beside an open window never touches the window's jobs. A run holds a lock
 * on a file of its own until it ends; the system releases the lock even after a kill, so a lock that can be acquired proves that its run has ended.
 */
export interface RunLock extends ProgramRuns {
  /** True if no other program works on this folder at this moment. */
  isAlone(): boolean;
  release(): void;
}

/** Acquires the lock of a run. Throws storage-full and storage-unusable, but not because of a program that starts at the same moment: then it tries again. */
export function holdRunLock(dataDir: string, runId: string): RunLock {
  const folder = join(dataDir, 'runs');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toStorageError(error, 'the folder of the locks cannot be made');
  }
  const pathOf = (id: string) => join(folder, `${id}.lock`);
  const own = lockOwn(pathOf(runId));
  removeDead(folder, runId);
  return {
    runId,
    isAlive: (id) => id === runId || lockedElsewhere(folder, `${id}.lock`),
    isAlone: () =>
      !readdirSync(folder).some(
        (name) => name.endsWith('.lock') && name !== `${runId}.lock` && lockedElsewhere(folder, name),
      ),
    release: () => {
      own.close();
      removeFiles(pathOf(runId));
    },
  };
}

/** True if any program works on this folder now. */
export function isFolderInUse(dataDir: string): boolean {
  const folder = join(dataDir, 'runs');
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => name.endsWith('.lock') && lockedElsewhere(folder, name));
}

/** Each further try means that another program starts at the same moment. */
const maxTries = 200;

/** Another program that starts at this moment may take the new file for that of an ended run, lock and remove it: then the lock is tried again. */
function lockOwn(path: string): Sql {
  for (let tries = 0; tries < maxTries; tries++) {
    makePrivate(path);
    const lock = tryLock(path);
    if (lock !== 'busy' && existsSync(path)) return lock;
    if (lock !== 'busy') lock.close();
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  throw appError('storage-unusable', 'the lock of this run is taken away again and again');
}

/** SQLite lets everybody read a file that it makes, and gives the journal beside a file the same mode. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw toStorageError(error, 'the lock of this run cannot be made');
  }
}

/** SQLite's error if another starting program removed the file between its creation and its locking: SQLite reads the file's permissions for the journal beside it. */
const removedMeanwhile = 'SQLITE_IOERR_FSTAT';

/** `busy`: another connection holds the lock. Throws storage-full, storage-unusable for all other errors (disk full, read-only, too many open files). */
function tryLock(path: string): Sql | 'busy' {
  let sql: Sql | null = null;
  try {
    sql = openSql(path);
    sql.waitForOthers(0);
    sql.exec('BEGIN EXCLUSIVE');
    return sql;
  } catch (error) {
    sql?.close();
    const code = sqliteCode(error) ?? '';
    if (/^SQLITE_(BUSY|LOCKED)/.test(code) || code === removedMeanwhile) return 'busy';
    throw storageFailing(error);
  }
}

/** True if another program holds the lock, or if that is unknown: files of a running program must not be touched. */
function lockedElsewhere(folder: string, name: string): boolean {
  const lock = lockedOrNull(join(folder, name));
  lock?.close();
  return lock === null && readdirSync(folder).includes(name);
}

/**
 * Acquires another run's lock; null if it is held, or its file was removed or made again meanwhile: a lock on the removed file says nothing about who holds the new one.
 * Never creates the file: an owner whose file was removed would take the new one for its own while it holds the removed one, and all other programs would consider that
 * run as ended.
 */
function lockedOrNull(path: string): Sql | null {
  try {
    const seen = fileAt(path);
    const lock = tryLock(existingFile(path));
    if (lock === 'busy') return null;
    if (fileAt(path) === seen) return lock;
    lock.close();
    return null;
  } catch {
    return null;
  }
}

/** Which file is at this path now. While it is open, no other one gets its number. */
const fileAt = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/** SQLite's name of a file that is opened but never created. It takes no server in a URI: that of a network folder of Windows becomes part of the path. */
function existingFile(path: string): string {
  const { host, pathname } = pathToFileURL(path);
  return `file://${host === '' ? '' : `//${host}`}${pathname}?mode=rw`;
}

function removeDead(folder: string, ownId: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.lock') || name === `${ownId}.lock`) continue;
    const lock = lockedOrNull(join(folder, name));
    if (!lock) continue;
    // Removed while it is locked, so that no program can lock a file that is about to be removed.
    removeFiles(join(folder, name));
    lock.close();
  }
}

/** Removes a lock's files. Windows keeps a file that is still open: it is removed at the next start. */
function removeFiles(path: string): void {
  for (const name of [path, `${path}-journal`]) {
    try {
      rmSync(name, { force: true });
    } catch {
      // Left to the next start.
    }
  }
}
