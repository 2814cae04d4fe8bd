import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLock } from '../../store/database/run-lock.ts';
import { sharedFolderSync, syncFile } from '../files/atomic-write.ts';
import { createSyncBehind } from '../files/block-queue.ts';
import { chosenAs, isOtherFile } from '../files/file-stamp.ts';
import { hashFile, readUnchanged } from '../files/hash-file.ts';
import { openFile, readFully, writeFully } from '../files/open-file.ts';
import { isOwnFile, linkOrCopy } from '../files/own-files.ts';
import { spoolFolder } from '../files/storage-room.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { asOwnFile, toReadError } from '../foundation/fs-errors.ts';

export type SpoolPart = 'document' | 'image';

export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface CopySource {
  readonly path: string;
  readonly sizeBytes: number;
  /** Time of its last change when it was chosen, null if unknown: other bytes may have the same size. */
  readonly modifiedMs: number | null;
  /** Which file it was when it was chosen (file-stamp.ts), null if unknown: another one may have the same size and time. */
  readonly identity: string | null;
  /** Lower-case hex of the chosen bytes, null if unknown: a file with other bytes never gets the part's name. */
  readonly sha256: string | null;
}

/** Is told of a copy while it is made. */
export interface CopyWatch {
  /** The copy is at this path until it is complete; not called if nothing is copied. */
  began(path: string): void;
  /** So many bytes of it can be read, the last of which are these, and all of which have this hash. They stay as they are; answers a buffer to be used instead, if there is one. */
  wrote(bytes: number, last?: Buffer, hash?: Hash): Promise<Buffer | undefined>;
}

/**
 * Copies of the chosen files, so that the chosen bytes are sent even if the original changes or disappears. A file under its final name is complete and
 * synced to the disk.
 */
export interface Spool {
  /**
   * Stores the program's own files (own-files.ts) at once: they may exist nowhere else and are removed when the program ends. All other files, and missing
   * ones, are left to `copyIn`. Everything is synced to the disk when this resolves. Rejects with storage-full or storage-unusable.
   */
  keepOwn(files: readonly { readonly jobId: string; readonly part: SpoolPart; readonly path: string }[]): Promise<void>;
  /**
   * Reads nothing from the source if the spool has the part already with the bytes that were chosen. Rejects with file-unreadable and file-changed (while it was copied, or since it
   * was chosen) for the source; with storage-full and storage-unusable for the spool itself; with cancelled. Then the spool has no new file.
   */
  copyIn(
    ...given: [jobId: string, part: SpoolPart, source: CopySource, signal: AbortSignal, watch?: CopyWatch]
  ): Promise<Spooled>;
  pathOf(jobId: string, part: SpoolPart): string;
  has(jobId: string, part: SpoolPart): Promise<boolean>;
  /** Makes the copy of one job that of another. Never rejects: without a copy the file is read at its place again. */
  handOver(from: string, to: string, part: SpoolPart): Promise<void>;
  /** Never rejects: a file that cannot be removed now is removed at the next start. */
  remove(jobId: string): Promise<void>;
  /** Removes files older than this run whose job needs none, and incomplete copies of ended runs. `isNeeded` is called after the folder was read. */
  sweep(isNeeded: (jobId: string) => boolean): Promise<void>;
}

const parts: readonly SpoolPart[] = ['document', 'image'];
/** A number that 3 divides, so that a chunk can be sent as base64 by itself. */
const chunkBytes = 576 * 1024;
/** A clone takes more calls than the copy of a smaller file. */
const cloneFromBytes = 1024 * 1024;
/** All copies share it: one of node's threads syncs what they have written. */
const syncTurn = { isFree: true };

export function openSpool(dataDir: string, run: Pick<RunLock, 'runId' | 'isAlive'>): Spool {
  const folder = spoolFolder(dataDir);
  const openedAt = Date.now();
  const pathOf = (jobId: string, part: SpoolPart) => join(folder, `${jobId}.${part}`);
  const has = (jobId: string, part: SpoolPart) =>
    stat(pathOf(jobId, part)).then(
      () => true,
      () => false,
    );
  const syncNames = sharedFolderSync(folder);
  let begun = 0;
  // Named by its run: another program may copy into the same folder.
  const unfinished = (jobId: string, part: SpoolPart) => {
    begun += 1;
    return `${pathOf(jobId, part)}.${run.runId}.${begun}.part`;
  };
  const made = () => asOwnFile(mkdir(folder, { recursive: true, mode: 0o700 }));
  const keepOne = async (jobId: string, part: SpoolPart, path: string) => {
    if (await has(jobId, part)) return;
    await linkOrCopy(path, pathOf(jobId, part), unfinished(jobId, part));
  };
  return {
    pathOf,
    has,
    keepOwn: async (files) => {
      const own = files.filter(({ path }) => isOwnFile(dataDir, path));
      if (own.length === 0) return;
      await made();
      for (const { jobId, part, path } of own) {
        await keepOne(jobId, part, path).catch((error: unknown) => {
          // The job itself reports this when it is copied.
          if (failureOf(error)?.code !== 'file-unreadable') throw error;
        });
      }
      await syncNames();
    },
    copyIn: async (jobId, part, source, signal, watch) => {
      const [path, temporary] = [pathOf(jobId, part), unfinished(jobId, part)];
      await made();
      try {
        signal.throwIfAborted();
        if (isOwnFile(dataDir, source.path)) await keepOne(jobId, part, source.path);
        const kept = (await has(jobId, part)) && (await asOwnFile(hashFile(path, signal)));
        if (kept && isSame(source, kept)) return { path, ...kept };
        const done = assertSame(source, await copyUnchanged(source, temporary, signal, watch));
        await asOwnFile(rename(temporary, path));
        await syncNames();
        return { path, ...done };
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw signal.aborted ? appError('cancelled', 'cancelled while it was copied') : error;
      }
    },
    handOver: (from, to, part) => rename(pathOf(from, part), pathOf(to, part)).catch(() => undefined),
    remove: async (jobId) => {
      for (const part of parts) await unlink(pathOf(jobId, part)).catch(() => undefined);
    },
    sweep: (isNeeded) => sweepFolder(folder, openedAt, run, isNeeded),
  };
}

