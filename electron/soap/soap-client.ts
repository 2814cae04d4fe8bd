import type { OperationName } from '../../contract/operation.ts';
import { guidPattern } from '../../contract/text.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import { secretWordsHidden } from '../core/foundation/named-secrets.ts';
import { type Redact, redactedFailure, redactionOf } from '../core/foundation/redactor.ts';
import { negativeCode } from './reply/answers.ts';
import { downloadDocument, receiveDocument } from './reply/download.ts';
import { type Consume, feedReply, type Reading } from './reply/feed-reply.ts';
import { listESign } from './reply/list-esign.ts';
import { createResultReader } from './reply/read-result.ts';
import { readShape } from './reply/reply-shape.ts';
import { type Compose, createComposer, type Message } from './request/envelope.ts';
import type { Stage } from './request/exchange.ts';
import { type OpenDocument, openDocument } from './request/open-document.ts';
import { keepAliveAgent, sendRequest, type Wire } from './request/send-request.ts';
import { settleFailure } from './request/settle-failure.ts';
import type { Arguments, CallOptions, CreateSoapClient, Reply, ReplyRemark } from './service/client.ts';
import { secretWordName } from './service/element-names.ts';
import { operations } from './service/operations.ts';
import { openLink } from './wire/connect.ts';
import { createRoute } from './wire/network-route.ts';
import { assertAdmitted } from './wire/proxy.ts';
import { readHead } from './wire/reply-head.ts';

interface ClientContext extends Wire {
  readonly compose: Compose;
  /** Removes the credentials from a text of the service. */
  readonly redact: Redact;
  /** Removes what a text calls a secret word: where an answer is shown as it came, it may be a list of signers. */
  readonly hideWords: (text: string) => string;
  readonly remark: ((remark: ReplyRemark) => void) | undefined;
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

/**
 * Fewer characters would hide parts of ordinary words, and a word that short keeps nothing secret. Four may be a PIN, which people do choose.
 */
const shortestWord = 4;

/**
 * Removes the secret word of a request from its own answer, too. An ID or a code that holds the same characters by chance stays: without it a registered
 * document would count as unknown.
 */
function redactionFor(args: Arguments, redact: Redact): Redact {
  const word = args.SecretWord;
  if (typeof word !== 'string') return redact;
  const withoutWord = redactionOf(new Set([word, word.trim()]), shortestWord);
  return (text) => {
    const clean = redact(text);
    const trimmed = clean.trim();
    const isOwn = trimmed !== word.trim() && (guidPattern.test(trimmed) || negativeCode(trimmed) !== null);
    return isOwn ? clean : withoutWord(clean);
  };
}

/** Carries out one operation and resolves with what `consume` makes of the reply. Rejects with an AppError only. */
async function perform<T>(
  context: ClientContext,
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
    responseBegan: false,
    reused: false,
  };
  const redact = redactionFor(args, context.redact);
  const quote = (text: string) => context.hideWords(redact(text));
  let documents: readonly OpenDocument[] = [];
  let end: () => void = () => undefined;
  try {
    if (options.signal?.aborted) throw appError('cancelled', 'cancelled before it began');
    const message = await context.compose(operation, args);
    documents = await openAll(message);
    const sent = await sendRequest(context, { operation, message, documents, stage, options });
    const { request, response } = sent.answered;
    end = () => {
      sent.end();
      // After an early answer the request will never be complete.
      if (!response.complete || !stage.complete) request.destroy();
    };
    response.on('error', () => undefined);
    assertAdmitted(response, sent);
    const { status, charset } = readHead(response);
    const serviceMs = Date.parse(response.headers.date ?? '');
    if (!Number.isNaN(serviceMs)) options.onServiceTime?.(serviceMs);
    const { target, remark } = context;
    const { answeredWhole } = stage;
    return await consume(response, {
      target,
      operation,
      status,
      charset,
      options,
      redact,
      quote,
      remark,
      socketBuffer: sent.socketBuffer,
      answeredWhole,
      onResponse: () => {
        stage.responseBegan = true;
      },
    });
  } catch (error) {
    throw withoutSecrets(settleFailure(operation, stage, error), quote);
  } finally {
    end();
    for (const { handle } of documents) await handle.close().catch(() => undefined);
  }
}

