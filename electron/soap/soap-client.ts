import { Agent, type RequestOptions } from 'node:http';
import type { SecureContext } from 'node:tls';
import type { OperationName } from '../../contract/operation.ts';
import { appError, failureOf } from '../core/foundation/app-error.ts';
import { negativeCode } from './answers.ts';
import type { Arguments, CallOptions, CreateSoapClient, Credentials, Reply, ServiceTarget } from './client.ts';
import { openLink, type Route, trustedContext } from './connect.ts';
import { downloadDocument, receiveDocument } from './download.ts';
import { type Compose, createComposer, type Message } from './envelope.ts';
import { type Exchange, exchange, type Stage } from './exchange.ts';
import { type Consume, feedReply, type Reading } from './feed-reply.ts';
import { holdWriteErrors } from './hold-write-errors.ts';
import { listESign } from './list-esign.ts';
import { type OpenDocument, openDocument } from './open-document.ts';
import { operations } from './operations.ts';
import { createResultReader } from './read-result.ts';
import { readShape } from './read-shape.ts';
import { readHead, statusFailure } from './reply-head.ts';
import { settleFailure } from './settle-failure.ts';
import type { SocketBuffer } from './socket-buffer.ts';

/** A kept connection that nobody uses is closed after this. */
const keepMs = 20_000;

interface Wire {
  readonly target: ServiceTarget;
  readonly compose: Compose;
  readonly context: () => SecureContext;
  readonly route: Route;
  readonly kept: Agent;
  /** Set once the service has answered 417 to `Expect`. */
  refusesExpect: boolean;
  readonly hide: (text: string) => string;
}

/** A larger document is worth a connection of its own: what breaks off in the middle of it must not be sent a second time by itself. */
const smallMessageBytes = 256 * 1024;

