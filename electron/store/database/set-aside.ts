import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolderSync } from '../../core/files/atomic-write.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { toStorageError } from '../../core/foundation/fs-errors.ts';
import { countFile, isDepartureNote } from './departure-count.ts';
import { isFolderInUse } from './run-lock.ts';

/**
 * Sets databases aside and takes them back. A database, the notes beside it and the copies of documents belong together: they are moved as one into a folder below
 * `set-aside`, and back. The name of that folder tells the progress of a move, so that an interrupted move is finished before anything else is done:
 *
 *   STAMP.moving     being moved there         → STAMP
 *   STAMP.wanted     to be taken back; the database in use is set aside first
 *   STAMP.returning  being moved back          → gone, and the file `taken-back` in the data folder
 */
const folderName = 'set-aside';
/** File beside the moved ones: the reason, and size and time of the database when it was found damaged. */
const aboutFile = 'about.json';
/** Mark in the data folder until the jobs of a database that was taken back are held. */
const takenBackFile = 'taken-back';
const database = 'sealdesk.db';

export interface SetAside {
  /** Name of its folder without the path: the time at which it was set aside, UTC. */
  readonly name: string;
  /** `replaced`: sound, but another one was taken back in its place. */
  readonly reason: 'damaged' | 'replaced';
  /** Path of its database. */
  readonly database: string;
  /** False while its database is unchanged since it was found damaged. */
  readonly isChanged: boolean;
}

/** Databases that were completely set aside, oldest first. */
export function listSetAside(dataDir: string): readonly SetAside[] {
  return foldersOf(dataDir)
    .filter((name) => /^[\dTZ-]+$/.test(name))
    .sort()
    .map((name) => {
      const folder = join(dataDir, folderName, name);
      const { reason, stamp } = aboutOf(folder);
      const path = join(folder, database);
      return { name, reason, database: path, isChanged: existsSync(path) && stampOf(path) !== stamp };
    });
}

/** True if a move was interrupted: nothing else may be done in the data folder before `finishMoves`. */
export function isMoving(dataDir: string): boolean {
  return foldersOf(dataDir).some((name) => /\.(moving|wanted|returning)$/.test(name));
}

/** Sets the database aside with all files that belong to it. Answers the folder's path below the data folder. Throws storage-full, storage-unusable. */
export function setAside(dataDir: string, reason: SetAside['reason']): string {
  return guarded(() => {
    const name = freeName(dataDir);
    const folder = join(dataDir, folderName, `${name}.moving`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, aboutFile), JSON.stringify({ reason }), { mode: 0o600, flush: true });
    syncFolderSync(folder);
    syncFolderSync(dirname(folder));
    syncFolderSync(dataDir);
    // A program that starts from now on sees the folder; one that started before is seen here.
    if (isFolderInUse(dataDir)) {
      rmSync(folder, { recursive: true });
      throw appError('storage-unusable', `another program works with the register in ${dataDir}: end it first`);
    }
    finishMoves(dataDir);
    return join(folderName, name);
  });
}

/** Puts a database back that was set aside; the one in use is set aside instead. Throws as `setAside`. */
export function takeBack(dataDir: string, name: string): void {
  guarded(() => {
    renamed(dataDir, name, `${name}.wanted`);
    if (isFolderInUse(dataDir)) {
      renamed(dataDir, `${name}.wanted`, name);
      throw appError('storage-unusable', `another program works with the register in ${dataDir}: end it first`);
    }
    finishMoves(dataDir);
  });
}

