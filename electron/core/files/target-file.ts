import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appError } from '../foundation/app-error.ts';
import { toWriteError } from '../foundation/fs-errors.ts';
import { syncFolder } from './atomic-write.ts';
import { createBlockQueue } from './block-queue.ts';
import { placeFile, type Target, temporaryBeside } from './place-file.ts';

/** Blocks begin at multiples of this: a page shared by two blocks would be written twice. */
const alignedBytes = 64 * 1024;

/** A file that appears under its name only when it is complete. */
export interface TargetFile extends DocumentSink {
  /** Writes the rest, syncs the file and gives it its name; `path` is its final path. Replaces only the file of `Target.replaces`; otherwise target-exists. */
  finish(): Promise<{ readonly sizeBytes: number; readonly sha256: string; readonly path: string }>;
  /** Removes the temporary file. Never rejects. */
  discard(): Promise<void>;
}

/** Rejects with storage-full if the system reports less free space on the disk of `target` than the document needs. */
export async function assertRoom(target: string, neededBytes: number): Promise<void> {
  const room = await statfs(dirname(target)).catch(() => null);
  if (room && room.blocks > 0 && room.bavail * room.bsize < neededBytes) {
    throw appError('storage-full', `there is no room for the file where it is to go: it needs ${neededBytes} bytes`);
  }
}

/**
 * Opens a temporary file beside `target.path`. Rejects with file-unreadable (target-not-writable) or storage-full, and so do `settle` and `finish`.
 */
export async function createTargetFile(target: Target): Promise<TargetFile> {
  const temporary = temporaryBeside(target.path);
  const handle = await open(temporary, 'wx').catch((error: unknown) => {
    throw toWriteError(error);
  });
  const queue = createBlockQueue(handle);
  /** Queues the first `length` bytes; the bytes after them begin the next block. */
  const flush = (length: number) => {
    const { buffer, at: filled } = file;
    const next = queue.take();
    buffer.copy(next, 0, length, filled);
    file.buffer = next;
    file.at = filled - length;
    queue.add(buffer, length);
  };
  const file: TargetFile = {
    buffer: queue.take(),
    at: 0,
    reserve(bytes) {
      if (file.at + bytes > file.buffer.length) flush(file.at - (file.at % alignedBytes));
    },
    get sizeBytes() {
      return queue.addedBytes + file.at;
    },
    settle: queue.settle,
    async finish() {
      if (file.at > 0) flush(file.at);
      await queue.drain();
      const done = { sizeBytes: queue.addedBytes, sha256: queue.digest() };
      return { ...done, path: await closeAndPlace(handle, temporary, target, done) };
    },
    async discard() {
      await queue.drain().catch(() => undefined);
      await handle.close().catch(() => undefined);
      await unlink(temporary).catch(() => undefined);
    },
  };
  return file;
}

async function closeAndPlace(
  handle: FileHandle,
  temporary: string,
  target: Target,
  done: { readonly sizeBytes: number; readonly sha256: string },
): Promise<string> {
  try {
    await handle.sync();
    await handle.close();
    const same = await target.onComplete?.(done);
    if (same) {
      await unlink(temporary).catch(() => undefined);
      return same;
    }
    const path = await placeFile(temporary, target);
    await syncFolder(dirname(path));
    return path;
  } catch (error) {
    throw toWriteError(error);
  }
}

/** Receives decoded bytes. */
export interface ByteSink {
  buffer: Buffer;
  /** Index in `buffer` of the next byte. The scanner advances it. */
  at: number;
  /** Makes room for `bytes` after `at`; may replace `buffer`. */
  reserve(bytes: number): void;
}

/** Takes a document as it arrives, without holding it whole in memory. */
export interface DocumentSink extends ByteSink {
  /** Resolves when it can take more; undefined while it can. Throws or rejects if it failed. */
  settle(): Promise<void> | undefined;
  /** Bytes of the document so far. */
  readonly sizeBytes: number;
}
