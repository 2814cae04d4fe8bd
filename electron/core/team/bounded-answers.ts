import type { Duplex } from 'node:stream';
import { appError } from '../foundation/app-error.ts';

/** One message of the server, such as a row. The longest of ours are pieces of shared lists, below 1 MiB. */
const maxMessageBytes = 16 * 1024 * 1024;
/** All messages of one answer together. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** Kind and length of a message. */
const headBytes = 5;
const readyForQuery = 0x5a;

/**
 * Ends a connection whose server sends a message, or an answer, that is longer than any of ours, before the driver keeps it: whoever can write to the database could
 * otherwise fill the memory of every colleague's program with one row. Call it before the driver listens. PostgreSQL's protocol 3: a byte for the kind, four for the
 * length without the kind, the content.
 */
export function boundAnswers(stream: Duplex): void {
  const head = Buffer.alloc(headBytes);
  let headLength = 0;
  let contentLeft = 0;
  let answerBytes = 0;
  const isWithin = (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (contentLeft > 0) {
        const passed = Math.min(contentLeft, chunk.length - at);
        contentLeft -= passed;
        at += passed;
        continue;
      }
      head[headLength++] = chunk[at++] ?? 0;
      if (headLength < headBytes) continue;
      headLength = 0;
      contentLeft = Math.max(0, head.readUInt32BE(1) - 4);
      answerBytes = head[0] === readyForQuery ? 0 : answerBytes + contentLeft;
      if (contentLeft > maxMessageBytes || answerBytes > maxAnswerBytes) return false;
    }
    return true;
  };
  stream.on('data', (chunk: Buffer) => {
    if (stream.destroyed || isWithin(chunk)) return;
    stream.destroy(
      appError('not-connected', 'an answer of the team register is longer than any of ours', {
        detail: 'team-too-large',
      }),
    );
  });
}
