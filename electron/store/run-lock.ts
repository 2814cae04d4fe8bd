import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSql, type Sql } from './sql.ts';

/**
 * Tells running programs apart, so that a command line beside an open window never touches the window's jobs. A run holds a lock
 * on a file of its own until it ends; the system takes the lock away even after a kill, so a lock that can be had is proof that its run is over.
 */
export interface RunLock {
  readonly runId: string;
  /** True where that program still runs (or is this one). */
  isAlive(runId: string): boolean;
  /** True where no other program works on this folder at this moment. */
  isAlone(): boolean;
  release(): void;
}

export function holdRunLock(dataDir: string, runId: string): RunLock {
  const folder = join(dataDir, 'runs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** Another program that starts at this moment may take the new file for a dead one and remove it: then once more. */
function lockOwn(path: string): Sql {
  for (;;) {
    const lock = tryLock(path);
    if (lock && existsSync(path)) return lock;
    lock?.close();
  }
}

function tryLock(path: string): Sql | null {
  const sql = openSql(path);
  try {
    sql.exec('PRAGMA busy_timeout = 0');
    sql.exec('BEGIN EXCLUSIVE');
    return sql;
  } catch {
    sql.close();
    return null;
  }
}

function lockedElsewhere(folder: string, name: string): boolean {
  if (!readdirSync(folder).includes(name)) return false;
  const lock = tryLock(join(folder, name));
  lock?.close();
  return lock === null;
}

function removeDead(folder: string, ownId: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.lock') || name === `${ownId}.lock`) continue;
    const lock = tryLock(join(folder, name));
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
