import type { OperationName } from '../../../contract/operation.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { DocumentSource, ServiceTarget } from '../service/client.ts';
import { detailsFields, soapVersionFor } from '../service/operations.ts';
import { escapeText } from './arguments.ts';

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