/** A head may repeat the request as well as a body: in a type, a coding, an encoding, which failures quote. */
function withoutSecrets({ failure }: AppError, redact: (text: string) => string): AppError {
  const { code, note, ...rest } = redactedFailure(failure, redact);
  return appError(code, note, rest);
}

/** An add that was carried out answers something: an empty result shows neither success nor failure. */
function assertConfirmed(operation: OperationName, isBlank: boolean): void {
  if (operations[operation].effect === 'add' && isBlank)
    throw appError('reply-unreadable', 'the result is empty', { detail: 'empty-reply' });
}

/**
 * A code may refuse a request before all of it was read. A success before that cannot be about the request: something in between answered, or a service that did
 * not read it. For an add the outcome is then unknown.
 */
function assertWhole({ operation, answeredWhole }: Reading, { raw }: Reply): void {
  if (answeredWhole || negativeCode(raw)) return;
  const code = operations[operation].effect === 'add' ? 'outcome-unknown' : 'reply-unreadable';
  throw appError(code, `${operation} was answered before it had left`, { detail: 'early-reply' });
}

/** A service may repeat the request in a good answer too, which is shown, stored and exported. */
function redactedReply({ raw, record, ...rest }: Reply, redact: (text: string) => string): Reply {
  const cleanRaw = raw === null ? null : redact(raw);
  if (!record) return { raw: cleanRaw, ...rest };
  return {
    raw: cleanRaw,
    ...rest,
    record: Object.fromEntries(Object.entries(record).map(([name, value]) => [name, redact(value)])),
  };
}

const readResult: Consume<Reply> = async (response, reading) => {
  const reader = createResultReader(reading);
  await feedReply(response, reading, reader.write);
  const reply = redactedReply(reader.end(), reading.quote);
  assertConfirmed(reading.operation, reader.isBlank());
  assertWhole(reading, reply);
  return reply;
};

/**
 * Makes the client for one service with one pair of credentials; see the interfaces in client.ts. Every function rejects
 * with an AppError only. No connection is made before the first call.
 */
export const createSoapClient: CreateSoapClient = (target, credentials, redact, onRemark) => {
  const route = createRoute(target);
  const base = new URL(target.baseUrl);
  const context: ClientContext = {
    target,
    compose: createComposer(target, credentials),
    route,
    refusesExpect: false,
    keepAlive: keepAliveAgent((signal) => openLink(base, route, signal)),
    redact: redact ?? redactionOf(credentials ? [credentials.apiKey, credentials.apiSig] : []),
    hideWords: secretWordsHidden(secretWordName(target.elementNames)),
    remark: onRemark,
  };
  return {
    invoke: (operation, args, options = {}) => perform(context, operation, args, options, readResult),
    shape: (operation, args, options = {}) => perform(context, operation, args, options, readShape),
    listESign: (listType, maxItems, onEntries, options = {}) =>
      perform(context, 'GetESignList', { ListType: listType, MaxItems: maxItems }, options, (response, reading) =>
        listESign(response, reading, maxItems, onEntries),
      ),
    download: (documentId, file, options = {}) =>
      perform(context, 'GetDocument', { ServiceDocumentID: documentId }, options, (response, reading) =>
        downloadDocument(response, reading, file),
      ),
    receive: (documentId, sink, options = {}) =>
      perform(context, 'GetDocument', { ServiceDocumentID: documentId }, options, (response, reading) =>
        receiveDocument(response, reading, sink),
      ),
    close: () => context.keepAlive.destroy(),
  };
};