/** Connections for reads without a large document; adds get a fresh one each. */
function keepingAgent(connect: (signal?: AbortSignal) => ReturnType<typeof openLink>): Agent {
  const agent = new Agent({ keepAlive: true, timeout: keepMs });
  agent.createConnection = (options, callback) => {
    connect((options as { signal?: AbortSignal }).signal).then(
      ({ socket }) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined as never;
  };
  return agent;
}

function hiding(credentials: Credentials | null): (text: string) => string {
  const secrets = [credentials?.apiKey, credentials?.apiSig].filter(
    (secret) => secret && secret.length > 3,
  ) as string[];
  return (text) => secrets.reduce((hidden, secret) => hidden.split(secret).join('•••'), text);
}

async function openAll(message: Message): Promise<OpenDocument[]> {
  const opened: OpenDocument[] = [];
  try {
    for (const part of message.parts) if (!Buffer.isBuffer(part)) opened.push(await openDocument(part));
    return opened;
  } catch (error) {
    for (const { handle } of opened) await handle.close();
    throw error;
  }
}

/** Reads with little in them go over kept connections: a new one for each of 10,000 small files would cost more than the files. */
function isKept(operation: OperationName, message: Message): boolean {
  const isSmall = message.sizeBytes <= smallMessageBytes;
  return operations[operation].effect === 'read' && isSmall && !isBulk(operation, message);
}

/** A document comes back over a connection that was made for it; with TLS that would gain nothing and cost a handshake. */
function isBulk(operation: OperationName, { url }: Message): boolean {
  return operation === 'GetDocument' && url.protocol === 'http:';
}

async function connectionFor(
  wire: Wire,
  operation: OperationName,
  message: Message,
  kept: boolean,
  options: CallOptions,
) {
  // Through a proxy http takes another request line, and which way of several was taken shows only once a link is there.
  const isDirect = message.url.protocol !== 'http:' || /^\s*(DIRECT\s*)?$/i.test(wire.target.proxy);
  if (kept && isDirect) {
    const connection: RequestOptions = { agent: wire.kept };
    return { connection, absoluteForm: false, intake: null, end: () => undefined };
  }
  const link = await openLink(message.url, wire.route, wire.context, options.signal, isBulk(operation, message));
  const { socket, absoluteForm, intake } = link;
  holdWriteErrors(socket);
  const connection: RequestOptions = { createConnection: () => socket };
  return { connection, absoluteForm, intake, end: () => void socket.destroy() };
}

async function attempt(
  wire: Wire,
  operation: OperationName,
  message: Message,
  documents: readonly OpenDocument[],
  stage: Stage,
  options: CallOptions,
  fresh: boolean,
): Promise<{ readonly answered: Exchange; readonly intake: SocketBuffer | null; readonly end: () => void }> {
  const kept = isKept(operation, message) && !fresh;
  const { end, intake, ...way } = await connectionFor(wire, operation, message, kept, options);
  try {
    const { timeouts } = wire.target;
    const answered = await exchange({
      message,
      documents,
      ...way,
      timeouts,
      mayExpect: !wire.refusesExpect,
      stage,
      options,
    });
    wire.refusesExpect ||= answered.refusedExpect;
    if (!answered.refusedExpect || stage.bodyBegan) return { answered, intake, end };
    answered.response.on('error', () => undefined);
    answered.request.destroy();
  } catch (error) {
    end();
    // The service may have closed a kept connection in the moment it was used again: that says nothing about the service.
    if (stage.reused && !stage.answered && failureOf(error)?.detail === 'connection-lost' && !options.signal?.aborted) {
      return attempt(wire, operation, message, documents, stage, options, true);
    }
    throw error;
  }
  end();
  return withoutExpect(wire, operation, message, documents, stage, options);
}

/**
 * Sends a request again whose head alone was turned away (RFC 9110, 10.1.1): no byte of its body has left, so nothing was taken. Where it cannot leave
 * again, what the service said stands.
 */
async function withoutExpect(
  wire: Wire,
  operation: OperationName,
  message: Message,
  documents: readonly OpenDocument[],
  stage: Stage,
  options: CallOptions,
): ReturnType<typeof attempt> {
  Object.assign(stage, { departed: false, answered: false, reused: false } satisfies Partial<Stage>);
  try {
    return await attempt(wire, operation, message, documents, stage, options, true);
  } catch (error) {
    if (stage.departed || failureOf(error)?.code === 'cancelled') throw error;
    throw statusFailure(417);
  }
}

/** One operation from arguments to what `consume` makes of the reply. Rejects with a Failing, whatever happened. */
async function perform<T>(
  wire: Wire,
  operation: OperationName,
  args: Arguments,
  options: CallOptions,
  consume: Consume<T>,
): Promise<T> {
  const stage: Stage = {
    departed: false,
    bodyBegan: false,
    complete: false,
    answered: false,
    answeredWhole: false,
    reused: false,
  };
  let documents: readonly OpenDocument[] = [];
  let end: () => void = () => undefined;
  try {
    if (options.signal?.aborted) throw appError('cancelled', 'cancelled before it began');
    const message = await wire.compose(operation, args);
    documents = await openAll(message);
    const made = await attempt(wire, operation, message, documents, stage, options, false);
    const { request, response } = made.answered;
    end = () => {
      made.end();
      // An answer that came early leaves a request that will never be whole.
      if (!response.complete || !stage.complete) request.destroy();
    };
    response.on('error', () => undefined);
    const { status, charset } = readHead(response);
    const { target, hide } = wire;
    const { answeredWhole } = stage;
    return await consume(response, {
      target,
      operation,
      status,
      charset,
      options,
      hide,
      intake: made.intake,
      answeredWhole,
    });
  } catch (error) {
    throw settleFailure(operation, stage, error);
  } finally {
    end();
    for (const { handle } of documents) await handle.close().catch(() => undefined);
  }
}

/** An add that was carried out answers something: nothing at all says neither that it was nor that it was not. */
function assertConfirmed(operation: OperationName, isBlank: boolean): void {
  if (operations[operation].effect === 'add' && isBlank)
    throw appError('reply-unreadable', 'the result is empty', { detail: 'empty-reply' });
}

/**
 * A code may refuse what has not been read to its end. A success cannot be about it: somebody in between answered, or a service that did not look. Of an add it is not known then
 * what becomes of it.
 */
function assertWhole({ operation, answeredWhole }: Reading, { raw }: Reply): void {
  if (answeredWhole || negativeCode(raw)) return;
  const code = operations[operation].effect === 'add' ? 'outcome-unknown' : 'reply-unreadable';
  throw appError(code, `${operation} was answered before it had left`, { detail: 'early-reply' });
}

const readResult: Consume<Reply> = async (response, reading) => {
  const reader = createResultReader(reading);
  await feedReply(response, reading, reader.write);
  const reply = reader.end();
  assertConfirmed(reading.operation, reader.isBlank());
  assertWhole(reading, reply);
  return reply;
};

/**
 * Makes the client for one service with one pair of credentials; see the interfaces in client.ts. Every function rejects
 * with a Failing only. Nothing is connected before the first call.
 */
export const createSoapClient: CreateSoapClient = (target, credentials) => {
  const route: Route = { proxy: target.proxy, extraCa: target.extraCa, connectMs: target.timeouts.connectMs };
  let trusted: SecureContext | undefined;
  const context = () => {
    trusted ??= trustedContext(target.extraCa);
    return trusted;
  };
  const base = new URL(target.baseUrl);
  const wire: Wire = {
    target,
    compose: createComposer(target, credentials),
    context,
    route,
    refusesExpect: false,
    kept: keepingAgent((signal) => openLink(base, route, context, signal)),
    hide: hiding(credentials),
  };
  return {
    invoke: (operation, args, options = {}) => perform(wire, operation, args, options, readResult),
    shape: (operation, args, options = {}) => perform(wire, operation, args, options, readShape),
    listESign: (listType, maxItems, onEntries, options = {}) =>
      perform(wire, 'GetESignList', { ListType: listType, MaxItems: maxItems }, options, (response, reading) =>
        listESign(response, reading, onEntries),
      ),
    download: (documentId, place, options = {}) =>
      perform(wire, 'GetDocument', { ServiceDocumentID: documentId }, options, (response, reading) =>
        downloadDocument(response, reading, place),
      ),
    receive: (documentId, sink, options = {}) =>
      perform(wire, 'GetDocument', { ServiceDocumentID: documentId }, options, (response, reading) =>
        receiveDocument(response, reading, sink),
      ),
    close: () => wire.kept.destroy(),
  };
};
