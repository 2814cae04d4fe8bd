import { type IncomingMessage, request } from 'node:http';
import { appError } from '../../core/foundation/app-error.ts';
import { startDeadline } from '../../core/foundation/deadline.ts';
import type { Link } from './connect.ts';
import { endWithoutAnswer, lostConnection } from './connection-failure.ts';
import { proxyHeaders } from './proxy.ts';
import { createWatchdog } from './watchdog.ts';

/** A plain GET of an address, besides the calls of a service. */
export interface GetOptions {
  readonly accept: string;
  readonly presentsCertificate: boolean;
  readonly answerMs: number;
  readonly signal?: AbortSignal;
}

/** Asks over an open connection, and resolves with the head of the answer. Rejects with service-unreachable, service-timeout or cancelled. */
export function getOver(link: Link, url: URL, options: GetOptions): Promise<IncomingMessage> {
  const { socket, absoluteForm } = link;
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: absoluteForm ? url.href : `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        Accept: options.accept,
        'Accept-Encoding': 'identity',
        'User-Agent': 'Sealdesk',
        Connection: 'close',
        ...proxyHeaders(link),
      },
      createConnection: () => socket,
    });
    const watchdog = createWatchdog((error) => asked.destroy(error), options.signal);
    watchdog.arm(options.answerMs, 'no-answer-in-time');
    endWithoutAnswer(asked, reject);
    asked.on('error', (error) => {
      watchdog.end();
      reject(lostConnection(error, options.presentsCertificate));
    });
    asked.once('response', (response) => {
      watchdog.end();
      resolve(response);
    });
    asked.end();
  });
}

/**
 * Runs `work` with a signal that aborts after `ms`: a peer that sends byte by byte never reaches the other limits. Rejects then with
 * service-timeout (no-answer-in-time), whatever `work` rejected with.
 */
export async function withinTotal<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const total = new AbortController();
  const limit = startDeadline(ms, () => total.abort());
  try {
    return await work(signal ? AbortSignal.any([signal, total.signal]) : total.signal);
  } catch (error) {
    if (!total.signal.aborted || signal?.aborted) throw error;
    throw appError('service-timeout', `not whole after ${ms} ms`, { detail: 'no-answer-in-time' });
  } finally {
    limit.end();
  }
}
