import type { IncomingMessage } from 'node:http';
import type { OnReadOpts, Socket } from 'node:net';
import { announcedBytes } from './reply-head.ts';

/** As much as is read at once: four times fewer reads than node's own 64 KiB, and still within the processor's cache. */
const intakeBytes = 256 * 1024;

/** Takes bytes that are only good until it returns. */
export type TakeBytes = (bytes: Buffer) => void;

/**
 * A connection that reads into one buffer of its own, again and again. node allocates 64 KiB for every read, and node:http copies what is a body once more:
 * together that is three times the work of the reading itself. Until somebody takes the bytes, node:http gets them, copied.
 */
export interface SocketBuffer {
  readonly onread: OnReadOpts;
  /** Once, before the first byte. */
  serve(socket: Socket): void;
  /** From now on bytes go to `take` and no longer to node:http. */
  divert(take: TakeBytes): void;
}

export function createSocketBuffer(): SocketBuffer {
  const buffer = Buffer.allocUnsafeSlow(intakeBytes);
  let taking: TakeBytes | undefined;
  return {
    onread: {
      buffer,
      callback(length) {
        taking?.(buffer.subarray(0, length));
        return true;
      },
    },
    serve(socket) {
      taking = (bytes) => void socket.emit('data', Buffer.from(bytes));
    },
    divert(take) {
      taking = take;
    },
  };
}

/** A body that was taken off node:http. */
export interface DivertedBody {
  /** What node:http had read of it already. */
  readonly first: Buffer;
  readonly socket: Socket;
}

/**
 * Takes the body of an answer off node:http, which then never sees its end: the connection cannot be used again. Null where
 * the end is not told by a Content-Length, or where all has arrived: then nothing is changed.
 */
export function divertBody(response: IncomingMessage, intake: SocketBuffer, take: TakeBytes): DivertedBody | null {
  const isFramed = announcedBytes(response) !== null && response.headers['transfer-encoding'] === undefined;
  if (!isFramed || response.complete || response.destroyed) return null;
  intake.divert(take);
  const first: Buffer[] = [];
  for (let bytes = response.read() as Buffer | null; bytes !== null; bytes = response.read()) first.push(bytes);
  return { first: Buffer.concat(first), socket: response.socket };
}
