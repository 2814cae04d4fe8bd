import { type IncomingMessage, request } from 'node:http';
import type { Failure } from '../../contract/failure.ts';
import { appError, failureOf } from '../core/foundation/app-error.ts';
import { feedReply } from './reply/feed-reply.ts';
import { createReplyFeed } from './reply/read-reply.ts';
import { isFault } from './reply/refusal.ts';
import { escapeText } from './request/arguments.ts';
import { soapHeaders } from './request/envelope.ts';
import type { ServiceTarget } from './service/client.ts';
import { soapVersionFor } from './service/operations.ts';
import { openLink } from './wire/connect.ts';
import { endWithoutAnswer, lostConnection } from './wire/connection-failure.ts';
import { createRoute } from './wire/network-route.ts';
import { assertAdmitted, proxyHeaders } from './wire/proxy.ts';
import { readHead } from './wire/reply-head.ts';
import { createWatchdog } from './wire/watchdog.ts';

/** No service has an operation of this name, so a call costs nothing and changes nothing. */
const noOperation = 'SealdeskAsksWhetherThisIsSoap';
const maxReplyUnits = 1024 * 1024;

const envelopes = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

/** A request without credentials, documents and children, in the SOAP version of Easy Sign. */
function requestFor(target: ServiceTarget) {
  const version = soapVersionFor(target, 'AddNewEasySignDocument');
  const namespace = escapeText(target.namespaceUri);
  const body = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelopes[version]}"><soap:Body><${noOperation} xmlns="${namespace}"/></soap:Body></soap:Envelope>`;
  return { body: Buffer.from(body), headers: soapHeaders(target, version, noOperation) };
}

/**
 * Calls an operation that cannot exist. Resolves with the fault, which shows a SOAP service at this address. Rejects with
 * reply-unreadable (html-page, redirected, http-status, not-xml, empty-reply, wrong-reply) for anything else, or as a
 * read does.
 */
export async function probePath(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Failure> {
  const { timeouts } = target;
  const link = await openLink(url, createRoute(target), signal);
  const { socket, absoluteForm } = link;
  const { body, headers } = requestFor(target);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({
        method: 'POST',
        path: absoluteForm ? url.href : `${url.pathname}${url.search}`,
        headers: {
          ...headers,
          Host: url.host,
          'Content-Length': body.length,
          'User-Agent': 'Sealdesk',
          Connection: 'close',
          ...proxyHeaders(link),
        },
        createConnection: () => socket,
      });
      const watchdog = createWatchdog((error) => asked.destroy(error), signal);
      watchdog.arm(timeouts.answerMs, 'no-answer-in-time');
      endWithoutAnswer(asked, reject);
      asked.on('error', (error) => {
        watchdog.end();
        reject(lostConnection(error, target.identity !== null));
      });
      asked.once('response', (answer) => {
        watchdog.end();
        resolve(answer.on('error', () => undefined));
      });
      asked.end(body);
    });
    assertAdmitted(response, link);
    return await faultIn(response, target, signal);
  } finally {
    socket.destroy();
  }
}

async function faultIn(response: IncomingMessage, target: ServiceTarget, signal: AbortSignal): Promise<Failure> {
  const { status, charset } = readHead(response);
  const redact = (text: string) => text;
  const operation = 'GetVersion';
  const reading = {
    target,
    operation,
    status,
    charset,
    options: { signal },
    redact,
    quote: redact,
    socketBuffer: null,
    answeredWhole: true,
  } as const;
  const nothing = { result: () => undefined, open: () => undefined, text: () => undefined, close: () => undefined };
  const feed = createReplyFeed({ ...reading, totalUnits: maxReplyUnits }, nothing);
  try {
    await feedReply(response, reading, feed.write);
    feed.end();
  } catch (error) {
    const failure = failureOf(error);
    if (failure && isFault(failure)) return failure;
    throw error;
  }
  throw appError('reply-unreadable', 'an answer to an operation that cannot exist', { detail: 'wrong-reply' });
}
