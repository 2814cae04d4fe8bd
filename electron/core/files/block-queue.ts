import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { toWriteError } from '../foundation/fs-errors.ts';
import { writeFully } from './open-file.ts';

const blockBytes = 512 * 1024;
/** Blocks that may wait to be hashed and written before the peer is held back (3 MiB). */
const maxWaiting = 6;
/** Number of waiting blocks at which the peer may continue. */
const resumeWaiting = 3;
/** Bytes after which the file is synced while more arrives; otherwise the last sync would have to write all of it. */
const syncEachBytes = 8 * 1024 * 1024;

/** Queue of blocks that are hashed in order, and written to a file, each in its place. */
export function createBlockQueue(handle: FileHandle) {
  const hash = createHash('sha256');
  const free: Buffer[] = [];
  const waiting = new Set<Promise<void>>();
  /** Each write waits for the one before the last: two are under way, and node's other threads are left to others. */
  const turns: Promise<void>[] = [Promise.resolve(), Promise.resolve()];
  let failed: unknown;
  let addedBytes = 0;
  const fail = (error: unknown) => {
    failed ??= error;
  };
  const assertWritten = () => {
    if (failed !== undefined) throw toWriteError(failed);
  };
  const behind = createSyncBehind(handle);
  const waitForRoom = async () => {
    while (waiting.size > resumeWaiting && failed === undefined) await Promise.race(waiting);
    assertWritten();
  };
  return {
    /** Memory for the next block; it is reused after the block was written. */
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(blockBytes),
    /** Appends the first `length` bytes of a block to the file. */
    add: (block: Buffer, length: number) => {
      const written = () => {
        free.push(block);
        behind.wrote(length);
      };
      const bytes = block.subarray(0, length);
      const position = addedBytes;
      hash.update(bytes);
      const working: Promise<void> = (turns.shift() ?? Promise.resolve())
        .then(() => writeFully(handle, bytes, position))
        .then(written, fail)
        .finally(() => waiting.delete(working));
      turns.push(working);
      waiting.add(working);
      addedBytes += length;
    },
    /** Bytes added so far. */
    get addedBytes() {
      return addedBytes;
    },
    /** Resolves when more may be added; undefined while it may. Throws or rejects with the first failure of a block, as `toWriteError` names it. */
    settle: () => {
      assertWritten();
      return waiting.size > maxWaiting ? waitForRoom() : undefined;
    },
    /** Resolves when nothing is being written. Rejects as `settle`. */
    drain: async () => {
      await Promise.all(waiting);
      await behind.settled().catch(fail);
      assertWritten();
    },
    /** SHA-256 of all blocks in lower-case hex. Call it once, at the end. */
    digest: () => hash.digest('hex'),
  };
}

/** Syncs a file while more of it is written; of several with one `turn` only one at a time, as each sync takes one of node's threads. */
export function createSyncBehind(handle: FileHandle, turn = { isFree: true }) {
  let unsyncedBytes = 0;
  let [syncing, failed] = [Promise.resolve(), undefined as unknown];
  return {
    wrote: (bytes: number) => {
      unsyncedBytes += bytes;
      if (unsyncedBytes < syncEachBytes || !turn.isFree) return;
      unsyncedBytes = 0;
      turn.isFree = false;
      const kept = (error: unknown) => {
        failed ??= error;
      };
      syncing = handle.datasync().catch(kept);
      void syncing.then(() => {
        turn.isFree = true;
      });
    },
    /** Resolves when no sync is under way. Rejects with the first failure of one, as node:fs: the system tells it only once. */
    settled: async () => {
      await syncing;
      if (failed !== undefined) throw failed;
    },
  };
}
