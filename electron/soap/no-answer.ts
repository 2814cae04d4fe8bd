import type { ClientRequest } from 'node:http';
import { appError } from '../core/foundation/app-error.ts';

/**
 * Rejects in two cases for which node emits no error: the server switches to another protocol (101), or the connection closes without an answer. Code that waits
 * only for the answer would wait for ever. `reject` gets reply-unreadable (http-status 101) or service-unreachable (connection-lost); after an answer the call has no effect.
 */
export function endWithoutAnswer(made: ClientRequest, reject: (error: Error) => void): void {
  made.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(
      appError('reply-unreadable', 'answered HTTP 101, another protocol', {
        detail: 'http-status',
        serviceCode: '101',
      }),
    );
    made.destroy();
  });
  made.once('close', () =>
    reject(appError('service-unreachable', 'closed without an answer', { detail: 'connection-lost' })),
  );
}
