import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Operation } from './interface.ts';
import type { FaultRule, Mischiefs } from './misbehave.ts';
import { type Answer, argumentsOf, Refusal, type Service } from './operation-call.ts';
import { perform } from './perform.ts';
import { type AnswerContext, answerBody, textBody } from './wire/answer-body.ts';
import { type DocumentSink, openDocumentSink } from './wire/document-sink.ts';
import { actionOf, requireAction, soapVersionOf } from './wire/envelope-reader.ts';
import { contentType, faultEnvelope, MalformedRequest, SoapFault, type SoapVersion } from './wire/faults.ts';
import { type HttpAnswer, page, type Sending, send } from './wire/http-server.ts';
import { RequestScanner, type ScannedRequest } from './wire/request-scanner.ts';

export interface ExchangeContext {
  readonly service: Service;
  readonly namespaceUri: string;
  readonly wireName: (name: string) => string;
  readonly ignoresUnknown: boolean;
  readonly mischiefs: () => Mischiefs;
  readonly onRequest: (scanned: ScannedRequest, version: SoapVersion) => void;
  readonly closing: AbortSignal;
}

interface Exchange {
  readonly context: ExchangeContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: Operation['path'];
  readonly version: SoapVersion;
  readonly awaitsContinue: boolean;
  mischief: FaultRule | null;
}

/** Handles one POST from its headers to the end of its answer. Resolves with the text for the log. */
export async function answerPost(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: Operation['path'],
  awaitsContinue: boolean,
): Promise<string> {
  const version = soapVersionOf(request.headers['content-type']);
  if (!version || request.headers['content-encoding']) {
    await refuse(request, response, awaitsContinue, page(415, 'Unsupported Media Type', 'This is a SOAP address.'));
    return '415';
  }
  if (request.headers['content-length'] === undefined) {
    await refuse(request, response, awaitsContinue, page(411, 'Length Required', 'Content-Length is missing.'));
    return '411';
  }
  const exchange: Exchange = { context, request, response, path, version, awaitsContinue, mischief: null };
  const mischiefs = context.mischiefs();
  const action = actionOf(request, version, context.namespaceUri);
  const chosen = action !== null || !mischiefs.dependOnOperation;
  if (chosen) exchange.mischief = mischiefs.next(action);
  if (await endsEarly(exchange)) return `early ${exchange.mischief?.kind}`;
  return answerBodyOf(exchange, chosen ? null : mischiefs);
}

/** Reads the rest of the request, unless the client awaits 100 Continue: an unread rest could lose the answer. */
async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  awaitsContinue: boolean,
  answer: HttpAnswer,
): Promise<void> {
  if (awaitsContinue) response.shouldKeepAlive = false;
  else for await (const _ of request);
  await send(response, answer);
}

/** Drops or answers a request before its body is read, if the rule says so. */
async function endsEarly({ mischief, request, response }: Exchange): Promise<boolean> {
  if (mischief?.kind === 'drop-before' && !mischief.afterBytes) {
    request.socket.destroy();
    return true;
  }
  if (mischief?.kind !== 'early') return false;
  response.shouldKeepAlive = false;
  const headers = {
    302: { Location: 'https://elsewhere.example/login' },
    401: { 'WWW-Authenticate': 'Basic realm="practice"' },
    413: {},
  }[mischief.status];
  const plain = page(mischief.status, `Error ${mischief.status}`, 'The request was not read.');
  await send(response, { ...plain, headers: { ...plain.headers, ...headers } as Record<string, string> });
  return true;
}

async function answerBodyOf(exchange: Exchange, undecided: Mischiefs | null): Promise<string> {
  const { context, request, response, version, awaitsContinue } = exchange;
  const { service, wireName, namespaceUri } = context;
  const scanner = new RequestScanner({
    version,
    path: exchange.path,
    namespaceUri,
    wireName,
    ignoresUnknown: context.ignoresUnknown,
    accepts: (apiKey, apiSig) => isAccount(service, apiKey, apiSig),
    openSink: (): Promise<DocumentSink> =>
      openDocumentSink(service.store.newUploadPath(), service.settings.limits.documentBytes),
    onOperation(operation) {
      if (undecided) exchange.mischief = undecided.next(operation.name);
    },
  });
  try {
    if (awaitsContinue) response.writeContinue();
    const scanned = await scanBody(exchange, scanner);
    if (!scanned) return `dropped: ${exchange.mischief?.kind}`;
    requireAction(request, version, namespaceUri, scanned.operation);
    const args = argumentsOf(scanned);
    context.onRequest(scanned, version);
    const answer = await answerTo(exchange, scanned, () => perform(service, scanned.operation, args));
    // Before the answer, so that no temporary file is left when the client has it.
    await scanner.discard();
    if (answer) await send(response, answer, sendingOf(exchange.mischief));
    return `${scanned.operation.name}${exchange.mischief ? ` (${exchange.mischief.kind})` : ''}`;
  } catch (error) {
    if (response.destroyed || response.headersSent) {
      // Half an answer cannot be withdrawn; only closing the connection shows that it is incomplete.
      response.destroy();
      return 'connection lost';
    }
    const answer = errorAnswer(error, version);
    await send(response, answer);
    return `${answer.status} ${error instanceof Error ? error.message.slice(0, 200) : ''}`;
  } finally {
    await scanner.discard();
  }
}

