import type { IncomingMessage } from 'node:http';
import type { OnReadOpts, Socket } from 'node:net';
import { announcedBytes } from './reply-head.ts';

/**
 * Size of one read. The socket seldom has as much, so that node looks after its other work after each read: it goes on reading without a break while a read fills its buffer.
 */
const bufferBytes = 1024 * 1024;

/** Takes bytes that are valid only until it returns. */
export type TakeBytes = (bytes: Buffer) => void;

export type SocketBuffer = ReturnType<typeof createSocketBuffer>;

/**
 * Makes a connection read into one reused buffer. node allocates 64 KiB for every read, and node:http copies a body once more:
 * together that is three times the work of the read itself. Until `divert` is called, node:http gets copies of the bytes.
 */
export function createSocketBuffer() {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let taking: TakeBytes | undefined;
  return {
    onread: {
      buffer,
      callback(length) {
        taking?.(buffer.subarray(0, length));
        return true;
      },
    } satisfies OnReadOpts,
    /** Call once, before the first byte. */
    serve(socket: Socket) {
      taking = (bytes) => void socket.emit('data', Buffer.from(bytes));
    },
    /** From now on passes bytes to `take` instead of node:http. */
    divert(take: TakeBytes) {
      taking = take;
    },
  };
}

/**
 * Makes the body of an answer bypass node:http, which then never sees its end: the connection cannot be used again. `first` is the part
 * that node:http had read before. Null, and nothing changes, without a Content-Length or if the whole body has arrived.
 */
export function divertBody(
  response: IncomingMessage,
  socketBuffer: SocketBuffer,
  take: TakeBytes,
): { readonly first: Buffer; readonly socket: Socket } | null {
  const isFramed = announcedBytes(response) !== null && response.headers['transfer-encoding'] === undefined;
  if (!isFramed || response.complete || response.destroyed) return null;
  socketBuffer.divert(take);
  const first: Buffer[] = [];
  for (let bytes = response.read() as Buffer | null; bytes !== null; bytes = response.read()) first.push(bytes);
  return { first: Buffer.concat(first), socket: response.socket };
}
