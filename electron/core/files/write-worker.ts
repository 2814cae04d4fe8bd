import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { serveWorker } from '../foundation/worker-channel.ts';

/**
 * Bytes hashed and written in one step. A hashed step is still in the processor's cache when it is written, and the page cache finds memory for it at once; for
 * larger steps the system searches larger free ranges of memory, which takes up to ten times as long.
 */
const stepBytes = 64 * 1024;

let memories: SharedArrayBuffer[] = [];
let hash = createHash('sha256');
let descriptor = -1;

const actions = {
  /** Begins a new file, given by its descriptor; releases the memory of the file before. */
  begin(file: number): void {
    memories = [];
    descriptor = file;
    hash = createHash('sha256');
  },
  /** Adds a memory for blocks; they are numbered from 0. */
  share(memory: SharedArrayBuffer): void {
    memories.push(memory);
  },
  /** Hashes and writes `length` bytes of a shared memory from `at` to `position` in the file. */
  write(memory: number, at: number, length: number, position: number): void {
    const block = new Uint8Array(memories[memory] as SharedArrayBuffer, at, length);
    for (let from = 0; from < length; from += stepBytes) {
      const to = Math.min(length, from + stepBytes);
      hash.update(block.subarray(from, to));
      for (let done = from; done < to; ) done += writeSync(descriptor, block, done, to - done, position + done);
    }
  },
  /** SHA-256 of all blocks in lower-case hex. */
  digest(): string {
    return hash.digest('hex');
  },
};

export type WriteActions = typeof actions;

serveWorker(actions);
