import type { FileHandle } from 'node:fs/promises';
import { toWriteError } from '../foundation/fs-errors.ts';
import type { BlockWriting } from './block-writing.ts';

const blockBytes = 512 * 1024;
/** Blocks that may wait to be hashed and written before the peer is held back (3 MiB). */
const maxWaiting = 6;
/** Number of waiting blocks at which the peer may continue. */
const resumeWaiting = 3;
/** Bytes after which the file is synced while more arrives; otherwise the last sync would have to write all of it. */
const syncEachBytes = 8 * 1024 * 1024;

/** Queue of blocks that are written to a file in order. */
export interface BlockQueue {
  /** Memory for the next block; it is reused after the block was written. */
  take(): Buffer;
  /** Appends the first `length` bytes of a block to the file. */
  add(block: Buffer, length: number): void;
  /** Bytes added so far. */
  readonly addedBytes: number;
  /** Resolves when more may be added; undefined while it may. Throws or rejects with the first failure of a block, as `toWriteError` names it. */
  settle(): Promise<void> | undefined;
  /** Resolves when nothing is being written. Rejects as `settle`. */
  drain(): Promise<void>;
}

export function createBlockQueue(handle: FileHandle, blocks: BlockWriting): BlockQueue {
  const free: Buffer[] = [];
  const waiting = new Set<Promise<void>>();
  let failed: unknown;
  let addedBytes = 0;
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  const fail = (error: unknown) => {
    failed ??= error;
  };
  const assertWritten = () => {
    if (failed !== undefined) throw toWriteError(failed);
  };
  const syncBehind = (bytes: number) => {
    unsyncedBytes += bytes;
    if (unsyncedBytes < syncEachBytes || syncing) return;
    unsyncedBytes = 0;
    syncing = handle
      .datasync()
      .catch(fail)
      .finally(() => {
        syncing = undefined;
      });
  };
  const waitForRoom = async () => {
    while (waiting.size > resumeWaiting && failed === undefined) await Promise.race(waiting);
    assertWritten();
  };
  return {
    take: () => free.pop() ?? blocks.allocate(blockBytes),
    add: (block, length) => {
      const written = () => {
        free.push(block);
        syncBehind(length);
      };
      const working: Promise<void> = blocks
        .write(block.subarray(0, length), addedBytes)
        .then(written, fail)
        .finally(() => waiting.delete(working));
      waiting.add(working);
      addedBytes += length;
    },
    get addedBytes() {
      return addedBytes;
    },
    settle: () => {
      assertWritten();
      return waiting.size > maxWaiting ? waitForRoom() : undefined;
    },
    drain: async () => {
      await Promise.all(waiting);
      await syncing;
      assertWritten();
    },
  };
}
