import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { startWritingThread, type WritingThread } from './writing-thread.ts';

/** Writes blocks to a file and hashes them, in the order in which they are given. */
export interface BlockWriting {
  /** Memory for blocks: only what lies in it may be given. */
  allocate(bytes: number): Buffer;
  /** The block is read until this settles. Rejects with the error of the system, or with bug where the thread ended. */
  write(block: Buffer, position: number): Promise<void>;
  /** SHA-256 of all blocks in lower-case hex. */
  digest(): Promise<string>;
  /** Lets go of everything, when no block is being written. */
  end(): void;
}

/** Below this there are a block or two, and nothing that could be done at the same time. */
const threadFromBytes = 1024 * 1024;
/** One download often follows another. */
const idleThreadMs = 30_000;

async function writeAll(handle: FileHandle, block: Buffer, position: number): Promise<void> {
  for (let done = 0; done < block.length; ) {
    const { bytesWritten } = await handle.write(block, done, block.length - done, position + done);
    done += bytesWritten;
  }
}

function writeHere(handle: FileHandle): BlockWriting {
  const hash = createHash('sha256');
  let last: Promise<unknown> = Promise.resolve();
  return {
    allocate: (bytes) => Buffer.allocUnsafeSlow(bytes),
    write(block, position) {
      hash.update(block);
      const writing = last.then(() => writeAll(handle, block, position));
      last = writing.catch(() => undefined);
      return writing;
    },
    digest: async () => hash.digest('hex'),
    end: () => undefined,
  };
}

let idle: WritingThread | undefined;
let idleTimer: NodeJS.Timeout | undefined;

function takeThread(): WritingThread {
  const thread = idle && !idle.isOver() ? idle : startWritingThread();
  clearTimeout(idleTimer);
  idle = undefined;
  return thread;
}

/** One thread is kept for a while; it keeps no process from ending. */
function giveBack(thread: WritingThread): void {
  if (idle || thread.isOver()) {
    thread.end();
    return;
  }
  idle = thread;
  idleTimer = setTimeout(() => {
    thread.end();
    idle = undefined;
  }, idleThreadMs).unref();
}

function writeInThread(handle: FileHandle): BlockWriting {
  const thread = takeThread();
  thread.begin(handle.fd);
  let given = false;
  const end = () => {
    if (!given) giveBack(thread);
    given = true;
  };
  return { allocate: thread.allocate, write: thread.write, digest: () => thread.digest().finally(end), end };
}

/** For about `expectedBytes` in all. The file is closed by whoever opened it, when no block is being written. */
export function createBlockWriting(handle: FileHandle, expectedBytes: number): BlockWriting {
  return expectedBytes < threadFromBytes ? writeHere(handle) : writeInThread(handle);
}
