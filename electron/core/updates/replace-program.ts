import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../files/atomic-write.ts';
import { UpdateError } from './fetch-file.ts';

/*
 * Replaces the one file of an AppImage. electron-updater removes the old file first and then moves the new one: if that fails, nothing is left. Here the new file is
 * laid beside the old one while the program runs, and at its end only renamed: there is the old file or the new one at any time. The folder may belong to others as
 * well, so the file beside gets a name that nobody knows before, and nothing that somebody else laid there is written to, waited for or installed.
 */

/** The program's file as it was found: another file in its place is not replaced. */
export interface ProgramFile {
  /** Without links. */
  readonly place: string;
  readonly mode: number;
  readonly state: FileState;
}

/** A new file that lies beside the program. */
export interface LaidFile {
  readonly path: string;
  readonly state: FileState;
}

type FileState = ReturnType<typeof stateOf>;

const stateOf = ({ dev, ino, size, mtimeNs }: BigIntStats) => ({ dev, ino, size, changedAt: mtimeNs });
const isSame = (one: FileState, other: FileState) =>
  one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.changedAt === other.changedAt;

/**
 * Whether this person may put files into a folder. It is tried: on Windows the rights of a folder are in lists that cannot be asked for. Where it is not so, an installer
 * of Windows and the system of macOS ask for an administrator's password at each version.
 */
export async function mayWriteIn(folder: string): Promise<boolean> {
  const path = join(folder, `.sealdesk-${randomBytes(9).toString('hex')}`);
  try {
    await (await open(path, 'wx', 0o600)).close();
    await rm(path);
    return true;
  } catch {
    return false;
  }
}

/** The program's file; null if this person cannot replace it. */
export async function findProgramFile(program: string): Promise<ProgramFile | null> {
  try {
    const place = await realpath(program);
    await access(dirname(place), constants.W_OK);
    const found = await stat(place, { bigint: true });
    // Without the right to run it nobody could start the next version.
    return found.isFile() ? { place, mode: (Number(found.mode) & 0o777) | 0o500, state: stateOf(found) } : null;
  } catch {
    return null;
  }
}

/** Copies a fetched file beside the program, with the program's mode, and removes the fetched one. Rejects as node:fs, and then leaves nothing beside. */
export async function layBeside({ place, mode }: ProgramFile, fetched: string): Promise<LaidFile> {
  const path = join(dirname(place), `.${basename(place)}.${randomBytes(12).toString('hex')}.update`);
  const from = await open(fetched, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await from.stat()).isFile()) throw new UpdateError('damaged', 'what was fetched is no file any more');
    // Only a file that is made here: what lies there already, links included, fails.
    const to = await open(path, 'wx', 0o600);
    try {
      for await (const bytes of bytesOf(from)) await to.writeFile(bytes);
      await to.chmod(mode);
      await to.sync();
      return { path, state: stateOf(await to.stat({ bigint: true })) };
    } catch (error) {
      await removeLaidFile(path);
      throw error;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
    await rm(fetched, { force: true }).catch(() => undefined);
  }
}

const blockBytes = 256 * 1024;

async function* bytesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(blockBytes), 0, blockBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Puts the file that lies beside the program in its place, if it is still the signed one and the program still the one that was found. Rejects with an UpdateError or as
 * node:fs; then the program is as it was.
 */
export async function replaceByLaidFile(program: ProgramFile, laid: LaidFile, sha512: string): Promise<void> {
  try {
    const file = await open(laid.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await assertUnchanged(file, laid, sha512);
    } finally {
      await file.close();
    }
    if (!isSame(stateOf(await stat(program.place, { bigint: true })), program.state)) {
      throw new UpdateError('not-installed', 'the program was replaced by something else meanwhile');
    }
    await rename(laid.path, program.place);
  } catch (error) {
    await removeLaidFile(laid.path);
    throw error;
  }
  await syncFolder(dirname(program.place));
}

async function assertUnchanged(file: FileHandle, { state }: LaidFile, sha512: string): Promise<void> {
  const found = await file.stat({ bigint: true });
  const hash = createHash('sha512');
  const isOurs = found.isFile() && found.nlink === 1n && isSame(stateOf(found), state);
  if (isOurs) for await (const bytes of bytesOf(file)) hash.update(bytes);
  if (isOurs && hash.digest('base64') === sha512) return;
  throw new UpdateError('damaged', 'the fetched file changed before it was installed');
}

/** Removes what was laid beside the program. Never rejects. */
export async function removeLaidFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
