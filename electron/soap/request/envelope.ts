import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, IHttpClient } from 'soap';
import type { OperationName } from '../../../contract/operation.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { Arguments, Credentials, DocumentSource, ServiceTarget } from '../service/client.ts';
import { wireName } from '../service/element-names.ts';
import { operations, soapVersionFor } from '../service/operations.ts';
import { outgoingChildren } from './arguments.ts';
import { clientWsdl } from './client-wsdl.ts';

/** A request body: known bytes, and documents whose base64 is streamed between them. */
export interface Message {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly (Buffer | DocumentSource)[];
  /** Exact length of the whole body. */
  readonly sizeBytes: number;
}

export type Compose = (operation: OperationName, args: Arguments) => Promise<Message>;

type HandOver = (url: string, envelope: string) => void;

/**
 * The HTTP client under node-soap. It passes the finished envelope on and never calls back. Our own bounded parser reads the
 * reply, because one `id="__proto__"` poisons node-soap's for the whole process, deep or long replies freeze it, and its
 * errors hold the request and with it the credentials. So node-soap does what it is
 * good at (WSDL, operations, envelopes) and never sees a byte from outside.
 */
const handOverClient: IHttpClient = {
  request(url: string, envelope: string, _callback: unknown, _headers: unknown, options?: { handOver: HandOver }) {
    options?.handOver(url, envelope);
    return undefined as never;
  },
};

function addressOf(target: ServiceTarget, path: string): string {
  return `${target.baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

/** Headers for a body with this element in this SOAP version, as the connection is set. */
export function soapHeaders(
  target: Pick<ServiceTarget, 'namespaceUri' | 'soapAction12'>,
  version: ServiceTarget['soapVersion'],
  element: string,
): Record<string, string> {
  const action = `"${target.namespaceUri}${element}"`;
  if (version === '1.1') return { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: action };
  const parameter = target.soapAction12 ? `; action=${action}` : '';
  return { 'Content-Type': `application/soap+xml; charset=utf-8${parameter}` };
}

function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** Cuts the envelope at the tokens. Each must be there once and in order, else nothing is sent. */
function partsOf(envelope: string, documents: ReadonlyMap<string, DocumentSource>): (Buffer | DocumentSource)[] {
  const parts: (Buffer | DocumentSource)[] = [];
  let rest = envelope;
  for (const [token, document] of documents) {
    const pieces = rest.split(token);
    if (pieces.length !== 2) throw appError('bug', 'a document has no clear place in the envelope');
    parts.push(Buffer.from(pieces[0] ?? ''), document);
    rest = pieces[1] ?? '';
  }
  parts.push(Buffer.from(rest));
  return parts;
}

async function createEngine(target: ServiceTarget, operation: OperationName): Promise<Client> {
  // Loaded with the first request: it is a large part of the program, and nothing at the start needs it.
  const { createClientAsync } = await import('soap');
  const address = addressOf(target, operations[operation].path === 'main' ? target.mainPath : target.easySignPath);
  const client = await createClientAsync(clientWsdl(target, [operation], address), {
    // node-soap's cache is one for the whole process, and options of one client would change the others.
    disableCache: true,
    httpClient: handOverClient,
    // arguments.ts escapes: node-soap would leave `<![CDATA[…]]>` unescaped.
    escapeXML: false,
    forceSoap12Headers: soapVersionFor(target, operation) === '1.2',
    // An element may be called "attributes"; none can be called this.
    attributesKey: ' attributes',
  });
  // Reading the WSDL takes most of a frame the first time, so what follows gets its own turn of the event loop.
  await nextTurn();
  return client;
}

/** Creates request bodies for one service. Rejects with bad-input or not-connected, before anything is sent. */
export function createComposer(target: ServiceTarget, credentials: Credentials | null): Compose {
  const engines = new Map<OperationName, Promise<Client>>();
  return async (operation, args) => {
    const children = outgoingChildren(operation, args, credentials, target.sendFalse);
    const documents = new Map<string, DocumentSource>();
    const values = children.map(({ name, value }) => {
      if (typeof value === 'string') return [wireName(target.elementNames, operation, name), value] as const;
      const token = `document-${randomBytes(18).toString('hex')}`;
      documents.set(token, value);
      return [wireName(target.elementNames, operation, name), token] as const;
    });
    if (new Set(values.map(([name]) => name)).size !== values.length) {
      throw appError('bad-input', `two children of ${operation} have the same element name`);
    }
    const ready = engines.get(operation) ?? createEngine(target, operation);
    engines.set(operation, ready);
    const client = await ready;
    let message: Message | undefined;
    const handOver: HandOver = (url, envelope) => {
      const parts = partsOf(envelope, documents);
      const sizeBytes = parts.reduce(
        (sum, part) => sum + (Buffer.isBuffer(part) ? part.length : base64Length(part.sizeBytes)),
        0,
      );
      message = {
        url: new URL(url),
        headers: soapHeaders(target, soapVersionFor(target, operation), operation),
        parts,
        sizeBytes,
      };
    };
    client[operation](Object.fromEntries(values), () => undefined, { handOver });
    // node-soap keeps the last request, credentials included, for as long as it lives.
    client.lastRequest = undefined;
    Object.assign(client, { lastMessage: undefined });
    if (!message) throw appError('bug', `no envelope for ${operation}`);
    return message;
  };
}
