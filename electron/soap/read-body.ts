import type { IncomingMessage } from 'node:http';
import { type AppError, appError, failureOf } from '../core/foundation/app-error.ts';
import type { CallOptions } from './client.ts';
import { contentCoding, createBodyDecoding } from './reply-coding.ts';
import { announcedBytes } from './reply-head.ts';
import { divertBody, type SocketBuffer } from './socket-buffer.ts';
import { createWatch } from './watch.ts';

/** Takes a chunk; a promise holds the peer back until it resolves. Throwing ends the reading. */
export type OnChunk = (chunk: Buffer) => void | Promise<void>;

/**
 * Reads a body to its end. Rejects with reply-unreadable (truncated-reply) where it ends too early, with service-timeout
 * (no-progress-in-time) or cancelled, or with what `onChunk` threw; the response is destroyed then. Time in which
 * `onChunk` holds the peer back does not count. With an intake a chunk is only good until `onChunk` returns. A coded body (gzip) is handed out decoded;
 * the bytes that are told stay those of the wire.
 */
export function readBody(
  response: IncomingMessage,
  idleMs: number,
  options: CallOptions,
  onChunk: OnChunk,
  intake: SocketBuffer | null = null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const totalBytes = announcedBytes(response);
    const coding = contentCoding(response);
    const decoding = coding && createBodyDecoding(coding, onChunk);
    const take: OnChunk = decoding ? decoding.write : onChunk;
    let receivedBytes = 0;
    let over = false;
    let isHeld = false;
    let endedWhileHeld = false;
    const finish = (error?: unknown) => {
      if (over) return;
      over = true;
      watch.end();
      if (error === undefined) return resolve();
      decoding?.destroy();
      response.destroy();
      reject(error);
    };
    const watch = createWatch((error: AppError) => finish(error), options.signal);
    const truncated = () => finish(appError('reply-unreadable', 'the reply broke off', { detail: 'truncated-reply' }));
    const hold = (until: Promise<void>) => {
      flow.pause();
      isHeld = true;
      watch.arm(2 ** 31 - 1, 'no-progress-in-time');
      until.then(() => {
        if (over) return;
        isHeld = false;
        if (endedWhileHeld) return end();
        watch.arm(idleMs, 'no-progress-in-time');
        flow.resume();
      }, finish);
    };
    const receive = (chunk: Buffer) => {
      if (over || chunk.length === 0) return;
      watch.touch();
      receivedBytes += chunk.length;
      options.onReceived?.(receivedBytes, totalBytes);
      try {
        const held = take(chunk);
        if (held) hold(held);
      } catch (error) {
        finish(error);
      }
    };
    const ended = () => {
      if (isHeld) endedWhileHeld = true;
      else end();
    };
    const end = () => {
      if (!diverted && !response.complete) return truncated();
      if (!decoding) return finish();
      endedWhileHeld = true;
      watch.arm(2 ** 31 - 1, 'no-progress-in-time');
      decoding.end().then(() => finish(), finish);
    };
    const diverted =
      intake &&
      !decoding &&
      divertBody(response, intake, (bytes) => {
        receive(bytes.subarray(0, (totalBytes ?? 0) - receivedBytes));
        if (receivedBytes === totalBytes) ended();
      });
    const flow = diverted ? diverted.socket : response;
    watch.arm(idleMs, 'no-progress-in-time');
    if (diverted) {
      receive(diverted.first);
      if (!isHeld) flow.resume();
    } else {
      response.on('data', receive);
      // node schedules the end before it hands out the last chunk: a pause in there comes too late for it.
      response.on('end', ended);
    }
    response.on('error', (error) => (failureOf(error) ? finish(error) : truncated()));
    response.on('close', () => {
      if (!endedWhileHeld) truncated();
    });
    if (response.destroyed) truncated();
  });
}
