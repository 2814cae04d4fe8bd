import type { OperationName } from '../../contract/operation.ts';
import { guidPattern } from '../../contract/text.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import { type Redact, redactedFailure, redactionOf, secretWordsHidden } from '../core/foundation/redactor.ts';
import { negativeCode } from './reply/answers.ts';
import { downloadDocument, receiveDocument } from './reply/download.ts';
import type { Consume, Reading } from './reply/feed-reply.ts';
import { listESign } from './reply/list-esign.ts';
import { readReply, readShape } from './reply/read-result.ts';
import type { Message, ResultValue } from './request/envelope.ts';
import type { Stage } from './request/exchange.ts';
import { type Call, type CallResult, createCall } from './request/node-soap.ts';
import { type OpenDocument, openDocument } from './request/send-document.ts';
import { keepAliveAgent, sendRequest, type Wire } from './request/send-request.ts';
import { settleFailure } from './request/settle-failure.ts';
import type { Arguments, CallOptions, Credentials, Reply, ServiceTarget, SoapClient } from './service/client.ts';
import { secretWordName } from './service/element-names.ts';
import { operations } from './service/operations.ts';
import { openLink } from './wire/connect.ts';
import { assertAdmitted, createRoute } from './wire/network-route.ts';
import { readHead } from './wire/reply-head.ts';

interface ClientContext extends Wire {
  readonly call: Call;
  /** Removes the credentials from a text of the service. */
  readonly redact: Redact;
  /** Removes what a text calls a secret word: where an answer is shown as it came, it may be a list of signers. */
  readonly hideWords: (text: string) => string;
  readonly remark: Reading['remark'];
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
async function perform<V extends ResultValue, T>(
  context: ClientContext,
  operation: OperationName,
  args: Arguments,
  options: CallOptions,
  consume: Consume<CallResult<V, T>>,
): Promise<CallResult<V, T>> {
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
  const exchange = async (message: Message) => {
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
    const head = readHead(response);
    const serviceMs = Date.parse(response.headers.date ?? '');
    if (!Number.isNaN(serviceMs)) options.onServiceTime?.(serviceMs);
    const { target, remark } = context;
    const { socketBuffer } = sent;
    const { answeredWhole } = stage;
    const onResponse = () => {
      stage.responseBegan = true;
    };
    const given = { target, operation, ...head, options, redact, quote, remark, socketBuffer };
    return consume(response, { ...given, answeredWhole, onResponse });
  };
  try {
    if (options.signal?.aborted) throw appError('cancelled', 'cancelled before it began');
    return await context.call(operation, args, exchange);
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

/** A text goes through node-soap; the name of another element that was read in place of the result does not. */
const readText = async (...given: Parameters<Consume<Reply>>) => {
  const { raw, ...aside } = await readReply(...given);
  return { value: raw, aside };
};

/** Details go through node-soap by the interface's names; the text with all that the service sent does not. */
const readDetails = async (...given: Parameters<Consume<Reply>>) => {
  const { record = {}, ...aside } = await readReply(...given);
  return { value: Object.keys(record).length > 0 ? record : null, aside };
};

/**
 * Makes the client for one service with one pair of credentials. Every function rejects with an AppError only. No connection is made before the first call.
 * `redact` removes secrets from what the service says, instead of the function for the client's own credentials. `remark` is called with what was odd about
 * replies that were read; it must not throw.
 */
export function createSoapClient(
  target: ServiceTarget,
  credentials: Credentials | null,
  redact: Redact = redactionOf(credentials ? [credentials.apiKey, credentials.apiSig] : []),
  remark?: Reading['remark'],
): SoapClient {
  const route = createRoute(target);
  const base = new URL(target.baseUrl);
  const context: ClientContext = {
    target,
    call: createCall(target, credentials),
    route,
    refusesExpect: false,
    keepAlive: keepAliveAgent((signal) => openLink(base, route, signal)),
    redact,
    hideWords: secretWordsHidden(secretWordName(target.elementNames)),
    remark,
  };
  return {
    async invoke(operation, args, options = {}) {
      if (operations[operation].result !== 'details') {
        const { value, aside } = await perform(context, operation, args, options, readText);
        return { raw: value, ...aside };
      }
      const { value, aside } = await perform(context, operation, args, options, readDetails);
      return aside.raw === null ? aside : { ...aside, record: value ?? {} };
    },
    async shape(operation, args, options = {}) {
      const { aside } = await perform(context, operation, args, options, async (...given) => ({
        value: null,
        aside: await readShape(...given),
      }));
      return aside;
    },
    async listESign(listType, maxItems, onEntries, options = {}) {
      const args = { ListType: listType, MaxItems: maxItems };
      const { value } = await perform(context, 'GetESignList', args, options, async (response, reading) => ({
        value: await listESign(response, reading, maxItems, onEntries),
        aside: null,
      }));
      return value;
    },
    async download(documentId, file, options = {}) {
      const args = { ServiceDocumentID: documentId };
      const { value, aside } = await perform(context, 'GetDocument', args, options, async (response, reading) => {
        const { sizeBytes, ...aside } = await downloadDocument(response, reading, file);
        return { value: sizeBytes, aside };
      });
      return { sizeBytes: value, ...aside };
    },
    async receive(documentId, sink, options = {}) {
      const args = { ServiceDocumentID: documentId };
      await perform(context, 'GetDocument', args, options, async (response, reading) => {
        await receiveDocument(response, reading, sink);
        return { value: sink.sizeBytes, aside: null };
      });
    },
    close: () => context.keepAlive.destroy(),
  };
}
