import type { IncomingMessage } from 'node:http';
import { appError } from '../../core/foundation/app-error.ts';
import { startDeadline } from '../../core/foundation/deadline.ts';
import { type Link, openLink } from './connect.ts';
import { endWithoutAnswer, lostConnection } from './connection-failure.ts';
import { assertAdmitted, type NetworkRoute, proxyHeaders } from './network-route.ts';
import { request } from './open-socket.ts';
import { createWatchdog } from './watchdog.ts';

/** A request besides the calls of a service: small, without a document, over a connection of its own. */
export interface Question {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; GET without it. */
  readonly body?: Buffer;
  readonly answerMs: number;
  readonly signal?: AbortSignal;
}

function answerTo({ url, headers, body, answerMs, signal }: Question, link: Link, presentsCertificate: boolean) {
  const { socket, absoluteForm } = link;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      method: body ? 'POST' : 'GET',
      path: absoluteForm ? url.href : `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        ...headers,
        ...(body ? { 'Content-Length': body.length } : {}),
        'User-Agent': 'Sealdesk',
        Connection: 'close',
        ...proxyHeaders(link),
      },
      createConnection: () => socket,
    });
    const watchdog = createWatchdog((error) => asked.destroy(error), signal);
    watchdog.arm(answerMs, 'no-answer-in-time');
    endWithoutAnswer(asked, reject);
    asked.on('error', (error) => {
      watchdog.end();
      reject(lostConnection(error, presentsCertificate));
    });
    asked.once('response', (response) => {
      watchdog.end();
      resolve(response);
    });
    asked.end(body);
  });
}

/** Resolves with what `read` makes of the answer. Rejects as it does, or with service-unreachable, service-timeout or cancelled. */
export async function ask<T>(
  question: Question,
  route: NetworkRoute,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const link = await openLink(question.url, route, question.signal);
  try {
    const response = await answerTo(question, link, route.trust.presentsCertificate);
    response.on('error', () => undefined);
    assertAdmitted(response, link);
    return await read(response);
  } finally {
    link.socket.destroy();
  }
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
