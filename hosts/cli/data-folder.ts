import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isRunning } from '../../electron/core/files/own-files.ts';
import { AppError } from '../../electron/core/foundation/app-error.ts';
import { shortageOf } from '../../electron/core/foundation/fs-errors.ts';
import { dataDirIn, installationOf, programDir } from '../../electron/host-kit/data-dir.ts';
import { isSet, textOf, type Values } from './arguments/values.ts';
import { UsageError } from './output/exit-code.ts';
import { ownFailure } from './output/printer.ts';
import { t } from './output/texts.ts';

/** The service that a command line addresses, and the folder of its ledger. */
export interface DataFolder {
  readonly kind: 'practice' | 'address' | 'saved';
  readonly dataDir: string;
  /** Folder of practice data that outlives the run; absent without --practice-dir. */
  readonly practiceDir?: string;
  /** Removes the temporary files of this run. */
  leave(): void;
}

/**
 * The practice service leaves nothing behind without --practice-dir. Adds to a real service go into a permanent ledger: that of the desktop app for
 * its own connections (each running program touches only its own jobs), otherwise one for the command line.
 */
export function dataFolderFor(values: Values): DataFolder {
  if (textOf(values, 'connection') !== undefined) {
    return { kind: 'saved', dataDir: usableFolder(dataDirIn(ownFolder()), ownFolderIs), leave: () => undefined };
  }
  if (textOf(values, 'url') !== undefined) {
    return {
      kind: 'address',
      dataDir: usableFolder(join(ownFolder(), 'command-line'), ownFolderIs),
      leave: () => undefined,
    };
  }
  const practiceDir = textOf(values, 'practice-dir');
  if (isSet(values, 'audit')) return auditFolder(practiceDir);
  const keptIn = practiceDir === undefined ? undefined : usableFolder(resolve(practiceDir), practiceDirIs);
  const folder = temporaryFolder();
  return {
    kind: 'practice',
    dataDir: folder.path,
    practiceDir: keptIn,
    leave: folder.remove,
  };
}

/** An audit is stored beside the data of the practice service that answered it. */
function auditFolder(practiceDir: string | undefined): DataFolder {
  if (practiceDir === undefined) throw new UsageError(t('errors.auditNeedsPlace'));
  const folder = usableFolder(resolve(practiceDir), practiceDirIs);
  return { kind: 'practice', dataDir: join(folder, 'sealdesk'), practiceDir: folder, leave: () => undefined };
}

const ownFolderIs: string = t('errors.ownFolder', {
  variables: process.platform === 'win32' ? 'APPDATA' : t('errors.homeVariables'),
});
const practiceDirIs: string = '--practice-dir';

function ownFolder(): string {
  try {
    return programDir();
  } catch {
    throw new UsageError(t('errors.noHome'));
  }
}

/** A new folder that only this person can read. Throws a UsageError, or storage-full. */
export function temporaryFolder(): TemporaryFolder {
  try {
    return makeTemporaryFolder();
  } catch (error) {
    throw unusable(error, t('errors.temporaryFolder'), tmpdir());
  }
}

/**
 * The folder, created if it is missing and checked by writing a file, so that a command fails before it sends anything. Throws a UsageError,
 * storage-full, or storage-unusable for the program's own folder that is there and cannot be written.
 */
export function usableFolder(folder: string, what: string): string {
  const trial = join(folder, `.trial-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(trial, 'x', { mode: 0o600 });
    rmSync(trial, { force: true });
    return folder;
  } catch (error) {
    throw unusable(error, what, folder);
  }
}

/** Creates one level at a time: Node's recursive mkdir loops for ever in a folder that accepts no entries, such as one of /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another program may have made it.
    if (!existsSync(folder)) throw error;
  }
}

function unusable(error: unknown, what: string, folder: string): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  const text = t('errors.folderUnusable', { what, folder, why: code ?? t('errors.unknownReason') });
  // It may be the right folder, which holds the register.
  if (what === ownFolderIs && /^(EROFS|EACCES|EPERM|EIO)$/.test(code ?? ''))
    return new AppError(ownFailure('storage-unusable', text, { detail: 'data-folder-denied' }));
  return shortageOf(error) ?? new UsageError(text);
}

/** Names the process that owns the folder. */
const ownerFile = '.sealdesk-owner';
const prefix = 'sealdesk-';

type TemporaryFolder = ReturnType<typeof makeTemporaryFolder>;

/** Creates a folder for this run. Folders of killed runs are removed first, since they hold documents. */
export function makeTemporaryFolder() {
  removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(path, ownerFile), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  return { path, remove: () => removeFolder(path) };
}

/** Removes folders whose process has ended. A folder without an owner file is not ours; one of another computer or container cannot be checked. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(prefix) || !isAbandoned(path)) continue;
    try {
      removeFolder(path);
    } catch {
      // It belongs to another user or is held open: a later run tries again.
    }
  }
}

function removeFolder(path: string): void {
  if (!existsSync(path)) return;
  // The owner file is removed last, so that a partly removed folder is still recognised.
  for (const name of readdirSync(path))
    if (name !== ownerFile) rmSync(join(path, name), { recursive: true, force: true, maxRetries: 3 });
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A folder of this person's, and no link: in a temporary folder that many people share, somebody could put a link there and turn it to anywhere while its
 * content is removed. A folder of one's own can be replaced by nobody else.
 */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}

function isAbandoned(path: string): boolean {
  try {
    if (!isOwn(path)) return false;
    const { pid, host } = JSON.parse(readFileSync(join(path, ownerFile), 'utf8')) as { pid?: unknown; host?: unknown };
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && host === hostname() && !isRunning(pid);
  } catch {
    return false;
  }
}

const program = resolve(import.meta.dirname, '../..');
const isPackaged = basename(program) === 'app.asar';

/** Samples and WSDLs; they lie beside the archive of a packaged program. */
export const assetsDir = join(isPackaged ? dirname(program) : program, 'assets');

/** What put this program here. */
export const installation = installationOf({
  platform: process.platform,
  isPackaged,
  env: process.env,
  program: process.execPath,
});
