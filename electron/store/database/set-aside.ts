import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toStorageError } from '../../core/files/fs-errors.ts';
import { appError } from '../../core/foundation/app-error.ts';
import { countFile } from '../jobs/departure-count.ts';
import { isDepartureNote } from '../jobs/departures.ts';
import { isFolderInUse } from './run-lock.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * A ledger, what was noted beside it and the copies of documents belong together: they are moved as one, into a folder of their own below `set-aside`, and
 * back. The name of that folder says how far a move has come, so that one that was broken off is finished before anything else is done:
 *
 *   STAMP.moving     being moved there         → STAMP
 *   STAMP.wanted     to be taken back; what is in use is set aside first
 *   STAMP.returning  being moved back          → gone, and the file `taken-back` in the data folder
 */
const folderName = 'set-aside';
/** Beside the pieces: why, and what the database looked like when it was found damaged. */
const aboutFile = 'about.json';
/** In the data folder, until the jobs of a ledger that was taken back are held. */
const takenBackFile = 'taken-back';
const database = 'sealdesk.db';

export interface SetAside {
  /** Of the folder, without what it is in: when it was set aside, UTC. */
  readonly name: string;
  /** `replaced`: sound, but another one was taken back in its place. */
  readonly reason: 'damaged' | 'replaced';
  /** Path of its database. */
  readonly database: string;
  /** False while its database is what it was when it was found damaged. */
  readonly isChanged: boolean;
}

/** Ledgers that were set aside and whole, the oldest first. */
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

/** True where a move was broken off: nothing else may be done in the data folder before `finishMoves`. */
export function isMoving(dataDir: string): boolean {
  return foldersOf(dataDir).some((name) => /\.(moving|wanted|returning)$/.test(name));
}

/** Sets the ledger aside with all that belongs to it. Answers the folder's name below the data folder. Throws storage-full, storage-unusable. */
export function setAside(dataDir: string, reason: SetAside['reason']): string {
  return guarded(() => {
    const name = freeName(dataDir);
    const folder = join(dataDir, folderName, `${name}.moving`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, aboutFile), JSON.stringify({ reason }), { mode: 0o600, flush: true });
    syncFolder(folder);
    syncFolder(dirname(folder));
    syncFolder(dataDir);
    // Whoever starts now sees the folder; whoever started before is seen here.
    if (isFolderInUse(dataDir)) {
      rmSync(folder, { recursive: true });
      throw appError('storage-unusable', `another program works with the register in ${dataDir}: end it first`);
    }
    finishMoves(dataDir);
    return join(folderName, name);
  });
}

/** Puts a ledger back that was set aside; what is in use is set aside in its place. Throws as `setAside`. */
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

/** Does what is left of a move; nothing where none was broken off. Throws storage-full, storage-unusable: then it is to be called again. */
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
      // A move of what was in use does the rest of this one, too.
      if (existsSync(join(dataDir, folderName, `${name}.wanted`)))
        renamed(dataDir, `${name}.wanted`, `${name}.returning`);
    }
    for (const name of namesEnding(dataDir, '.returning')) {
      const folder = join(dataDir, folderName, `${name}.returning`);
      writeFileSync(join(dataDir, takenBackFile), name, { mode: 0o600, flush: true });
      syncFolder(dataDir);
      for (const piece of piecesIn(folder)) move(folder, dataDir, piece);
      rmSync(folder, { recursive: true, force: true });
      syncFolder(dirname(folder));
    }
  });
}

/** True from a ledger's return until `forgetTakenBack`: what is in it may have been sent meanwhile. */
export function isTakenBack(dataDir: string): boolean {
  return existsSync(join(dataDir, takenBackFile));
}

export function forgetTakenBack(dataDir: string): void {
  rmSync(join(dataDir, takenBackFile), { force: true });
  syncFolder(dataDir);
}

/** The database last: as long as it is there, what is beside it is still missed. */
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
  syncFolder(dirname(join(to, piece)));
  syncFolder(dirname(join(from, piece)));
}

function renamed(dataDir: string, from: string, to: string): void {
  const folder = join(dataDir, folderName);
  renamePatiently(join(folder, from), join(folder, to));
  syncFolder(folder);
}

/** Windows refuses while a virus scanner or a handle not yet collected is on the file. */
function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (attempt === 10 || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) throw error;
      // Before there is a window, and where nothing else may go on: there is nobody to hold up.
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

/** Size and time of the database and its log. */
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
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error, 'the register cannot be moved');
  }
}
