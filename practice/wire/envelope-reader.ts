import type { IncomingMessage } from 'node:http';
import type { SaxesTagNS } from 'saxes';
import { type ChildType, type Operation, type OperationName, operationNames, operations } from '../interface.ts';
import type { DocumentSink, ReceivedDocument } from './document-sink.ts';
import { envelopeNamespaces, MalformedRequest, SoapFault, type SoapVersion, unreadableValue } from './faults.ts';

/** The raw value of a child: text, a document, or null if it was nil. */
export type RawChild = string | ReceivedDocument | null;

export interface EnvelopeOptions {
  readonly version: SoapVersion;
  readonly path: Operation['path'];
  readonly namespaceUri: string;
  /** The names of the interface's children on the wire. */
  readonly wireName: (name: string) => string;
  /** Ignores unknown children, as .asmx services do, instead of refusing them. */
  readonly ignoresUnknown: boolean;
  /** Asked once, before anything but the credentials is read: of a request with wrong ones values are checked, and nothing else is kept. */
  readonly accepts: (apiKey: string, apiSig: string) => boolean;
  /** Called as soon as the body's element is known. */
  readonly onOperation: (operation: Operation) => void;
}

const isCredential = (name: string) => name === 'apiKey' || name === 'apiSig';

const maxTextLength = 8 * 1024 * 1024;
/** Of a number or a boolean, with the space around it. */
const maxValueLength = 1024;
const maxDepth = 64;

/** Checks the structure of a request from a parser's events and collects its children. Throws MalformedRequest or SoapFault. */
export class EnvelopeReader {
  /** By the interface's names, in the order of arrival. */
  readonly children = new Map<string, RawChild>();
  operation: Operation | null = null;
  child: { readonly name: string; readonly type: ChildType; text: string; nil: boolean } | null = null;
  /** Set between the start and the end tag of a base64 element. */
  base64: { readonly name: string; sink: DocumentSink | null } | null = null;
  /** A base64 element that has ended; whoever takes the document sets it to null. */
  closed: { readonly name: string; readonly sink: DocumentSink | null; readonly nil: boolean } | null = null;
  /** False for wrong credentials; null before they were checked. */
  isAccepted: boolean | null = null;
  readonly #options: EnvelopeOptions;
  #depth = 0;
  #inHeader = false;
  #bodies = 0;
  #position = -1;

  constructor(options: EnvelopeOptions) {
    this.#options = options;
  }

  /** The operation once the envelope has ended; null before. */
  finished(): Operation | null {
    return this.#depth > 0 ? null : this.operation;
  }

