import type { OperationName } from '../../../contract/operation.ts';
import { notXml } from '../../../contract/text.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { Arguments, Credentials, DocumentSource, ServiceTarget } from '../service/client.ts';
import { type Child, childrenOf, detailsFields, soapVersionFor } from '../service/operations.ts';

/** One child of a request: text ready for the envelope, or a document that is streamed into its place. */
export interface OutgoingChild {
  readonly name: string;
  readonly value: string | DocumentSource;
}

function refuse(operation: OperationName, child: string, why: string): never {
  throw appError('bad-input', `${operation}.${child} ${why}`, { fields: { [child]: why } });
}

function outgoing(operation: OperationName, child: Child, value: Arguments[string]): string | DocumentSource {
  switch (child.type) {
    case 'base64Binary':
      return typeof value === 'object' ? value : refuse(operation, child.name, 'must be a document');
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : refuse(operation, child.name, 'must be true or false');
    case 'int':
      return typeof value === 'number' && (value | 0) === value
        ? String(value)
        : refuse(operation, child.name, 'must be a whole number of 32 bits');
    case 'string':
      if (typeof value !== 'string') return refuse(operation, child.name, 'must be a text');
      return isXmlText(value)
        ? escapeText(value)
        : refuse(operation, child.name, 'has a character that XML cannot carry');
  }
}

/** True if an absent child is sent as false: a connection may ask for that for optional booleans. */
export function goesOutAsFalse(child: Child, sendFalse: boolean): boolean {
  return sendFalse && child.type === 'boolean' && !child.required;
}

/**
 * The children of a request in the order of the operations table, checked against it. node-soap checks nothing: it would send
 * a wrong order, wrong types and unknown children. Throws bad-input, or not-connected if credentials are required and missing.
 */
export function outgoingChildren(
  operation: OperationName,
  args: Arguments,
  credentials: Credentials | null,
  sendFalse: boolean,
): readonly OutgoingChild[] {
  const table = childrenOf(operation);
  const secret = new Map<string, string>();
  if (table[0]?.name === 'apiKey') {
    if (!credentials) throw appError('not-connected', `${operation} needs credentials`);
    secret.set('apiKey', credentials.apiKey).set('apiSig', credentials.apiSig);
  }
  for (const name of Object.keys(args)) {
    if (secret.has(name) || !table.some((child) => child.name === name)) refuse(operation, name, 'is not a child');
  }
  return table.flatMap((child) => {
    const value = secret.get(child.name) ?? (Object.hasOwn(args, child.name) ? args[child.name] : undefined);
    const given = value === undefined && goesOutAsFalse(child, sendFalse) ? false : value;
    if (given === undefined) return child.required ? refuse(operation, child.name, 'is required') : [];
    return [{ name: child.name, value: outgoing(operation, child, given) }];
  });
}

export function isXmlText(text: string): boolean {
  return !notXml.test(text);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn a bare carriage return into a line feed.
  '\r': '&#13;',
};

/**
 * Escapes text for an element or a quoted attribute, whatever it looks like: node-soap's own
 * escaping leaves a text of the form `<![CDATA[…]]>` unchanged, so that a document name could write markup.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => references[character] ?? character);
}

/** A request body: known bytes, and documents whose base64 is streamed between them. */
export type Message = ReturnType<typeof messageOf>;

/** Namespaces of the envelopes of both versions. */
export const envelopeNamespaces = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

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

/** The message of an envelope in which a token stands for each document and each long text. Each must be there once and in order, else nothing is sent. */
export function messageOf(
  target: ServiceTarget,
  operation: OperationName,
  url: string,
  envelope: string,
  streamed: ReadonlyMap<string, DocumentSource | Buffer>,
) {
  const parts: (Buffer | DocumentSource)[] = [];
  let rest = envelope;
  for (const [token, part] of streamed) {
    const [before = '', after, ...more] = rest.split(token);
    if (after === undefined || more.length > 0) throw appError('bug', 'a document has no clear place in the envelope');
    parts.push(Buffer.from(before), part);
    rest = after;
  }
  parts.push(Buffer.from(rest));
  const lengthOf = (part: Buffer | DocumentSource) =>
    Buffer.isBuffer(part) ? part.length : Math.ceil(part.sizeBytes / 3) * 4;
  return {
    url: new URL(url),
    headers: soapHeaders(target, soapVersionFor(target, operation), operation),
    parts,
    /** Exact length of the whole body. */
    sizeBytes: parts.reduce((sum, part) => sum + lengthOf(part), 0),
  };
}

/** A text, details by the interface's names, or the size of a document or a list; null if there is no result. */
export type ResultValue = string | number | Readonly<Record<string, string>> | null;

/** Longer texts do not go through node-soap, in either direction: it would hold the process meanwhile, and keep them until the call ends. */
export const longestText = 64 * 1024;

/** True if a value is short enough for node-soap. */
export function goesThrough(value: ResultValue): boolean {
  const texts = value !== null && typeof value === 'object' ? Object.values(value) : [String(value)];
  return texts.reduce((sum, { length }) => sum + length, 0) <= longestText;
}

/** The envelope that node-soap gets. The interface's names and escaped texts are all that is in it, whatever the service sent. */
export function replyEnvelope(target: ServiceTarget, operation: OperationName, value: ResultValue): string {
  const result = `${operation}Result`;
  const contentOf = (given: NonNullable<ResultValue>) => {
    if (typeof given !== 'object') return escapeText(String(given));
    const fields = detailsFields.filter((field) => Object.hasOwn(given, field));
    return fields.map((field) => `<${field}>${escapeText(given[field] ?? '')}</${field}>`).join('');
  };
  const inner = value === null ? `<${result} xsi:nil="true"/>` : `<${result}>${contentOf(value)}</${result}>`;
  const envelope = envelopeNamespaces[soapVersionFor(target, operation)];
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelope}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body><${operation}Response xmlns="${escapeText(target.namespaceUri)}">${inner}</${operation}Response></soap:Body></soap:Envelope>`;
}
