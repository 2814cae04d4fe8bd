import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AppError, appError, codeOf, failureOf, shortageOf } from '../foundation/app-error.ts';
import { createBlockWriting } from './block-writing.ts';
import type { DocumentSink } from './byte-sink.ts';
import { placeFile, type Target, temporaryBeside } from './place-file.ts';

const blockBytes = 512 * 1024;
/** Blocks begin at multiples of it: a page that two blocks share is written twice. */
const alignedBytes = 64 * 1024;
/** Blocks that may wait for the disk or to be hashed before the peer is held back (3 MiB), and how many are left when it may go on. */
const maxWaiting = 6;
const calmWaiting = 3;
/** So much is put on the disk while more arrives: else all of it would be waited for at the end. */
const syncEachBytes = 8 * 1024 * 1024;

/** A file that is there only when it is whole. */
export interface TargetFile extends DocumentSink {
  /** Writes the rest, fsync, and gives the file its name: `path` is where it is. Replaces nothing but what `Target.replaces` allows; else target-exists. */
  finish(): Promise<{ readonly sizeBytes: number; readonly sha256: string; readonly path: string }>;
  /** Removes what there is of it. Never rejects. */
  discard(): Promise<void>;
}

/** An error while writing a file as storage-full or file-unreadable (target-not-writable); a Failing stays what it is. */
export function writeFailure(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const code = codeOf(error);
  return (
    shortageOf(error) ??
    appError('file-unreadable', `the file cannot be written (${code})`, {
      detail: code === 'EIO' ? 'drive-error' : 'target-not-writable',
    })
  );
}

/** Rejects with storage-full where the disk of `target` has clearly less room than the document needs, as far as the system tells. */
export async function assertRoom(target: string, neededBytes: number): Promise<void> {
  const room = await statfs(dirname(target)).catch(() => null);
  if (room && room.blocks > 0 && room.bavail * room.bsize < neededBytes) {
    throw appError('storage-full', `there is no room for the file where it is to go: it needs ${neededBytes} bytes`);
  }
}

/** fsync of the folder makes the new name last; Windows has no such thing. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

/**
 * Opens a temporary file beside `target.path`, for about `expectedBytes`. Rejects with file-unreadable (target-not-writable) or storage-full, and so do
 * `settle` and `finish`.
 */
export async function createTargetFile(target: Target, expectedBytes: number): Promise<TargetFile> {
  const temporary = temporaryBeside(target.path);
  let handle: FileHandle;
  try {
    handle = await open(temporary, 'wx');
  } catch (error) {
    throw writeFailure(error);
  }
  const blocks = createBlockWriting(handle, expectedBytes);
  const free: Buffer[] = [];
  const waiting = new Set<Promise<void>>();
  let failed: unknown;
  let position = 0;
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  const syncBehind = (bytes: number) => {
    unsyncedBytes += bytes;
    if (unsyncedBytes < syncEachBytes || syncing) return;
    unsyncedBytes = 0;
    syncing = handle
      .datasync()
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => {
        syncing = undefined;
      });
  };
  /** Up to the last multiple of `alignedBytes`; what is behind it begins the next block. */
  const flush = (length = file.at - (file.at % alignedBytes)) => {
    const { buffer, at: filled } = file;
    const next = free.pop() ?? blocks.allocate(blockBytes);
    buffer.copy(next, 0, length, filled);
    file.buffer = next;
    file.at = filled - length;
    const working: Promise<void> = blocks
      .write(buffer.subarray(0, length), position)
      .then(
        () => {
          free.push(buffer);
          syncBehind(length);
        },
        (error: unknown) => {
          failed ??= error;
        },
      )
      .finally(() => waiting.delete(working));
    waiting.add(working);
    position += length;
  };
  const calm = async (): Promise<void> => {
    while (waiting.size > calmWaiting && failed === undefined) await Promise.race(waiting);
    if (failed !== undefined) throw writeFailure(failed);
  };
  const file: TargetFile = {
    buffer: blocks.allocate(blockBytes),
    at: 0,
    reserve(bytes) {
      if (file.at + bytes > file.buffer.length) flush();
    },
    get sizeBytes() {
      return position + file.at;
    },
    settle() {
      if (failed !== undefined) throw writeFailure(failed);
      return waiting.size > maxWaiting ? calm() : undefined;
    },
    async finish() {
      if (file.at > 0) flush(file.at);
      await Promise.all(waiting);
      await syncing;
      if (failed !== undefined) throw writeFailure(failed);
      const sha256 = await blocks.digest();
      let path: string;
      try {
        await handle.sync();
        await handle.close();
        path = await placeFile(temporary, target);
      } catch (error) {
        throw writeFailure(error);
      }
      await syncFolder(dirname(path));
      return { sizeBytes: position, sha256, path };
    },
    async discard() {
      await Promise.all(waiting);
      await syncing;
      blocks.end();
      await handle.close().catch(() => undefined);
      await unlink(temporary).catch(() => undefined);
    },
  };
  return file;
}
