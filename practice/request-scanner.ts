import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { DocumentSink, ReceivedDocument } from './document-sink.ts';
import { isNil, requireEnvelope, requireOptional } from './envelope-rules.ts';
import { envelopeNamespaces, MalformedRequest, SoapFault, type SoapVersion } from './faults.ts';
import { type Operation, operations } from './interface.ts';

/** A child's value as it came: text, a document, or null where it was nil. */
export type RawChild = string | ReceivedDocument | null;

export interface ScannedRequest {
  readonly operation: Operation;
  /** By the interface's names, in the order of arrival. */
  readonly children: ReadonlyMap<string, RawChild>;
}

export interface ScannerOptions {
  readonly version: SoapVersion;
  readonly path: Operation['path'];
  readonly namespaceUri: string;
  /** What the interface's child names are called on the wire. */
  readonly wireName: (name: string) => string;
  readonly openSink: () => Promise<DocumentSink>;
  /** Passes over children that it does not know, as .asmx services do, instead of refusing them. */
  readonly ignoresUnknown: boolean;
  /** As soon as the body's element was seen. */
  readonly onOperation: (operation: Operation) => void;
}

const maxTextLength = 8 * 1024 * 1024;
const maxDepth = 64;
const [gt, lt, ampersand, semicolon] = [0x3e, 0x3c, 0x26, 0x3b];

/**
 * Reads an envelope as it arrives. Tags go to saxes; the text of a base64 element never does (a parser needs minutes
 * for gigabytes of text): it is cut out at byte level and goes to a sink.
 */
export class RequestScanner {
  readonly #options: ScannerOptions;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #children = new Map<string, RawChild>();
  readonly #opened: DocumentSink[] = [];
  #depth = 0;
  #inHeader = false;
  #bodies = 0;
  #operation: Operation | null = null;
  #position = -1;
  #child: { readonly name: string; readonly type: string; text: string; nil: boolean } | null = null;
  /** Set between the start and the end tag of a base64 element. */
  #base64: { readonly name: string; sink: DocumentSink | null } | null = null;
  #closed: { readonly name: string; readonly sink: DocumentSink | null; readonly nil: boolean } | null = null;
  /** Within a base64 element, between a `<` and the end of what it begins. */
  #inMarkup = false;
  /** saxes tells a comment's end at `--`, before the `>` that may be in the next chunk. */
  #markupEnds = false;
  #reference: string | null = null;