/** See `Spool.sweep`. `openedAt`: milliseconds since 1970; newer files belong to this run or to one that works beside it. */
async function sweepFolder(
  folder: string,
  openedAt: number,
  run: Pick<RunLock, 'isAlive'>,
  isNeeded: (jobId: string) => boolean,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [jobId = '', , ...rest] = name.split('.');
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: openedAt }));
    const isLeftOver = rest.at(-1) === 'part' && !run.isAlive(rest[0] ?? '');
    if (isLeftOver || (rest.length === 0 && mtimeMs < openedAt && !isNeeded(jobId)))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** What was found in a file. */
type Content = Pick<Spooled, 'sizeBytes' | 'sha256'>;

/** A copy of which this is not true is replaced by the original, if that is still as it was. */
const isSame = (source: CopySource, { sizeBytes, sha256 }: Content) =>
  source.sizeBytes === sizeBytes && (source.sha256 ?? sha256) === sha256;

function assertSame(source: CopySource, done: Content): Content {
  if (!isSame(source, done)) throw appError('file-changed', 'the file is not the one that was chosen or sent before');
  return done;
}

/** For the source: rejects with the error that `toReadError` returns. */
async function read<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toReadError(error);
  });
}

async function copyUnchanged(
  source: CopySource,
  target: string,
  ...[signal, watch]: [AbortSignal, CopyWatch?]
): Promise<Content> {
  const from = await read(openFile(source.path));
  try {
    const before = chosenAs(await read(from.stat({ bigint: true })));
    if (before.sizeBytes !== source.sizeBytes)
      throw appError('file-changed', 'the size is not what it was when chosen');
    if (source.modifiedMs !== null && before.modifiedMs !== source.modifiedMs)
      throw appError('file-changed', 'the file was changed after it was chosen');
    if (source.identity !== null && isOtherFile(source.identity, before.identity))
      throw appError('file-changed', 'another file of the same size and time is in its place');
    const copy = async () =>
      (source.sizeBytes < cloneFromBytes ? null : await cloned(source.path, from, target, signal, watch)) ??
      (await copied(from, source.sizeBytes, target, signal, watch));
    return await read(readUnchanged(from, copy, signal));
  } finally {
    await from.close();
  }
}

/** If the file system can share blocks (APFS, Btrfs, XFS), a copy costs neither time nor space, and the file is read only for its hash. Null if it cannot. */
async function cloned(
  path: string,
  from: FileHandle,
  target: string,
  ...[signal, watch]: [AbortSignal, CopyWatch?]
): Promise<Content | null> {
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE_FORCE);
    // It was cloned by its path, where another file may be meanwhile.
    const [{ dev, ino }, named] = [await from.stat({ bigint: true }), await stat(path, { bigint: true })];
    if (named.dev !== dev || named.ino !== ino) return null;
  } catch {
    return null;
  }
  // The copy has the original's permissions, which may forbid writing.
  await asOwnFile(chmod(target, 0o600));
  watch?.began(target);
  await watch?.wrote((await asOwnFile(stat(target))).size);
  await asOwnFile(syncFile(target));
  return asOwnFile(hashFile(target, signal));
}

/** Reads as many bytes as the file is to have: that it has no more is known by its size afterwards. */
async function copied(
  from: FileHandle,
  expectedBytes: number,
  target: string,
  ...[signal, watch]: [AbortSignal, CopyWatch?]
): Promise<Content> {
  const to = await asOwnFile(open(target, 'w', 0o600));
  watch?.began(target);
  const hash = createHash('sha256');
  const behind = createSyncBehind(to, syncTurn);
  const room = Math.min(chunkBytes, expectedBytes);
  const [first, second] = [Buffer.allocUnsafe(room), Buffer.allocUnsafe(Math.min(room, expectedBytes - room))];
  const readInto = (buffer: Buffer, position: number) => {
    const length = Math.min(buffer.length, expectedBytes - position);
    const reading = read(readFully(from, buffer, length, position));
    // Awaited one turn later: until then a failure must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  let sizeBytes = 0;
  let [now, next]: [Buffer, Buffer] = [first, second];
  let ahead = readInto(now, 0);
  try {
    while (sizeBytes < expectedBytes) {
      signal.throwIfAborted();
      const chunk = now.subarray(0, await ahead);
      if (chunk.length === 0) break;
      const position = sizeBytes;
      sizeBytes += chunk.length;
      ahead = readInto(next, sizeBytes);
      // Hashed here while node's threads write, and read ahead.
      const writing = asOwnFile(writeFully(to, chunk, position));
      hash.update(chunk);
      await writing;
      behind.wrote(chunk.length);
      [now, next] = [
        next,
        watch ? ((await watch.wrote(sizeBytes, chunk, hash.copy())) ?? Buffer.allocUnsafeSlow(room)) : now,
      ];
    }
    await asOwnFile(behind.settled());
    await asOwnFile(to.sync());
  } finally {
    await ahead.catch(() => undefined);
    await behind.settled().catch(() => undefined);
    await to.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
