import { startWorker } from '../foundation/worker-channel.ts';
import type { WriteActions } from './write-worker.ts';

/**
 * A worker that writes and hashes one file after another. It waits for the disk, which the main thread must not do, and it avoids the
 * switches between threads that Node's own asynchronous writing needs for every block.
 */
export interface WriteWorker {
  /** Begins a new file, given by its descriptor. */
  begin(descriptor: number): void;
  /** Memory shared by both threads, for blocks of the file that was begun. */
  allocate(bytes: number): Buffer;
  /** Rejects with an error that has the system's code, or with bug if the worker ended. */
  write(block: Buffer, position: number): Promise<void>;
  /** Ends the file; answers its SHA-256 in lower-case hex. */
  digest(): Promise<string>;
  isOver(): boolean;
  end(): Promise<void>;
}

export function startWriteWorker(): WriteWorker {
  const { ask, isOver, end } = startWorker<WriteActions>(new URL('./write-worker.ts', import.meta.url), {
    maxOldGenerationSizeMb: 16,
    maxYoungGenerationSizeMb: 2,
  });
  /** Each memory is sent to the worker only once: sending it with every block leaves megabytes of garbage there. */
  const memories = new Map<ArrayBufferLike, number>();
  // If the worker ended, the next block or the digest rejects.
  const send = (sent: Promise<void>) => void sent.catch(() => undefined);
  return {
    begin(descriptor) {
      memories.clear();
      send(ask('begin', descriptor));
    },
    allocate(bytes) {
      const memory = new SharedArrayBuffer(bytes);
      memories.set(memory, memories.size);
      send(ask('share', memory));
      return Buffer.from(memory);
    },
    write: ({ buffer, byteOffset, length }, position) =>
      ask('write', memories.get(buffer) ?? -1, byteOffset, length, position),
    digest: () => ask('digest'),
    isOver,
    end,
  };
}