  constructor(options: ScannerOptions) {
    this.#options = options;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new MalformedRequest(error.message);
    });
    parser.on('doctype', () => {
      throw new MalformedRequest('a DTD is not taken');
    });
    parser.on('opentag', (tag) => this.#opens(tag));
    parser.on('text', (text) => this.#text(text));
    parser.on('closetag', () => {
      this.#markupEnds = true;
      this.#closes();
    });
    parser.on('cdata', (text) => {
      this.#markupEnds = true;
      this.#text(text);
    });
    parser.on('comment', () => {
      this.#markupEnds = true;
    });
    parser.on('processinginstruction', () => {
      this.#markupEnds = true;
    });
  }

  /** Throws MalformedRequest or SoapFault. */
  async push(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      at = this.#base64 && !this.#inMarkup ? await this.#pushBase64(chunk, at) : this.#pushMarkup(chunk, at);
      if (this.#closed) await this.#keepDocument();
      else if (this.#base64 && !this.#inMarkup && this.#child?.text) await this.#takeCdata(this.#child, this.#base64);
    }
  }

  /** At most to the next `>`, so that no byte of a base64 element's text is handed over with its start tag. */
  #pushMarkup(chunk: Buffer, start: number): number {
    const end = chunk.indexOf(gt, start);
    const stop = end < 0 ? chunk.length : end + 1;
    this.#parser.write(this.#decode(chunk.subarray(start, stop)));
    if (end >= 0 && this.#markupEnds) {
      this.#inMarkup = false;
      this.#markupEnds = false;
    }
    return stop;
  }

  async finish(): Promise<ScannedRequest> {
    if (this.#depth > 0 || !this.#operation) throw new MalformedRequest('the envelope is not complete');
    this.#parser.close();
    return { operation: this.#operation, children: this.#children };
  }

  /** Ends every file and removes those that nobody has taken to another place. */
  async discard(): Promise<void> {
    for (const sink of this.#opened) await sink.discard();
  }

  #decode(bytes: Buffer): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new MalformedRequest('not UTF-8');
    }
  }

  #opens(tag: SaxesTagNS): void {
    const depth = this.#depth++;
    if (depth > maxDepth) throw new MalformedRequest('nested too deeply');
    if (depth === 0) requireEnvelope(tag, this.#options.version);
    else if (depth === 1) this.#opensPart(tag);
    else if (this.#inHeader) {
      if (depth === 2) requireOptional(tag, this.#options.version);
    } else if (depth === 2) this.#opensOperation(tag);
    else if (depth === 3) this.#opensChild(tag);
    else throw new SoapFault('Client', `Server was unable to read request. ---> ${tag.local} was not expected.`);
  }

  #opensPart(tag: SaxesTagNS): void {
    const ours = tag.uri === envelopeNamespaces[this.#options.version];
    this.#inHeader = ours && tag.local === 'Header' && this.#bodies === 0;
    if (ours && tag.local === 'Body') this.#bodies++;
    else if (!this.#inHeader) throw new SoapFault('Client', `${tag.name} was not expected in the envelope.`);
    if (this.#bodies > 1) throw new SoapFault('Client', 'The envelope has more than one body.');
  }

  #opensOperation(tag: SaxesTagNS): void {
    if (this.#operation) throw new SoapFault('Client', 'The body has more than one element.');
    const { namespaceUri, path } = this.#options;
    const found = operations.find((each) => each.name === tag.local && each.path === path);
    if (!found || tag.uri !== namespaceUri)
      throw new SoapFault(
        'Client',
        `Unable to handle request: {${tag.uri}}${tag.local} is no operation of this address.`,
      );
    this.#operation = found;
    this.#options.onOperation(found);
  }

  #opensChild(tag: SaxesTagNS): void {
    const { namespaceUri, wireName } = this.#options;
    const children = this.#operation?.children ?? [];
    const position = children.findIndex(([name]) => wireName(name) === tag.local);
    const child = children[position];
    if (!child && this.#options.ignoresUnknown) {
      this.#child = { name: '', type: 'string', text: '', nil: false };
      return;
    }
    if (!child || tag.uri !== namespaceUri)
      throw new SoapFault(
        'Client',
        `Server was unable to read request. ---> {${tag.uri}}${tag.local} was not expected.`,
      );
    // Such servers often take any order. The interface names one, so this one insists on it.
    if (position <= this.#position)
      throw new SoapFault('Client', `Server was unable to read request. ---> ${tag.local} is out of order.`);
    this.#position = position;
    const [name, type] = child;
    this.#child = { name, type, text: '', nil: isNil(tag) };
    if (type === 'base64') this.#base64 = { name, sink: null };
  }

  #text(text: string): void {
    const child = this.#child;
    if (!child) {
      if (!this.#inHeader && text.trim() !== '') throw new SoapFault('Client', 'Text was not expected here.');
      return;
    }
    child.text += text;
    if (child.text.length > maxTextLength) throw new SoapFault('Client', `${child.name} is too long.`);
  }

  #closes(): void {
    this.#depth--;
    if (this.#depth === 1) this.#inHeader = false;
    const child = this.#child;
    if (!child || this.#depth !== 3) return;
    if (child.name !== '') this.#children.set(child.name, child.nil ? null : child.text);
    if (this.#base64) this.#closed = { ...this.#base64, nil: child.nil };
    this.#base64 = null;
    this.#child = null;
  }

  async #takeCdata(child: { text: string }, base64: { sink: DocumentSink | null }): Promise<void> {
    const bytes = Buffer.from(child.text.replace(/[^\0-\xff]/g, '*'), 'latin1');
    child.text = '';
    base64.sink ??= await this.#openSink();
    await base64.sink.push(bytes, 0, bytes.length);
  }

  /** At the end tag, where it can be waited for. */
  async #keepDocument(): Promise<void> {
    const closed = this.#closed;
    this.#closed = null;
    if (!closed || closed.nil) return;
    const sink = closed.sink ?? (await this.#openSink());
    this.#children.set(closed.name, await sink.finish());
  }

  async #openSink(): Promise<DocumentSink> {
    const sink = await this.#options.openSink();
    this.#opened.push(sink);
    return sink;
  }

  async #pushBase64(chunk: Buffer, start: number): Promise<number> {
    const current = this.#base64;
    if (!current) return start;
    if (this.#reference !== null) return this.#pushReference(chunk, start);
    const tag = chunk.indexOf(lt, start);
    const text = tag < 0 ? chunk.length : tag;
    const reference = chunk.subarray(start, text).indexOf(ampersand);
    const end = reference < 0 ? text : start + reference;
    if (end > start) {
      current.sink ??= await this.#openSink();
      await current.sink.push(chunk, start, end);
    }
    if (end < text) {
      this.#reference = '';
      return end + 1;
    }
    // A tag, a comment or CDATA: saxes takes over until its end, and base64 may go on after it.
    this.#inMarkup = tag >= 0;
    this.#markupEnds = false;
    return end;
  }

  /** `&#xD;` and its like: line ends of base64 as some clients write them. */
  async #pushReference(chunk: Buffer, start: number): Promise<number> {
    const end = chunk.indexOf(semicolon, start);
    this.#reference += chunk.toString('latin1', start, end < 0 ? chunk.length : end);
    if ((this.#reference ?? '').length > 12) throw new MalformedRequest('not a character reference');
    if (end < 0) return chunk.length;
    const match = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(this.#reference ?? '');
    const code = match ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] ? 16 : 10) : 0;
    this.#reference = null;
    if (code < 1 || code > 127) throw new MalformedRequest('not base64');
    if (this.#base64) {
      this.#base64.sink ??= await this.#openSink();
      await this.#base64.sink.push(Buffer.from([code]), 0, 1);
    }
    return end + 1;
  }
}
