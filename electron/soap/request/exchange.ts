import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { OperationName } from '../../../contract/operation.ts';
import { failureOf } from '../../core/foundation/app-error.ts';
import { startDeadline } from '../../core/foundation/deadline.ts';
import type { CallOptions, ServiceTarget } from '../service/client.ts';
import { peerOf } from '../trust/trust.ts';
import { endWithoutAnswer, lostConnection } from '../wire/connection-failure.ts';
import { proxyHeaders, type ThroughProxy } from '../wire/network-route.ts';
import { request } from '../wire/open-socket.ts';
import { createWatchdog, noLimitMs } from '../wire/watchdog.ts';
import type { Message } from './envelope.ts';
import { type OpenDocument, sendDocument } from './send-document.ts';

/** Larger bodies are sent with `Expect: 100-continue`. */
const expectFromBytes = 1024 * 1024;
/** Longest wait for `100 Continue`: some services do not know it. */
const expectForMs = 1_000;
const pieceBytes = 64 * 1024;

/** How far an exchange came. The meaning of a failure depends on it. */
export interface Stage {
  /** The first byte of the request was about to leave; with a file that is still being written, its last one: none before can make the request whole. */
  departed: boolean;
  /** A byte of its body was about to leave: before that no service can have started on it. */
  bodyBegan: boolean;
  /** The last byte of the request was about to leave: before that no service can have had a whole request. */
  complete: boolean;
  answered: boolean;
  /** The answer began after the last byte had left; an earlier answer cannot be about the whole request. */
  answeredWhole: boolean;
  /** The answer holds the operation's own response, so that the service has read the request, whatever the HTTP status. */
  responseBegan: boolean;
  /** It was sent over a keep-alive connection. */
  reused: boolean;
}

export interface Exchange {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  /** The service answered 417: it does not support `Expect`. */
  readonly refusedExpect: boolean;
}

/** One request and how far it came. */
export interface Outgoing {
  readonly operation: OperationName;
  readonly message: Message;
  readonly documents: readonly OpenDocument[];
  readonly stage: Stage;
  readonly options: CallOptions;
}

interface ExchangeInput extends Outgoing, ThroughProxy {
  readonly connection: RequestOptions;
  readonly presentsCertificate: boolean;
  readonly timeouts: ServiceTarget['timeouts'];
  /** False if the service is known to refuse `Expect`. */
  readonly mayExpect: boolean;
}

function requestOf(
  { message, connection, absoluteForm, proxyAuthorization }: ExchangeInput,
  expects: boolean,
): ClientRequest {
  const { url, headers, sizeBytes } = message;
  return request({
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
      ...proxyHeaders({ absoluteForm, proxyAuthorization }),
      ...(expects ? { Expect: '100-continue' } : {}),
    },
  });
}

/** Resolves when the request may leave. node assigns the socket before it writes to it, a head with `Expect` at once; these sockets are connected already. */
function departure(made: ClientRequest, { message, documents, stage, options }: ExchangeInput): Promise<void> {
  return new Promise((resolve) => {
    made.once('socket', (socket) => {
      stage.reused = made.reusedSocket;
      const recorded = stage.departed ? undefined : options.onDeparture?.(peerOf(message.url, socket));
      stage.departed = documents.every(({ growing }) => !growing);
      socket.cork();
      resolve(Promise.resolve(recorded).finally(() => socket.uncork()));
    });
  });
}

/** Cuts a long text in pieces, so that a slow connection shows progress and does not count as stalled. */
function piecesOf(part: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < part.length; at += pieceBytes) pieces.push(part.subarray(at, at + pieceBytes));
  return pieces;
}

