import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { appError, codeOf } from '../foundation/app-error.ts';

/** Where a new file goes, and what may become of what is there already. */
export interface Target {
  readonly path: string;
  /** The file that a person agreed to replace (`markOf`). Another one in its place is left alone. */
  readonly replaces?: string | undefined;
  /** The next path to try where a name is taken; asked until one is free. Without it a taken name is target-exists. */
  readonly next?: () => Promise<string>;
}

/** Of the target's name in that of a temporary file: at most 180 bytes, which with what is added stays below the 255 of most file systems. */
const mostNameUnits = 60;

/** A path for a temporary file in the same folder, which nobody else has. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, mostNameUnits)}.${randomBytes(6).toString('hex')}.part`);
}

/** What tells one file at a path from another that comes there later. Undefined where there is no file (a folder and a device are none). */
export async function markOf(path: string): Promise<string | undefined> {
  const seen = await lstat(path, { bigint: true }).catch(() => null);
  if (!seen || !(seen.isFile() || seen.isSymbolicLink())) return undefined;
  return markIn(seen);
}

function markIn({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}

/**
 * Gives a whole file its final name; answers the path. Nothing that is there is replaced but `target.replaces`. Rejects with file-unreadable (target-exists), or
 * with the file system's own error; then the temporary file is still there.
 */
export async function placeFile(temporary: string, target: Target): Promise<string> {
  if (await replaced(temporary, target)) return target.path;
  for (let { path } = target; ; path = await target.next()) {
    if (await placedAs(temporary, path)) return path;
    if (!target.next) {
      throw appError('file-unreadable', 'there is a file of this name already', { detail: 'target-exists' });
    }
  }
}

/** The last one that was begun. */
let replacing: Promise<unknown> = Promise.resolve();

/**
 * One after the other: of two that may replace the same file, the second finds another one there. No system call looks and replaces at once; what another program
 * puts there between the two is replaced.
 */
async function replaced(temporary: string, { path, replaces }: Target): Promise<boolean> {
  if (replaces === undefined) return false;
  const isDone = replacing.then(async () => {
    if ((await markOf(path)) !== replaces) return false;
    await rename(temporary, path);
    return true;
  });
  replacing = isDone.catch(() => undefined);
  return isDone;
}

/** A second name for the same file is made in one step, and never where a name is taken: whoever comes at the same time, and however names are compared. */
async function placedAs(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return placedByClaim(temporary, path);
    // Over a network the answer to a first try may have been lost.
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

/** For file systems where a file has one name only (FAT, some network folders): an empty file claims the name, and is replaced. False where it is taken. */
export async function placedByClaim(temporary: string, path: string): Promise<boolean> {
  let claim: FileHandle;
  try {
    claim = await open(path, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  const mark = markIn(await claim.stat({ bigint: true }).finally(() => claim.close()));
  // Somebody has taken it for a file of their own and written into it.
  if ((await markOf(path)) !== mark) return false;
  try {
    await rename(temporary, path);
  } catch (error) {
    if ((await markOf(path)) === mark) await unlink(path).catch(() => undefined);
    throw error;
  }
  return true;
}
