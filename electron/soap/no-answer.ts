import type { ClientRequest } from 'node:http';
import { appError } from '../core/foundation/app-error.ts';

/** Interim answers (100, 102, 103) that are read before an answer. Real servers send one or two; a flood of them costs time and memory. */
const mostInterim = 20;

/**
 * Rejects in three cases for which node emits no error: the server switches to another protocol (101), it sends interim answers without end, or the connection
 * closes without an answer. Code that waits only for the answer would wait for ever. `reject` gets reply-unreadable (http-status) or service-unreachable
 * (connection-lost); after an answer the call has no effect.
 */
export function endWithoutAnswer(made: ClientRequest, reject: (error: Error) => void): void {
  const refuse = (status: number, why: string) => {
    reject(appError('reply-unreadable', why, { detail: 'http-status', serviceCode: String(status) }));
    made.destroy();
  };
  made.once('upgrade', (_response, socket) => {
    socket.destroy();
    refuse(101, 'answered HTTP 101, another protocol');
  });
  let interim = 0;
  made.on('information', ({ statusCode }) => {
    interim += 1;
    if (interim > mostInterim) refuse(statusCode, `answered HTTP ${statusCode} without end`);
  });
  made.once('close', () =>
    reject(appError('service-unreachable', 'closed without an answer', { detail: 'connection-lost' })),
  );
}