/** Sends the body part by part; stops when an answer has arrived or the request has ended otherwise. */
async function sendBody(
  input: ExchangeInput,
  made: ClientRequest,
  over: () => boolean,
  watchdog: ReturnType<typeof createWatchdog>,
): Promise<void> {
  const { message, documents, stage, options, timeouts } = input;
  let sentBytes = 0;
  // After an early answer node 20 may never call the callback of a write: stop waiting for it.
  const waiting = new Set<() => void>();
  const ended = new AbortController();
  const releaseAll = () => {
    ended.abort();
    for (const resolve of waiting) resolve();
  };
  const locally = async (work: Promise<void>) => {
    watchdog.arm(noLimitMs, 'no-progress-in-time');
    await work;
    if (!over()) watchdog.arm(timeouts.idleMs, 'no-progress-in-time');
  };
  made.once('response', releaseAll).once('close', releaseAll);
  const write = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      if (over()) return resolve();
      stage.bodyBegan = true;
      waiting.add(resolve);
      made.write(bytes, (error) => {
        waiting.delete(resolve);
        if (error) return reject(error);
        watchdog.touch();
        sentBytes += bytes.length;
        options.onSent?.(sentBytes, message.sizeBytes);
        resolve();
      });
    });
  let nextDocument = 0;
  for (const [index, part] of message.parts.entries()) {
    if (over()) return;
    if (!Buffer.isBuffer(part)) {
      await sendDocument(documents[nextDocument++] as OpenDocument, write, { over: ended.signal, locally });
    } else if (index < message.parts.length - 1) {
      for (const piece of piecesOf(part)) await write(piece);
    } else {
      const pieces = piecesOf(part);
      const last = pieces.pop();
      for (const piece of pieces) await write(piece);
      if (over()) return;
      Object.assign(stage, { departed: true, bodyBegan: true, complete: true } satisfies Partial<Stage>);
      made.end(last);
      options.onSent?.(message.sizeBytes, message.sizeBytes);
    }
  }
}

/** Resolves with `100 Continue`, or after a second without it. */
function awaitContinue(made: ClientRequest): Promise<void> {
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
 * Sends a request and resolves with the head of the final answer, its body unread. An answer that arrives before the whole
 * body has left ends the sending. Redirects are answers too. Rejects with service-unreachable
 * (connection-lost), service-timeout, cancelled, file-changed or file-unreadable; the caller decides from `stage` what this means
 * for an add.
 */
export async function exchange(input: ExchangeInput): Promise<Exchange> {
  const { message, timeouts, stage, options } = input;
  const expects = input.mayExpect && message.sizeBytes > expectFromBytes;
  const made = requestOf(input, expects);
  const refusesExpect = ({ statusCode }: IncomingMessage) => expects && statusCode === 417;
  const watchdog = createWatchdog((error) => made.destroy(error), options.signal);
  let early = false;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    made.on('error', (error) => reject(lostConnection(error, input.presentsCertificate)));
    endWithoutAnswer(made, reject);
    made.once('response', (response) => {
      early = true;
      stage.answered = true;
      stage.answeredWhole = stage.complete && made.writableFinished;
      // A refused head is sent once more; the answer to that counts.
      if (!(refusesExpect(response) && !stage.bodyBegan)) options.onAnswer?.();
      resolve(response);
    });
  });
  answer.catch(() => undefined);
  const departed = departure(made, input);
  const sent = (async () => {
    await Promise.race([departed, answer]);
    if (early || made.destroyed) return;
    if (expects) await awaitContinue(made);
    watchdog.arm(timeouts.idleMs, 'no-progress-in-time');
    if (!early) await sendBody(input, made, () => early || made.destroyed, watchdog);
    if (!early) watchdog.arm(timeouts.answerMs, 'no-answer-in-time');
  })();
  // A failed write says less than the answer or the request's own error, which follows.
  const fileFailure = sent.then(
    () => answer,
    (error: unknown) => {
      if (!failureOf(error)) return answer;
      made.destroy();
      throw error;
    },
  );
  try {
    const response = await Promise.race([answer, fileFailure]);
    return { request: made, response, refusedExpect: refusesExpect(response) };
  } catch (error) {
    made.destroy();
    throw error;
  } finally {
    watchdog.end();
    // The caller closes the files next: no read of them may be in progress.
    if (early || made.destroyed) await sent.catch(() => undefined);
  }
}
