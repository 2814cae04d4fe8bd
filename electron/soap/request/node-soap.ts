import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, IHttpClient } from 'soap';
import type { OperationName } from '../../../contract/operation.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import type { Arguments, Credentials, DocumentSource, ServiceTarget } from '../service/client.ts';
import { wireName } from '../service/element-names.ts';
import { type Child, childrenOf, detailsFields, operations, soapVersionFor } from '../service/operations.ts';
import {
  escapeText,
  goesThrough,
  longestText,
  type Message,
  messageOf,
  outgoingChildren,
  type ResultValue,
  replyEnvelope,
} from './envelope.ts';

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
    // envelope.ts escapes: node-soap would leave `<![CDATA[…]]>` unescaped.
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

function element(name: string, type: string, minOccurs = 0): string {
  return `<s:element minOccurs="${minOccurs}" maxOccurs="1" name="${name}" type="s:${type}"/>`;
}

function sequence(elements: readonly string[]): string {
  return `<s:complexType><s:sequence>${elements.join('')}</s:sequence></s:complexType>`;
}

/** The result by the interface's names, as `node-soap.ts` writes it: the size instead of a document or a list. */
function resultElement(operation: OperationName): string {
  const { result } = operations[operation];
  const name = `${operation}Result`;
  if (result !== 'details') return element(name, result === 'string' ? 'string' : 'long');
  const fields = detailsFields.map((field) => element(field, 'string'));
  return `<s:element minOccurs="0" maxOccurs="1" name="${name}">${sequence(fields)}</s:element>`;
}

function schemaElements(target: ServiceTarget, operation: OperationName): string {
  const child = ({ name, type, required }: Child) =>
    element(wireName(target.elementNames, operation, name), type, required ? 1 : 0);
  return `<s:element name="${operation}">${sequence(childrenOf(operation).map(child))}</s:element>
<s:element name="${operation}Response">${sequence([resultElement(operation)])}</s:element>`;
}

/**
 * Generates the WSDL for node-soap, for operations of one path: one SOAP version, one address, from the
 * operations table and the connection's element names. The client generates it for one operation at a time: node-soap blocks for 17 ms
 * to read all operations of a path, and a tenth of that for one. It is generated instead of kept as a file in assets/wsdl because a
 * second list of children could contradict the table, and because names and namespace differ between services.
 *
 * Replies are declared as node-soap gets them (see node-soap.ts), not as services send them.
 *
 * The namespace is escaped twice: node-soap unescapes it once on reading and writes it into every envelope unescaped, where
 * an `&` or a quote would break the request.
 */
export function clientWsdl(target: ServiceTarget, names: readonly OperationName[], address: string): string {
  const [first = 'GetVersion'] = names;
  const version = soapVersionFor(target, first);
  const soap = version === '1.2' ? 'http://schemas.xmlsoap.org/wsdl/soap12/' : 'http://schemas.xmlsoap.org/wsdl/soap/';
  const namespace = escapeText(escapeText(target.namespaceUri));
  const each = (write: (name: OperationName) => string) => names.map(write).join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="${soap}" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="${namespace}" targetNamespace="${namespace}">
<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="${namespace}">
${each((name) => schemaElements(target, name))}
</s:schema></wsdl:types>
${each((name) => `<wsdl:message name="${name}In"><wsdl:part name="parameters" element="tns:${name}"/></wsdl:message>\n<wsdl:message name="${name}Out"><wsdl:part name="parameters" element="tns:${name}Response"/></wsdl:message>`)}
<wsdl:portType name="Port">
${each((name) => `<wsdl:operation name="${name}"><wsdl:input message="tns:${name}In"/><wsdl:output message="tns:${name}Out"/></wsdl:operation>`)}
</wsdl:portType>
<wsdl:binding name="Binding" type="tns:Port"><soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>
${each((name) => `<wsdl:operation name="${name}"><soap:operation soapAction="${namespace}${name}" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>`)}
</wsdl:binding>
<wsdl:service name="Service"><wsdl:port name="Port" binding="tns:Binding"><soap:address location="${escapeText(address)}"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;
}
