import type { Socket } from 'node:net';
import { startDeadline } from '../core/foundation/deadline.ts';

/** How long an answer may still arrive after the peer stopped taking bytes. */
const graceMs = 2_000;

type Done = (error?: Error | null) => void;
interface Writing {
  _write(chunk: unknown, encoding: BufferEncoding, done: Done): void;
  _writev?(chunks: unknown, done: Done): void;
}

/**
 * Makes an answer readable that is already in transit when writing fails. A peer that refuses early (413, 401, a
 * fault) answers and closes; the next write then fails with EPIPE or ECONNRESET, and node destroys the socket with the unread
 * answer. This function delays such an error until the reading side has ended too, or `graceMs` have passed.
 */
export function holdWriteErrors(socket: Socket): void {
  const writing = socket as unknown as Writing;
  const held = (done: Done): Done => {
    return (error) => {
      const code = (error as { code?: string } | null | undefined)?.code;
      if (socket.destroyed || socket.readableEnded || (code !== 'EPIPE' && code !== 'ECONNRESET')) return done(error);
      const release = () => {
        deadline.end();
        socket.off('end', release).off('close', release);
        done(error);
      };
      const deadline = startDeadline(graceMs, release);
      socket.once('end', release).once('close', release);
    };
  };
  const { _write, _writev } = writing;
  writing._write = (chunk, encoding, done) => _write.call(socket, chunk, encoding, held(done));
  if (_writev) writing._writev = (chunks, done) => _writev.call(socket, chunks, held(done));
}
