import { Worker } from 'node:worker_threads';
import { appError } from '../foundation/app-error.ts';

/**
 * A thread that writes one file after another and hashes it. It waits for the disk, which the main thread must not, and it spares the
 * turns between threads that node's own asynchronous writing takes for every block.
 */
export interface WritingThread {
  /** A new file, by its descriptor. */
  begin(descriptor: number): void;
  /** Memory that both threads see. It belongs to the file that was begun. */
  allocate(bytes: number): Buffer;
  write(block: Buffer, position: number): Promise<void>;
  /** Ends the file; answers its SHA-256 in lower-case hex. */
  digest(): Promise<string>;
  isOver(): boolean;
  end(): void;
}

/**
 * Text, because the program is one file and a thread would need another.
 *
 * Steps of 64 KiB: what was hashed is still in the processor's cache when it is written, and the page cache finds room for
 * it at once; for larger ones the system looks for larger free stretches of memory, which takes up to ten times as long.
 */
const threadText = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { writeSync } = require('node:fs');
const stepBytes = 64 * 1024;
let memories = [];
let hash;
let descriptor;
function write(memory, at, length, position) {
  const block = new Uint8Array(memories[memory], at, length);
  for (let from = 0; from < length; from += stepBytes) {
    const to = Math.min(length, from + stepBytes);
    hash.update(block.subarray(from, to));
    for (let done = from; done < to; ) done += writeSync(descriptor, block, done, to - done, position + done);
  }
}
parentPort.on('message', (message) => {
  if (message instanceof SharedArrayBuffer) return memories.push(message);
  if (typeof message === 'number') {
    memories = [];
    descriptor = message;
    hash = createHash('sha256');
  } else if (message === null) parentPort.postMessage(hash.digest('hex'));
  else {
    try {
      write(...message);
      parentPort.postMessage(null);
    } catch (error) {
      parentPort.postMessage({ code: error.code });
    }
  }
});
`;

type Block = readonly [memory: number, at: number, length: number, position: number];
type Answer = string | null | { readonly code: string | undefined };

interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

/** Starting it is 30 to 60 ms of work for another processor. */
export function startWritingThread(): WritingThread {
  const thread = new Worker(threadText, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  /** Memory is told to the thread once: telling it with every block leaves megabytes of rubbish there. */
  const memories = new Map<ArrayBufferLike, number>();
  const waiting: Waiting[] = [];
  let isOver = false;
  const over = () => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(appError('bug', 'the thread that writes ended'));
  };
  thread.on('message', (answer: Answer) => {
    const { resolve, reject } = waiting.shift() as Waiting;
    if (waiting.length === 0) thread.unref();
    if (answer === null || typeof answer === 'string') resolve(answer ?? '');
    else reject(Object.assign(new Error('the block was not written'), { code: answer.code }));
  });
  thread.on('error', over).on('exit', over);
  const ask = (message: Block | null) =>
    new Promise<string>((resolve, reject) => {
      // While somebody waits the process must not end.
      thread.ref();
      waiting.push({ resolve, reject });
      if (isOver) over();
      else thread.postMessage(message);
    });
  return {
    begin(descriptor) {
      memories.clear();
      thread.postMessage(descriptor);
    },
    allocate(bytes) {
      const memory = new SharedArrayBuffer(bytes);
      memories.set(memory, memories.size);
      thread.postMessage(memory);
      return Buffer.from(memory);
    },
    write: ({ buffer, byteOffset, length }, position) =>
      ask([memories.get(buffer) ?? -1, byteOffset, length, position]).then(() => undefined),
    digest: () => ask(null),
    isOver: () => isOver,
    end: () => void thread.terminate(),
  };
}
