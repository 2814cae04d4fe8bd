import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { appError, codeOf, failureOf } from '../core/foundation/app-error.ts';
import { startDeadline } from '../core/foundation/deadline.ts';
import type { CallOptions, ServiceTarget } from './client.ts';
import type { Message } from './envelope.ts';
import { endWithoutAnswer } from './no-answer.ts';
import { assertUnchanged, type OpenDocument } from './open-document.ts';
import { peerOf } from './peer.ts';
import { sendDocument } from './send-document.ts';
import { createWatch } from './watch.ts';

/** From this body size on the service is asked before the body leaves (`Expect: 100-continue`). */
const expectFromBytes = 1024 * 1024;
/** A service that knows nothing of it is not waited for any longer. */
const expectForMs = 1_000;
const pieceBytes = 64 * 1024;

/** How far an exchange came: what a failure means depends on it. */
export interface Stage {
  /** The first byte of the request was about to leave. */
  departed: boolean;
  /** A byte of its body was about to leave: before that no service can have begun with it. */
  bodyBegan: boolean;
  /** The last byte of the request was about to leave: before that no service can have had a whole request. */
  complete: boolean;
  answered: boolean;
  /** The answer began after the last byte had left: before that it cannot be the service's answer to the whole of it. */
  answeredWhole: boolean;
  /** It left over a connection that had been kept from an earlier request. */
  reused: boolean;
}

export interface Exchange {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  /** The service answered 417: it does not know `Expect`, and says so with the whole of what it has read. */
  readonly refusedExpect: boolean;
}

interface Given {
  readonly message: Message;
  readonly documents: readonly OpenDocument[];
  readonly connection: RequestOptions;
  readonly absoluteForm: boolean;
  readonly timeouts: ServiceTarget['timeouts'];
  /** False where the service is known not to take `Expect`. */
  readonly mayExpect: boolean;
  readonly stage: Stage;
  readonly options: CallOptions;
}

function requestOf({ message, connection, absoluteForm, stage, options }: Given, expects: boolean): ClientRequest {
  const { url, headers, sizeBytes } = message;
  const made = request({
    ...connection,
    method: 'POST',
    host: url.hostname,
    port: url.port || undefined,
    path: absoluteForm ? url.href : url.pathname,
    setHost: false,
    headers: {
      Host: url.host,
      ...headers,
      'Content-Length': sizeBytes,
      Accept: 'text/xml, application/soap+xml',
      'Accept-Encoding': 'identity',
      'User-Agent': 'Sealdesk',
      Connection: connection.agent ? 'keep-alive' : 'close',
      ...(expects ? { Expect: '100-continue' } : {}),
    },
  });
  // node gives a request its socket before it writes anything to it, and the sockets here are connected already.
  made.once('socket', (socket) => {
    stage.reused = made.reusedSocket;
    if (stage.departed) return;
    stage.departed = true;
    options.onDeparture?.(peerOf(message.url, socket));
  });
  return made;
}

/** A long text goes out in pieces, so that a slow line shows progress and is not taken for a stalled one. */
function piecesOf(part: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < part.length; at += pieceBytes) pieces.push(part.subarray(at, at + pieceBytes));
  return pieces;
}

/** The body, part by part; ends early when an answer has come or the request is over otherwise. */
async function sendBody(given: Given, made: ClientRequest, over: () => boolean, touch: () => void): Promise<void> {
  const { message, documents, stage, options } = given;
  let sentBytes = 0;
  // An answer that came early may leave writes without a callback for ever (node 20): nobody waits for them then.
  const waiting = new Set<() => void>();
  const letGo = () => {
    for (const resolve of waiting) resolve();
  };
  made.once('response', letGo).once('close', letGo);
  const write = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      if (over()) return resolve();
      stage.bodyBegan = true;
      waiting.add(resolve);
      made.write(bytes, (error) => {
        waiting.delete(resolve);
        if (error) return reject(error);
        touch();
        sentBytes += bytes.length;
        options.onSent?.(sentBytes, message.sizeBytes);
        resolve();
      });
    });
  let nextDocument = 0;
  for (const [index, part] of message.parts.entries()) {
    if (over()) return;
    if (!Buffer.isBuffer(part)) {
      await sendDocument(documents[nextDocument++] as OpenDocument, write, over);
    } else if (index < message.parts.length - 1) {
      for (const piece of piecesOf(part)) await write(piece);
    } else {
      const pieces = piecesOf(part);
      const last = pieces.pop();
      for (const piece of pieces) await write(piece);
      for (const document of documents) await assertUnchanged(document);
      if (over()) return;
      stage.bodyBegan = true;
      stage.complete = true;
      made.end(last);
      options.onSent?.(message.sizeBytes, message.sizeBytes);
    }
  }
}

/** Resolves when the service said "continue" or said nothing for a second. */
function invited(made: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const deadline = startDeadline(expectForMs, resolve);
    const go = () => {
      deadline.end();
      resolve();
    };
    made.once('continue', go).once('response', go).once('close', go);
    made.flushHeaders();
  });
}

/**
 * Sends a request and resolves with the head of the final answer, its body unread. An answer that comes before the whole
 * body has left ends the sending. Redirects are answers like others. Rejects with service-unreachable
 * (connection-lost), service-timeout, cancelled, file-changed or file-unreadable; what this means for an add is
 * decided by the caller from `stage`.
 */
export async function exchange(given: Given): Promise<Exchange> {
  const { message, timeouts, stage, options } = given;
  const expects = given.mayExpect && message.sizeBytes > expectFromBytes;
  const made = requestOf(given, expects);
  const refusesExpect = ({ statusCode }: IncomingMessage) => expects && statusCode === 417;
  const watch = createWatch((error) => made.destroy(error), options.signal);
  let early = false;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    made.on('error', (error) => {
      const known = failureOf(error);
      reject(
        known
          ? error
          : appError('service-unreachable', `connection broke: ${codeOf(error)}`, { detail: 'connection-lost' }),
      );
    });
    endWithoutAnswer(made, reject);
    made.once('response', (response) => {
      early = true;
      stage.answered = true;
      stage.answeredWhole = stage.complete && made.writableFinished;
      // Turned away unread: it is sent once more, and the answer to that is the answer.
      if (!(refusesExpect(response) && !stage.bodyBegan)) options.onAnswer?.();
      resolve(response);
    });
  });
  answer.catch(() => undefined);
  const connected = new Promise<void>((resolve) => made.once('socket', () => resolve()));
  const sent = (async () => {
    await Promise.race([connected, answer]);
    if (expects) await invited(made);
    watch.arm(timeouts.idleMs, 'no-progress-in-time');
    if (!early) await sendBody(given, made, () => early || made.destroyed, watch.touch);
    if (!early) watch.arm(timeouts.answerMs, 'no-answer-in-time');
  })();
  // A failed write says less than the answer, or the request's own error, which follows.
  const fileTrouble = sent.then(
    () => answer,
    (error: unknown) => {
      if (!failureOf(error)) return answer;
      made.destroy();
      throw error;
    },
  );
  try {
    const response = await Promise.race([answer, fileTrouble]);
    return { request: made, response, refusedExpect: refusesExpect(response) };
  } catch (error) {
    made.destroy();
    throw error;
  } finally {
    watch.end();
    // The files are closed after this: no reading of them may be under way.
    if (early || made.destroyed) await sent.catch(() => undefined);
  }
}
