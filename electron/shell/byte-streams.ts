import { randomUUID } from 'node:crypto';
import type { FileToken } from '../../contract/files.ts';
import { appError, orNotFound } from '../core/foundation/app-error.ts';
import { chunkBytes } from './channels.ts';

/**
 * Limits for one window: enough for a person with a mail client, too little to fill a disk unnoticed. Sizes in bytes,
 * times in milliseconds.
 */
const limits = { open: 8, bytesPerFile: 4 * 1024 ** 3, idleMs: 60_000 };

interface OpenStream {
  push(bytes: Uint8Array): Promise<void>;
  end(): Promise<FileToken>;
  fail(reason: Error): void;
}

/** Transfers files without a path from the window to the core, in pieces. */
export type ByteStreams = ReturnType<typeof createByteStreams>;

type Accept = (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<FileToken>;

/** `accept` is Core.acceptStream. Every function rejects or throws an AppError on failure. */
export function createByteStreams(accept: Accept, bounds: Partial<typeof limits> = {}) {
  const bound = { ...limits, ...bounds };
  const streams = new Map<string, OpenStream>();
  const get = (id: string): OpenStream => orNotFound(streams.get(id), 'no such stream');
  const drop = (id: string): void => {
    streams.get(id)?.fail(appError('cancelled', 'the file was not handed over to the end'));
    streams.delete(id);
  };
  return {
    /** Opens a stream and returns its id. */
    open(name: string): string {
      if (streams.size >= bound.open) throw appError('bad-input', 'too many files at the same time');
      const id = randomUUID();
      streams.set(
        id,
        openStream(accept, name, bound, () => drop(id)),
      );
      return id;
    },
    /** Resolves when the core has read the piece; the window sends the next one only then. */
    async push(id: string, bytes: Uint8Array) {
      if (bytes.byteLength > chunkBytes) throw appError('bad-input', 'piece too large');
      await get(id).push(bytes);
    },
    async end(id: string): Promise<FileToken> {
      const stream = get(id);
      streams.delete(id);
      return stream.end();
    },
    /** Aborts one stream, or all of them when the page has gone; the core removes what it spooled. */
    drop,
    dropAll: () => {
      for (const id of [...streams.keys()]) drop(id);
    },
  };
}

/** One file, passed on piece by piece without a queue, so that nothing accumulates in memory. */
function openStream(accept: Accept, name: string, bound: typeof limits, onIdle: () => void): OpenStream {
  const pipe = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 }, { highWaterMark: 0 });
  const writer = pipe.writable.getWriter();
  let received = 0;
  let idle = setTimeout(onIdle, bound.idleMs);
  const restartIdleTimer = () => {
    clearTimeout(idle);
    idle = setTimeout(onIdle, bound.idleMs);
  };
  const accepted = accept(name, pipe.readable as unknown as AsyncIterable<Uint8Array>);
  // The core's failure (such as a full disk) rejects the next `push`; without this line it would also be an unhandled
  // rejection.
  accepted.catch((reason: unknown) => writer.abort(reason).catch(() => undefined));
  writer.closed.catch(() => undefined);
  return {
    async push(bytes) {
      restartIdleTimer();
      received += bytes.byteLength;
      if (received > bound.bytesPerFile) {
        onIdle();
        throw appError('bad-input', 'file too large to be handed over without a path');
      }
      await writer.write(bytes);
    },
    async end() {
      clearTimeout(idle);
      await writer.close();
      return accepted;
    },
    fail(reason) {
      clearTimeout(idle);
      void writer.abort(reason).catch(() => undefined);
    },
  };
}
