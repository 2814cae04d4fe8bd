import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { writeFully } from './read-fully.ts';
import { startWriteWorker, type WriteWorker } from './write-worker-client.ts';

/** Writes blocks to a file and hashes them, in the order in which they are given. */
export interface BlockWriting {
  /** Memory for blocks; `write` takes only blocks in such memory. */
  allocate(bytes: number): Buffer;
  /** Do not change the block before this settles. Rejects with the error of the system, or with bug if the worker ended. */
  write(block: Buffer, position: number): Promise<void>;
  /** SHA-256 of all blocks in lower-case hex. */
  digest(): Promise<string>;
  /** Releases everything, when no block is being written. */
  end(): void;
}

/** Writes the blocks of large files in workers; one idle worker is kept for the next file. */
export interface BlockWriters {
  /** `expectedBytes`: about the size of the file. The caller closes the file, when no block is being written. */
  open(handle: FileHandle, expectedBytes: number): BlockWriting;
  /** Ends the idle worker; files that are being written are finished. */
  close(): void;
}

/** Smaller files have a block or two, so that a worker would have nothing to do in parallel. */
const workerFromBytes = 1024 * 1024;
/** One download often follows another. */
const idleWorkerMs = 30_000;

/** Writes and hashes blocks in the calling thread. */
export function writeBlocks(handle: FileHandle): BlockWriting {
  const hash = createHash('sha256');
  let last: Promise<unknown> = Promise.resolve();
  return {
    allocate: (bytes) => Buffer.allocUnsafeSlow(bytes),
    write(block, position) {
      hash.update(block);
      const writing = last.then(() => writeFully(handle, block, position));
      last = writing.catch(() => undefined);
      return writing;
    },
    digest: async () => hash.digest('hex'),
    end: () => undefined,
  };
}

export function createBlockWriters(): BlockWriters {
  let idle: WriteWorker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const takeIdle = () => {
    const worker = idle;
    clearTimeout(idleTimer);
    idle = undefined;
    return worker;
  };
  const endIdle = () => void takeIdle()?.end();
  /** Keeps an idle worker for the next file. The timer does not keep the process from ending. */
  const keepIdle = (worker: WriteWorker) => {
    if (idle || isClosed || worker.isOver()) return void worker.end();
    idle = worker;
    idleTimer = setTimeout(endIdle, idleWorkerMs).unref();
  };
  const openInWorker = (handle: FileHandle): BlockWriting => {
    const kept = takeIdle();
    const worker = kept && !kept.isOver() ? kept : startWriteWorker();
    worker.begin(handle.fd);
    let isReleased = false;
    const release = () => {
      if (!isReleased) keepIdle(worker);
      isReleased = true;
    };
    return {
      allocate: worker.allocate,
      write: worker.write,
      digest: () => worker.digest().finally(release),
      end: release,
    };
  };
  return {
    open: (handle, expectedBytes) => (expectedBytes < workerFromBytes ? writeBlocks(handle) : openInWorker(handle)),
    close: () => {
      isClosed = true;
      endIdle();
    },
  };
}
