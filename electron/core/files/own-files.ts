import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toOwnFileError, toReadError } from './fs-errors.ts';

/**
 * Folders of the data folder with files that came as bytes, or with copies. They go with the run, the job, the draft or the bulk that they belong to. Nobody but the
 * program writes there.
 */
const folders = ['arrived', 'spool', 'drafts', 'bulk'] as const;

/** True for a file that may exist nowhere else, and of which the content never changes under its name. */
export function isOwnFile(dataDir: string, path: string): boolean {
  return ownFolders(dataDir).some((folder) => path.startsWith(folder));
}

/** With the separator at their ends. */
export function ownFolders(dataDir: string): string[] {
  return folders.map((name) => join(dataDir, name) + sep);
}

/**
 * A second name for a file of the program's own, on the disk when it resolves: a hard link, which costs neither room nor time, else a copy. `temporary` is
 * beside `to`; what was there under the name `to` is replaced, never written into. Rejects with file-unreadable for `from`, storage-full or
 * storage-unusable for `to`.
 */
export async function linkOrCopy(from: string, to: string, temporary: string): Promise<void> {
  const source = await open(from, 'r').catch((error: unknown) => {
    throw toReadError(error);
  });
  try {
    await rm(temporary, { force: true });
    // File systems without links, or with too many of this file.
    await link(from, temporary).catch(() => copyFile(from, temporary));
    const file = await open(temporary, 'r+');
    await file.sync().finally(() => file.close());
    await rename(temporary, to);
  } catch (error) {
    throw toOwnFileError(error);
  } finally {
    await source.close();
    // Of two names of one file `rename` leaves both.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