function isAccount(service: Service, apiKey: string, apiSig: string): boolean {
  try {
    service.accountOf(apiKey, apiSig);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Null if a rule dropped the connection. After an error the rest is read, then the error is thrown. */
async function scanBody(exchange: Exchange, scanner: RequestScanner): Promise<ScannedRequest | null> {
  let failure: unknown = null;
  let readBytes = 0;
  for await (const chunk of exchange.request) {
    const bytes = chunk as Buffer;
    readBytes += bytes.length;
    if (failure === null)
      await scanner.push(bytes).catch((error: unknown) => {
        failure = error;
      });
    const { mischief } = exchange;
    if (mischief?.kind === 'drop-before' && readBytes >= (mischief.afterBytes ?? 0)) {
      exchange.request.socket.destroy();
      return null;
    }
    if (mischief?.kind === 'early' && (await endsEarly(exchange))) return null;
  }
  if (failure !== null) throw failure;
  const scanned = await scanner.finish();
  if (exchange.mischief?.kind !== 'drop-before') return scanned;
  exchange.request.socket.destroy();
  return null;
}

/** Null if a rule suppresses the answer. */
async function answerTo(
  { context, response, version, mischief }: Exchange,
  { operation }: ScannedRequest,
  execute: () => Promise<Answer>,
): Promise<HttpAnswer | null> {
  const answerContext: AnswerContext = {
    version,
    namespaceUri: context.namespaceUri,
    wireName: context.wireName,
    currentId: ({ documentId, signedMs }) =>
      (signedMs === null ? undefined : context.service.store.signedCopyOf(documentId)) ?? documentId,
  };
  const headers = { 'Content-Type': contentType(version), 'Cache-Control': 'private, max-age=0' };
  const proper = async (answer: Answer) => ({
    status: 200,
    headers,
    body: await answerBody(operation, answer, answerContext),
  });
  if (mischief && 'taken' in mischief && mischief.taken) await execute();
  switch (mischief?.kind) {
    case 'fault':
      return errorAnswer(
        new SoapFault(mischief.code ?? 'Server', mischief.text ?? 'Server was unable to process request.'),
        version,
      );
    case 'html':
      return page(mischief.status ?? 200, 'Sign in to this network', 'Please accept the conditions of use.');
    case 'garbage':
      return { status: 200, headers, body: textBody('\u0001\u0002 this is not XML <<< &&& ]]>') };
    case 'answer':
      return proper({ kind: 'text', text: mischief.text });
  }
  const answer = await execute();
  if (mischief?.kind === 'drop-after') {
    response.destroy();
    return null;
  }
  if (mischief?.kind === 'delay') await wait(mischief.ms, undefined, { signal: context.closing });
  const good = await proper(answer);
  return mischief?.kind === 'truncated' ? { ...good, body: await cut(good.body) } : good;
}

/** The first half, with a Content-Length of that half. */
async function cut(body: HttpAnswer['body']): Promise<HttpAnswer['body']> {
  const sizeBytes = Math.floor(body.sizeBytes / 2);
  return {
    sizeBytes,
    async *pieces() {
      let left = sizeBytes;
      for await (const piece of body.pieces()) {
        const part = piece.subarray(0, left);
        left -= part.length;
        yield part;
        if (left === 0) return;
      }
    },
  };
}

function sendingOf(mischief: FaultRule | null): Sending {
  if (mischief?.kind === 'drop-in-answer') return { dropInMiddle: true };
  if (mischief?.kind === 'slow') return { trickle: { bytes: mischief.bytes ?? 64, everyMs: mischief.everyMs ?? 50 } };
  return {};
}

function errorAnswer(error: unknown, version: SoapVersion): HttpAnswer {
  if (error instanceof MalformedRequest) return { status: 400, headers: {}, body: textBody('') };
  const fault =
    error instanceof SoapFault
      ? error
      : new SoapFault('Server', `Server was unable to process request. ---> ${(error as Error).message}`);
  return {
    status: 500,
    headers: { 'Content-Type': contentType(version), 'Cache-Control': 'private' },
    body: textBody(faultEnvelope(version, fault)),
  };
}
