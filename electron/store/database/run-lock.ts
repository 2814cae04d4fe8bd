import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toStorageError } from '../../core/files/fs-errors.ts';
import type { ProgramRuns } from '../../core/files/program-runs.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { openSql, type Sql, sqliteCode, storageFailing } from './sql.ts';

/**
 * Tells running programs apart, so that a command line beside an open window never touches the window's jobs. A run holds a lock
 * on a file of its own until it ends; the system takes the lock away even after a kill, so a lock that can be had is proof that its run is over.
 */
export interface RunLock extends ProgramRuns {
  /** True where no other program works on this folder at this moment. */
  isAlone(): boolean;
  release(): void;
}

/** Throws storage-full and storage-unusable where the lock cannot be had for another reason than a program that starts at the same moment. */
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

/** True where any program works on this folder now. */
export function isFolderInUse(dataDir: string): boolean {
  const folder = join(dataDir, 'runs');
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => name.endsWith('.lock') && lockedElsewhere(folder, name));
}

/** Each one means that another program starts at the same moment. */
const maxTries = 200;

/** Another program that starts at this moment may take the new file for a dead one, lock and remove it: then once more. */
function lockOwn(path: string): Sql {
  for (let tries = 0; tries < maxTries; tries++) {
    const lock = tryLock(path);
    if (lock !== 'busy' && existsSync(path)) return lock;
    if (lock !== 'busy') lock.close();
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  throw appError('storage-unusable', 'the lock of this run is taken away again and again');
}

/** `busy`: another connection holds it. Throws storage-full, storage-unusable for everything else (no room, read-only, too many open files). */
function tryLock(path: string): Sql | 'busy' {
  let sql: Sql | null = null;
  try {
    sql = openSql(path);
    sql.waitForOthers(0);
    sql.exec('BEGIN EXCLUSIVE');
    return sql;
  } catch (error) {
    sql?.close();
    if (/^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')) return 'busy';
    throw storageFailing(error);
  }
}

/** Where it cannot be told, somebody holds it: what belongs to a program that runs must not be touched. */
function lockedElsewhere(folder: string, name: string): boolean {
  if (!readdirSync(folder).includes(name)) return false;
  const lock = lockedOrNull(join(folder, name));
  lock?.close();
  return lock === null;
}

function lockedOrNull(path: string): Sql | null {
  try {
    const lock = tryLock(path);
    return lock === 'busy' ? null : lock;
  } catch {
    return null;
  }
}

function removeDead(folder: string, ownId: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.lock') || name === `${ownId}.lock`) continue;
    const lock = lockedOrNull(join(folder, name));
    if (!lock) continue;
    // Removed while it is locked, so that nobody can take hold of a file that is about to go.
    removeFiles(join(folder, name));
    lock.close();
  }
}

/** Windows keeps a file that is still open: it goes at the next start. */
function removeFiles(path: string): void {
  for (const name of [path, `${path}-journal`]) {
    try {
      rmSync(name, { force: true });
    } catch {
      // See above.
    }
  }
}
