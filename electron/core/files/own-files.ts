import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { asOwnFile, asRead, toOwnFileError } from '../foundation/fs-errors.ts';
import { syncAndRename } from './atomic-write.ts';

/**
 * Folders in the data folder for files that came as bytes and for copies. The files are removed with the run, the job, the draft or the bulk that they belong to. Only the
 * program writes there.
 */
const folders = ['arrived', 'spool', 'drafts', 'bulk'] as const;

/** True for a file in these folders: it may exist nowhere else, and its content never changes under its name. */
export function isOwnFile(dataDir: string, path: string): boolean {
  return ownFolders(dataDir).some((folder) => path.startsWith(folder));
}

/** Absolute paths of these folders, each with a trailing separator. */
export function ownFolders(dataDir: string): string[] {
  return folders.map((name) => join(dataDir, name) + sep);
}

/**
 * Gives a file of the program's own a second name, durable when this resolves: a hard link, which costs neither space nor time, else a copy. `temporary` is
 * beside `to`; a file named `to` is replaced, never written into. Rejects with file-unreadable for `from`, storage-full or
 * storage-unusable for `to`.
 */
export async function linkOrCopy(from: string, to: string, temporary: string): Promise<void> {
  const source = await asRead(open(from, 'r'));
  try {
    await rm(temporary, { force: true });
    // Copied on file systems without links, or if the file has too many.
    await link(from, temporary).catch(() => copyFile(from, temporary));
    await syncAndRename(temporary, to);
  } catch (error) {
    throw toOwnFileError(error);
  } finally {
    await source.close();
    // `rename` does nothing if both names are links to the same file.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

export interface FileLocation {
  readonly dataDir: string;
  /** Folder for copies; made if missing. */
  readonly into: string;
}

/**
 * A path at which a file still exists after this run: its own path, or a copy if it lies in a folder of the program's own, whose files are removed with the run (files
 * from a mail client). Rejects with file-unreadable, storage-full and storage-unusable.
 */
export async function durablePath({ dataDir, into }: FileLocation, path: string, copyName: string): Promise<string> {
  if (path.startsWith(into + sep) || !isOwnFile(dataDir, path)) return path;
  await asOwnFile(mkdir(into, { recursive: true, mode: 0o700 }));
  const copy = join(into, copyName);
  await linkOrCopy(path, copy, `${copy}.${randomUUID()}.part`);
  return copy;
}

/** The programs that work on one data folder, by the id of their run: files that an ended run left behind may be removed. */
export interface ProgramRuns {
  /** This program's run. */
  readonly runId: string;
  /** True if that program is this one or still runs. */
  isAlive(runId: string): boolean;
}

/** True if a process of this computer has this id, also one of another account. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