  open(tag: SaxesTagNS): void {
    const depth = this.#depth++;
    if (depth > maxDepth) throw new MalformedRequest('nested too deeply');
    if (depth === 0) requireEnvelope(tag, this.#options.version);
    else if (depth === 1) this.#openPart(tag);
    else if (this.#inHeader) {
      if (depth === 2) refuseMandatoryHeader(tag, this.#options.version);
    } else if (depth === 2) this.#openOperation(tag);
    else if (depth === 3) this.#openChild(tag);
    else throw new SoapFault('Client', `Server was unable to read request. ---> ${tag.local} was not expected.`);
  }

  #openPart(tag: SaxesTagNS): void {
    const ours = tag.uri === envelopeNamespaces[this.#options.version];
    this.#inHeader = ours && tag.local === 'Header' && this.#bodies === 0;
    if (ours && tag.local === 'Body') this.#bodies++;
    else if (!this.#inHeader) throw new SoapFault('Client', `${tag.name} was not expected in the envelope.`);
    if (this.#bodies > 1) throw new SoapFault('Client', 'The envelope has more than one body.');
  }

  #openOperation(tag: SaxesTagNS): void {
    if (this.operation) throw new SoapFault('Client', 'The body has more than one element.');
    const { namespaceUri, path } = this.#options;
    const found = operations.find((each) => each.name === tag.local && each.path === path);
    if (!found || tag.uri !== namespaceUri)
      throw new SoapFault(
        'Client',
        `Unable to handle request: {${tag.uri}}${tag.local} is no operation of this address.`,
      );
    this.operation = found;
    this.#options.onOperation(found);
  }

  #openChild(tag: SaxesTagNS): void {
    const { namespaceUri, wireName } = this.#options;
    const children = this.operation?.children ?? [];
    const position = children.findIndex(([name]) => wireName(name) === tag.local);
    const child = children[position];
    if (!child && this.#options.ignoresUnknown) {
      this.child = { name: '', type: 'string', text: '', nil: false };
      return;
    }
    if (!child || tag.uri !== namespaceUri)
      throw new SoapFault(
        'Client',
        `Server was unable to read request. ---> {${tag.uri}}${tag.local} was not expected.`,
      );
    // Such servers often accept any order. The interface defines one, so this service insists on it.
    if (position <= this.#position)
      throw new SoapFault('Client', `Server was unable to read request. ---> ${tag.local} is out of order.`);
    this.#position = position;
    const [name, type] = child;
    if (!isCredential(name)) this.#checkCredentials();
    this.child = { name, type, text: '', nil: isNil(tag) };
    if (type === 'base64') this.base64 = { name, sink: null };
  }

  /** The credentials are the first children of every operation that has them. */
  #checkCredentials(): void {
    if (this.isAccepted !== null) return;
    const [apiKey, apiSig] = ['apiKey', 'apiSig'].map((name) => this.children.get(name));
    this.isAccepted = this.#options.accepts(
      typeof apiKey === 'string' ? apiKey : '',
      typeof apiSig === 'string' ? apiSig : '',
    );
  }

  text(text: string): void {
    const child = this.child;
    if (!child) {
      if (!this.#inHeader && text.trim() !== '') throw new SoapFault('Client', 'Text was not expected here.');
      return;
    }
    const isValue = child.type === 'int' || child.type === 'boolean';
    if (this.isAccepted === false && child.type === 'string') return;
    child.text += text;
    if (child.text.length > (isValue ? maxValueLength : maxTextLength))
      throw new SoapFault('Client', `${child.name} is too long.`);
  }

  close(): void {
    this.#depth--;
    if (this.#depth === 1) this.#inHeader = false;
    const child = this.child;
    if (!child || this.#depth !== 3) return;
    requireType(child.type, child.nil ? '' : child.text);
    const isKept = this.isAccepted !== false || isCredential(child.name);
    if (child.name !== '' && isKept) this.children.set(child.name, child.nil ? null : child.text);
    if (this.base64) this.closed = { ...this.base64, nil: child.nil };
    this.base64 = null;
    this.child = null;
  }
}

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Throws the fault for an envelope of another SOAP version than the headers announced. */
function requireEnvelope(tag: SaxesTagNS, version: SoapVersion): void {
  const expected = envelopeNamespaces[version];
  if (tag.local === 'Envelope' && tag.uri === expected) return;
  throw new SoapFault(
    'VersionMismatch',
    `Possible SOAP version mismatch: Envelope namespace ${tag.uri} was unexpected. Expecting ${expected}.`,
  );
}

/** Throws the fault for a header block with mustUnderstand; other blocks are ignored. */
function refuseMandatoryHeader(tag: SaxesTagNS, version: SoapVersion): void {
  const must = Object.values(tag.attributes).find(
    (attribute) => attribute.local === 'mustUnderstand' && attribute.uri === envelopeNamespaces[version],
  );
  if (must && /^\s*(1|true)\s*$/.test(must.value))
    throw new SoapFault('MustUnderstand', `SOAP header ${tag.name} was not understood.`);
}

function isNil(tag: SaxesTagNS): boolean {
  return Object.values(tag.attributes).some(
    ({ uri, local, value }) => uri === schemaInstance && local === 'nil' && /^(1|true)$/.test(value),
  );
}

/** Throws the fault for a number or a boolean that is none. A nil one is read as an empty one. */
function requireType(type: ChildType, given: string): void {
  const text = given.trim();
  if (type === 'int' && !isInt32(text)) throw unreadableValue('Input string was not in a correct format.');
  if (type === 'boolean' && !/^(true|false|1|0)$/.test(text))
    throw unreadableValue(`The string '${text.slice(0, 40)}' is not a valid Boolean value.`);
}

function isInt32(text: string): boolean {
  return /^[+-]?0*\d{1,10}$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;
}

/** The version by media type: text/xml is 1.1, application/soap+xml is 1.2, each in UTF-8. Null for anything else. */
export function soapVersionOf(contentType: string | undefined): SoapVersion | null {
  const [media = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'us-ascii') return null;
  if (media === 'text/xml') return '1.1';
  return media === 'application/soap+xml' ? '1.2' : null;
}

/** The operation named by the headers: SOAPAction in 1.1, the action parameter in 1.2. Null if they name none. */
export function actionOf(request: IncomingMessage, version: SoapVersion, namespaceUri: string): OperationName | null {
  const text = version === '1.1' ? String(request.headers.soapaction ?? '') : actionParameter(request);
  return operationNames.find((name) => text === `"${namespaceUri}${name}"`) ?? null;
}

/** 1.1 requires the quoted SOAPAction, in 1.2 the action is optional; if present it must name the body's element. */
export function requireAction(
  request: IncomingMessage,
  version: SoapVersion,
  namespaceUri: string,
  operation: Operation,
): void {
  const given = version === '1.1' ? String(request.headers.soapaction ?? '') : actionParameter(request);
  if (version === '1.2' && given === '') return;
  if (actionOf(request, version, namespaceUri) !== operation.name)
    throw new SoapFault(
      'Client',
      `Server did not recognize the value of HTTP Header SOAPAction: ${given.slice(0, 200)}.`,
    );
}

function actionParameter(request: IncomingMessage): string {
  const value = /;\s*action=("[^"]*"|[^;\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
  return value === '' || value.startsWith('"') ? value : `"${value}"`;
}
