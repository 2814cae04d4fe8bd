import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, IHttpClient } from 'soap';
import type { OperationName } from '../../../contract/operation.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import type { Arguments, Credentials, DocumentSource, ServiceTarget } from '../service/client.ts';
import { wireName } from '../service/element-names.ts';
import { operations, soapVersionFor } from '../service/operations.ts';
import { outgoingChildren } from './arguments.ts';
import { clientWsdl } from './client-wsdl.ts';
import { goesThrough, longestText, type Message, messageOf, type ResultValue, replyEnvelope } from './envelope.ts';

/** What a checked reply holds: the value that goes through node-soap, and what does not. */
export interface CallResult<V extends ResultValue, T> {
  readonly value: V;
  readonly aside: T;
}

/** Calls operations of one service. */
export type Call = ReturnType<typeof createCall>;

/** What a call brings along for the HTTP client: `carry` resolves with the envelope that node-soap reads. */
interface OwnTransport {
  readonly carry: (url: string, envelope: string) => Promise<string>;
  readonly fail: (error: unknown) => void;
}

/** The HTTP client under node-soap. */
const httpClient: IHttpClient = {
  request(url: string, envelope: string, handBack, _headers, own?: OwnTransport) {
    own
      ?.carry(url, envelope)
      .then((reply) => handBack(null, { status: 200, headers: {} }, reply), handBack)
      // node-soap may throw instead of calling back: the call would wait for ever.
      .catch(own.fail);
    return undefined as never;
  },
};

/** `client[operation]` as a promise. What `carry` rejects with is passed on. */
async function callOperation(
  client: Client,
  operation: OperationName,
  args: Readonly<Record<string, string>>,
  carry: OwnTransport['carry'],
): Promise<Record<string, ResultValue | undefined> | null> {
  try {
    return await new Promise((resolve, reject) => {
      const callback = (error: unknown, response: Record<string, ResultValue> | null) =>
        error ? reject(error) : resolve(response);
      client[operation](args, callback, { carry, fail: reject });
    });
  } finally {
    // It keeps the last request with its credentials, and the last reply, for as long as it lives.
    Object.assign(client, { lastRequest: undefined, lastMessage: undefined, lastResponse: undefined });
  }
}

async function createEngine(target: ServiceTarget, operation: OperationName): Promise<Client> {
  // Loaded with the first request: it is a large part of the program, and nothing at the start needs it.
  const { createClientAsync } = await import('soap');
  const path = operations[operation].path === 'main' ? target.mainPath : target.easySignPath;
  const address = `${target.baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  const client = await createClientAsync(clientWsdl(target, [operation], address), {
    // node-soap's cache is one for the whole process, and options of one client would change the others.
    disableCache: true,
    httpClient,
    // arguments.ts escapes: node-soap would leave `<![CDATA[…]]>` unescaped.
    escapeXML: false,
    forceSoap12Headers: soapVersionFor(target, operation) === '1.2',
    // An element may be called "attributes"; none can be called this.
    attributesKey: ' attributes',
    // Texts come back as they were written, and nil is not left out.
    preserveWhitespace: true,
    handleNilAsNull: true,
  });
  // Reading the WSDL takes most of a frame the first time, so what follows gets its own turn of the event loop.
  await nextTurn();
  return client;
}

/** An error of the program, after the service has answered. The answer goes with it: it may be the only trace of a registered document. */
function unread(operation: OperationName, value: ResultValue): AppError {
  const note = `node-soap did not read the result of ${operation}`;
  return appError('bug', note, typeof value === 'string' ? { raw: value.slice(0, 2_000) } : {});
}

/**
 * node-soap's part of the calls of one service: it writes the envelope of the request and reads the result in the envelope of the reply. Neither is
 * what is on the wire. A random token stands for each document and each long text in the one, and the other is written here, from a reply that our own bounded reader has
 * checked: one `id="__proto__"` poisons node-soap's parser for the whole process, deep or long replies freeze it, and its errors hold the request
 * and with it the credentials.
 * `exchange` sends a message, and reads and checks its reply. A call rejects with bad-input or not-connected before anything is sent, with what `exchange`
 * rejects with, or with bug if node-soap cannot read what was written for it.
 */
export function createCall(target: ServiceTarget, credentials: Credentials | null) {
  const engines = new Map<OperationName, Promise<Client>>();
  return async <V extends ResultValue, T>(
    operation: OperationName,
    args: Arguments,
    exchange: (message: Message) => Promise<CallResult<V, T>>,
  ): Promise<CallResult<V, T>> => {
    const children = outgoingChildren(operation, args, credentials, target.sendFalse);
    const streamed = new Map<string, DocumentSource | Buffer>();
    const values = children.map(({ name, value }) => {
      const sent = wireName(target.elementNames, operation, name);
      if (typeof value === 'string' && value.length <= longestText) return [sent, value] as const;
      const token = `document-${randomBytes(18).toString('hex')}`;
      streamed.set(token, typeof value === 'string' ? Buffer.from(value) : value);
      return [sent, token] as const;
    });
    if (new Set(values.map(([name]) => name)).size !== values.length) {
      throw appError('bad-input', `two children of ${operation} have the same element name`);
    }
    const ready = engines.get(operation) ?? createEngine(target, operation);
    engines.set(operation, ready);
    let result: CallResult<V, T> | undefined;
    const carry = async (url: string, envelope: string) => {
      result = await exchange(messageOf(target, operation, url, envelope, streamed));
      return replyEnvelope(target, operation, goesThrough(result.value) ? result.value : null);
    };
    const response = await callOperation(await ready, operation, Object.fromEntries(values), carry).catch((error) => {
      throw result ? unread(operation, result.value) : error;
    });
    if (!result) throw appError('bug', `node-soap did not send ${operation}`);
    const { value, aside } = result;
    const read = response?.[`${operation}Result`] ?? null;
    if (!goesThrough(value)) return result;
    if (typeof read !== typeof value || (read === null) !== (value === null)) throw unread(operation, value);
    return { value: read as V, aside };
  };
}