/** Finishes an interrupted move, if there is one. Throws storage-full, storage-unusable: then call it again. */
export function finishMoves(dataDir: string): void {
  guarded(() => {
    for (const name of namesEnding(dataDir, '.moving')) {
      const folder = join(dataDir, folderName, `${name}.moving`);
      for (const piece of piecesIn(dataDir)) move(dataDir, folder, piece);
      const about = { ...aboutOf(folder), stamp: stampOf(join(folder, database)) };
      writeFileSync(join(folder, aboutFile), JSON.stringify(about), { mode: 0o600, flush: true });
      renamed(dataDir, `${name}.moving`, name);
    }
    for (const name of namesEnding(dataDir, '.wanted')) {
      if (piecesIn(dataDir).length > 0) setAside(dataDir, 'replaced');
      // `setAside` also finishes this move.
      if (existsSync(join(dataDir, folderName, `${name}.wanted`)))
        renamed(dataDir, `${name}.wanted`, `${name}.returning`);
    }
    for (const name of namesEnding(dataDir, '.returning')) {
      const folder = join(dataDir, folderName, `${name}.returning`);
      writeFileSync(join(dataDir, takenBackFile), name, { mode: 0o600, flush: true });
      syncFolderSync(dataDir);
      for (const piece of piecesIn(folder)) move(folder, dataDir, piece);
      rmSync(folder, { recursive: true, force: true });
      syncFolderSync(dirname(folder));
    }
  });
}

/** True from the moment a database was taken back until `forgetTakenBack`: its jobs may have been sent meanwhile. */
export function isTakenBack(dataDir: string): boolean {
  return existsSync(join(dataDir, takenBackFile));
}

export function forgetTakenBack(dataDir: string): void {
  rmSync(join(dataDir, takenBackFile), { force: true });
  syncFolderSync(dataDir);
}

/** The files to move. The database is the last: while it is there, the other files are still missing. */
function piecesIn(folder: string): string[] {
  const names = readdirSync(folder);
  const beside = names.filter((name) => ['spool', 'arrived', countFile].includes(name));
  const notes = namesIn(join(folder, 'runs')).filter(isDepartureNote);
  const files = names.filter((name) => name.startsWith(`${database}-`) || name === `${database}.closed`);
  return [
    ...notes.map((name) => join('runs', name)),
    ...beside,
    ...files,
    ...names.filter((name) => name === database),
  ];
}

function move(from: string, to: string, piece: string): void {
  mkdirSync(dirname(join(to, piece)), { recursive: true, mode: 0o700 });
  renamePatiently(join(from, piece), join(to, piece));
  syncFolderSync(dirname(join(to, piece)));
  syncFolderSync(dirname(join(from, piece)));
}

function renamed(dataDir: string, from: string, to: string): void {
  const folder = join(dataDir, folderName);
  renamePatiently(join(folder, from), join(folder, to));
  syncFolderSync(folder);
}

/** Renames a file, with retries: Windows refuses it while a virus scanner or a handle not yet collected has the file open. */
function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (attempt === 10 || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) throw error;
      // Blocking is harmless here: there is no window yet, and nothing else may run meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100 * attempt);
    }
  }
}

function freeName(dataDir: string): string {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const taken = new Set(foldersOf(dataDir).map((name) => name.split('.')[0]));
  let name = stamp;
  for (let n = 2; taken.has(name); n++) name = `${stamp}-${n}`;
  return name;
}

/** Sizes and times of the database and its log. */
function stampOf(path: string): string {
  const files = ['', '-wal'].map((end) => statSync(path + end, { throwIfNoEntry: false, bigint: true }));
  return files.map((file) => (file && file.size > 0 ? `${file.size} ${file.mtimeNs}` : '-')).join(' ');
}

function aboutOf(folder: string): { readonly reason: SetAside['reason']; readonly stamp: string | null } {
  try {
    const about = JSON.parse(readFileSync(join(folder, aboutFile), 'utf8')) as { reason?: unknown; stamp?: unknown };
    return {
      reason: about.reason === 'replaced' ? 'replaced' : 'damaged',
      stamp: typeof about.stamp === 'string' ? about.stamp : null,
    };
  } catch {
    return { reason: 'damaged', stamp: null };
  }
}

function namesEnding(dataDir: string, ending: string): string[] {
  return foldersOf(dataDir)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
}

const foldersOf = (dataDir: string) => namesIn(join(dataDir, folderName));

/** Another program may remove the folder at any moment. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error, 'the register cannot be moved');
  }
}
