import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { failing } from '../core/failing.ts';

/** SHA-256 of blocks in the order in which they are given. */
export interface Hashing {
  /** Memory for blocks: only what lies in it may be given. */
  allocate(bytes: number): Buffer;
  /** A promise means: the block is still being read until it resolves. Rejects with bug where the thread ended. */
  update(block: Buffer): Promise<void> | undefined;
  /** Lower-case hex. */
  digest(): Promise<string>;
  /** Lets go of everything. Without effect after `digest`. */
  end(): void;
}

/** Hashing is a quarter of the work of a download: from here on a thread of its own is worth the 60 ms of work that it takes to start. */
const threadFromBytes = 192 * 1024 * 1024;

/** Text, because the program is one file and a thread would need another. Hashes in place: nothing is copied between the threads. */
const threadText = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('sha256');
const memories = [];
parentPort.on('message', (message) => {
  if (message instanceof SharedArrayBuffer) return memories.push(message);
  if (message === null) return parentPort.postMessage(hash.digest('hex'));
  hash.update(new Uint8Array(memories[message[0]], message[1], message[2]));
  parentPort.postMessage(null);
});
`;

function hashHere(): Hashing {
  const hash = createHash('sha256');
  return {
    allocate: (bytes) => Buffer.allocUnsafeSlow(bytes),
    update: (block) => void hash.update(block),
    digest: async () => hash.digest('hex'),
    end: () => undefined,
  };
}

interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

function hashInThread(): Hashing {
  const thread = new Worker(threadText, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  /** Memory is told to the thread once: telling it with every block leaves megabytes of rubbish there. */
  const memories = new Map<ArrayBufferLike, number>();
  const waiting: Waiting[] = [];
  let isOver = false;
  const over = () => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(failing('bug', 'the thread that hashes ended'));
  };
  thread.on('message', (answer: string | null) => waiting.shift()?.resolve(answer ?? ''));
  thread.on('error', over).on('exit', over);
  const ask = (block: readonly [memory: number, at: number, length: number] | null) =>
    new Promise<string>((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (isOver) over();
      else thread.postMessage(block);
    });
  const end = () => void thread.terminate();
  return {
    allocate: (bytes) => Buffer.from(new SharedArrayBuffer(bytes)),
    update: ({ buffer, byteOffset, length }) => {
      const memory = memories.get(buffer) ?? memories.size;
      if (memory === memories.size) {
        memories.set(buffer, memory);
        thread.postMessage(buffer);
      }
      return ask([memory, byteOffset, length]).then(() => undefined);
    },
    digest: () => ask(null).finally(end),
    end,
  };
}

/** For about `expectedBytes` in all. */
export function createHashing(expectedBytes: number): Hashing {
  return expectedBytes < threadFromBytes ? hashHere() : hashInThread();
}
