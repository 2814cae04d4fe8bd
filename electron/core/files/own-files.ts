import { copyFile, link, open, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toOwnFileError, toReadError } from '../foundation/fs-errors.ts';
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
  const source = await open(from, 'r').catch((error: unknown) => {
    throw toReadError(error);
  });
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
