import { randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { appError, codeOf } from '../foundation/app-error.ts';
import { stampOf } from './file-stamp.ts';

/** The path of a new file, and rules for a file that already exists there. */
export interface Target {
  readonly path: string;
  /** Mark (`markOf`) of the file that a person agreed to replace. Another file at the path is left alone. */
  readonly replaces?: string | undefined;
  /** The next path to try if a name is taken; called until one is free. Without it a taken name is target-exists. */
  readonly next?: () => Promise<string>;
  /**
   * Called when the file is complete and on the disk, before it gets its name. Answers the path of a file that has these bytes already and is to be kept
   * instead, else null.
   */
  readonly onComplete?: (file: { readonly sizeBytes: number; readonly sha256: string }) => Promise<string | null>;
}

/** Length of the target's name that a temporary file's name repeats: at most 180 bytes, so that the whole name stays below the 255 bytes of most file systems. */
const mostNameUnits = 60;

/** In the names of this program's temporary files: it tells them from those that a killed one left beside the same target. */
export const programMark = randomBytes(3).toString('hex');

/** A unique path for a temporary file in the same folder. */
export function temporaryBeside(path: string): string {
  const mark = programMark + randomBytes(3).toString('hex');
  return join(dirname(path), `.${basename(path).slice(0, mostNameUnits)}.${mark}.part`);
}

/** A mark that distinguishes the file at a path from a later one there. Undefined if there is no file (a folder or device is none). */
export async function markOf(path: string): Promise<string | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  if (!stats || !(stats.isFile() || stats.isSymbolicLink())) return undefined;
  return `${stats.dev} ${stats.ino} ${stampOf(stats)}`;
}

/**
 * Gives a complete file its final name; answers the path. Replaces no existing file but `target.replaces`. Rejects with file-unreadable (target-exists), or
 * with the file system's own error; then the temporary file still exists.
 */
export async function placeFile(temporary: string, target: Target): Promise<string> {
  if (await tryReplace(temporary, target)) return target.path;
  for (let { path } = target; ; path = await target.next()) {
    if (await placeByLink(temporary, path)) return path;
    if (!target.next) {
      throw appError('file-unreadable', 'there is a file of this name already', { detail: 'target-exists' });
    }
  }
}

/** The last replacement that was begun. */
let replacing: Promise<unknown> = Promise.resolve();

/**
 * Replacements run one after the other: of two that may replace the same file, the second finds another file there. No system call compares and replaces in one step: a
 * file that another program writes between the two is replaced.
 */
async function tryReplace(temporary: string, { path, replaces }: Target): Promise<boolean> {
  if (replaces === undefined) return false;
  const isDone = replacing.then(async () => {
    if ((await markOf(path)) !== replaces) return false;
    await rename(temporary, path);
    return true;
  });
  replacing = isDone.catch(() => undefined);
  return isDone;
}

/** Uses a hard link: the system makes it in one step and never over a taken name, whichever programs write at the same time and however the file system compares names. */
async function placeByLink(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return placedByClaim(temporary, path);
    // On a network folder the link may have been made by a first try whose answer was lost.
    if (!(await isSameFile(temporary, path))) return false;
  }
  await unlink(temporary).catch(() => undefined);
  return true;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => lstat(path, { bigint: true }).catch(() => null)),
  );
  return !!first && !!second && first.ino !== 0n && first.ino === second.ino && first.dev === second.dev;
}

/** For file systems without hard links (FAT, some network folders): an empty file claims the name and is then replaced. False if the name is taken. */
export async function placedByClaim(temporary: string, path: string): Promise<boolean> {
  let claim: FileHandle;
  try {
    claim = await open(path, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  const { dev, ino } = await claim.stat({ bigint: true }).finally(() => claim.close());
  // Not by its times: where there are no hard links, closing a file may set them.
  const isClaim = async () => {
    const now = await lstat(path, { bigint: true }).catch(() => null);
    return now?.dev === dev && now.ino === ino && now.size === 0n;
  };
  // Another program has written into the claim.
  if (!(await isClaim())) return false;
  try {
    await rename(temporary, path);
  } catch (error) {
    if (await isClaim()) await unlink(path).catch(() => undefined);
    throw error;
  }
  return true;
}
