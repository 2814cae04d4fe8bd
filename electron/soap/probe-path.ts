import type { IncomingMessage } from 'node:http';
import type { Failure } from '../../contract/failure.ts';
import { appError, failureOf } from '../core/foundation/app-error.ts';
import { feedReply } from './reply/feed-reply.ts';
import { createReplyFeed, noEvents } from './reply/read-reply.ts';
import { isFault } from './reply/refusal.ts';
import { envelopeNamespaces, escapeText, soapHeaders } from './request/envelope.ts';
import type { ServiceTarget } from './service/client.ts';
import { soapVersionFor } from './service/operations.ts';
import { ask } from './wire/ask.ts';
import { createRoute } from './wire/network-route.ts';
import { readHead } from './wire/reply-head.ts';

/** No service has an operation of this name, so a call costs nothing and changes nothing. */
const noOperation = 'SealdeskAsksWhetherThisIsSoap';
const maxReplyUnits = 1024 * 1024;

/**
 * Calls an operation that cannot exist, in the SOAP version of Easy Sign, without credentials. Resolves with the fault, which shows a SOAP service at this address.
 * Rejects with reply-unreadable (html-page, redirected, http-status, not-xml, empty-reply, wrong-reply) for anything else, or as a read does.
 */
export async function probePath(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Failure> {
  const version = soapVersionFor(target, 'AddNewEasySignDocument');
  const namespace = escapeText(target.namespaceUri);
  const envelope = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelopeNamespaces[version]}"><soap:Body><${noOperation} xmlns="${namespace}"/></soap:Body></soap:Envelope>`;
  const headers = soapHeaders(target, version, noOperation);
  const { answerMs } = target.timeouts;
  const question = { url, headers, body: Buffer.from(envelope), answerMs, signal };
  return await ask(question, createRoute(target), (response) => faultIn(response, target, signal));
}

async function faultIn(response: IncomingMessage, target: ServiceTarget, signal: AbortSignal): Promise<Failure> {
  const redact = (text: string) => text;
  const reading = { target, operation: 'GetVersion', ...readHead(response), options: { signal }, redact } as const;
  const feed = createReplyFeed(reading, maxReplyUnits, noEvents);
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
