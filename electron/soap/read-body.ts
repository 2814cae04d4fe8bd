import type { IncomingMessage } from 'node:http';
import { type Failing, failing, failureOf } from '../core/failing.ts';
import type { CallOptions } from './client.ts';
import { createWatch } from './watch.ts';

/** Takes a chunk; a promise holds the peer back until it resolves. Throwing ends the reading. */
export type OnChunk = (chunk: Buffer) => void | Promise<void>;

/** Length of the body by its own account; null where it gives none. */
export function announcedBytes(response: IncomingMessage): number | null {
  const text = response.headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Reads a body to its end. Rejects with reply-unreadable (truncated-reply) where it ends too early, with service-timeout
 * (no-progress-in-time) or cancelled, or with what `onChunk` threw; the response is destroyed then. Time in which
 * `onChunk` holds the peer back does not count.
 */
export function readBody(
  response: IncomingMessage,
  idleMs: number,
  options: CallOptions,
  onChunk: OnChunk,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const totalBytes = announcedBytes(response);
    let receivedBytes = 0;
    let over = false;
    let isHeld = false;
    let endedWhileHeld = false;
    const finish = (error?: unknown) => {
      if (over) return;
      over = true;
      watch.end();
      if (error === undefined) return resolve();
      response.destroy();
      reject(error);
    };
    const watch = createWatch((error: Failing) => finish(error), options.signal);
    const truncated = () => finish(failing('reply-unreadable', 'the reply broke off', { detail: 'truncated-reply' }));
    watch.arm(idleMs, 'no-progress-in-time');
    response.on('data', (chunk: Buffer) => {
      if (over) return;
      watch.touch();
      receivedBytes += chunk.length;
      options.onReceived?.(receivedBytes, totalBytes);
      try {
        const held = onChunk(chunk);
        if (!held) return;
        response.pause();
        isHeld = true;
        watch.arm(2 ** 31 - 1, 'no-progress-in-time');
        held.then(() => {
          if (over) return;
          isHeld = false;
          if (endedWhileHeld) return end();
          watch.arm(idleMs, 'no-progress-in-time');
          response.resume();
        }, finish);
      } catch (error) {
        finish(error);
      }
    });
    const end = () => (response.complete ? finish() : truncated());
    // node schedules the end before it hands out the last chunk: a pause in there comes too late for it.
    response.on('end', () => {
      if (isHeld) endedWhileHeld = true;
      else end();
    });
    response.on('error', (error) => (failureOf(error) ? finish(error) : truncated()));
    response.on('close', () => {
      if (!endedWhileHeld) truncated();
    });
    if (response.destroyed) truncated();
  });
}
