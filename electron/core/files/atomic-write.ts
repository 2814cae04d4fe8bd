import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';

/*
 * Files that are replaced as a whole: written beside, synced to the disk, renamed. A reader sees the old content or the new one, also after a power failure.
 * For new files that people asked for, which replace nothing unasked, see target-file.ts.
 */

/** Replaces `path` by a file that only its owner may read; the temporary file is removed if that fails. Rejects as node:fs. */
export async function replaceFile(path: string, text: string, temporary: string): Promise<void> {
  try {
    const file = await open(temporary, 'w', 0o600);
    await file
      .writeFile(text)
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As `replaceFile`, for callers that must not yield to the event loop. The temporary file is `path` with `.new`. */
export function replaceFileSync(path: string, text: string): void {
  const temporary = `${path}.new`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Syncs a written file to the disk and renames it; replaces a file of that name. Rejects as node:fs. */
export async function syncAndRename(temporary: string, path: string): Promise<void> {
  await syncFile(temporary);
  await rename(temporary, path);
}

/** fsync of a file by its path. Rejects as node:fs. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** fsync of a folder makes new names and renames in it durable; Windows has no such call. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

/** As `syncFolder`, one for all that wait for it: a sync that has begun says nothing about a name that was given since. */
export function sharedFolderSync(folder: string): () => Promise<void> {
  let [running, next] = [Promise.resolve(), null as Promise<void> | null];
  return () => {
    next ??= running.then(() => {
      next = null;
      running = syncFolder(folder);
      return running;
    });
    return next;
  };
}

/** As `syncFolder`. Never throws. */
export function syncFolderSync(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Not possible on Windows.
  }
}
