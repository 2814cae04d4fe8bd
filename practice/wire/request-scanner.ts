import { SaxesParser } from 'saxes';
import type { Operation } from '../interface.ts';
import { type DocumentSink, notBase64, openCheckingSink } from './document-sink.ts';
import { type EnvelopeOptions, EnvelopeReader, type RawChild } from './envelope-reader.ts';
import { MalformedRequest } from './faults.ts';

export interface ScannedRequest {
  readonly operation: Operation;
  /** By the interface's names, in the order of arrival. */
  readonly children: ReadonlyMap<string, RawChild>;
}

export interface ScannerOptions extends EnvelopeOptions {
  readonly openSink: () => Promise<DocumentSink>;
}

const [gt, lt, ampersand, semicolon] = [0x3e, 0x3c, 0x26, 0x3b];

/**
 * Reads an envelope as it arrives. saxes parses the tags but never the text of a base64 element (it would need minutes
 * for gigabytes of text): that text is cut out at byte level and written to a sink.
 */
export class RequestScanner {
  readonly #openFile: ScannerOptions['openSink'];
  readonly #envelope: EnvelopeReader;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #opened: DocumentSink[] = [];
  /** Within a base64 element, between a `<` and the end of what it begins. */
  #inMarkup = false;
  /** saxes reports a comment's end at `--`, before the `>` that may be in the next chunk. */
  #markupEnds = false;
  #reference: string | null = null;

  constructor(options: ScannerOptions) {
    this.#openFile = options.openSink;
    const envelope = new EnvelopeReader(options);
    this.#envelope = envelope;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new MalformedRequest(error.message);
    });
    parser.on('doctype', () => {
      throw new MalformedRequest('a DTD is not taken');
    });
    parser.on('opentag', (tag) => envelope.open(tag));
    parser.on('text', (text) => envelope.text(text));
    parser.on('closetag', () => {
      this.#markupEnds = true;
      envelope.close();
    });
    parser.on('cdata', (text) => {
      this.#markupEnds = true;
      envelope.text(text);
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
    const envelope = this.#envelope;
    for (let at = 0; at < chunk.length; ) {
      at = envelope.base64 && !this.#inMarkup ? await this.#pushBase64(chunk, at) : this.#pushMarkup(chunk, at);
      if (envelope.closed) await this.#finishDocument();
      else if (envelope.base64 && !this.#inMarkup && envelope.child?.text)
        await this.#takeCdata(envelope.child, envelope.base64);
    }
  }

  /** Parses at most to the next `>`, so that no byte of a base64 element's text reaches the parser with its start tag. */
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
    const operation = this.#envelope.finished();
    if (!operation) throw new MalformedRequest('the envelope is not complete');
    this.#parser.close();
    return { operation, children: this.#envelope.children };
  }

  /** Closes every file and removes those that were not moved away. */
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

  async #takeCdata(child: { text: string }, base64: { sink: DocumentSink | null }): Promise<void> {
    const bytes = Buffer.from(child.text.replace(/[^\0-\xff]/g, '*'), 'latin1');
    child.text = '';
    base64.sink ??= await this.#openSink();
    await base64.sink.push(bytes, 0, bytes.length);
  }

  /** Ends the document after its end tag, where waiting is possible. */
  async #finishDocument(): Promise<void> {
    const closed = this.#envelope.closed;
    this.#envelope.closed = null;
    if (!closed || closed.nil) return;
    const sink = closed.sink ?? (await this.#openSink());
    const document = await sink.finish();
    if (document) this.#envelope.children.set(closed.name, document);
  }

  async #openSink(): Promise<DocumentSink> {
    const sink = this.#envelope.isAccepted === false ? openCheckingSink() : await this.#openFile();
    this.#opened.push(sink);
    return sink;
  }

  async #pushBase64(chunk: Buffer, start: number): Promise<number> {
    const current = this.#envelope.base64;
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
    // A tag, a comment or CDATA: saxes parses up to its end, and base64 may continue after it.
    this.#inMarkup = tag >= 0;
    this.#markupEnds = false;
    return end;
  }

  /** Character references such as `&#xD;`: some clients write line ends of base64 this way. */
  async #pushReference(chunk: Buffer, start: number): Promise<number> {
    const end = chunk.indexOf(semicolon, start);
    this.#reference += chunk.toString('latin1', start, end < 0 ? chunk.length : end);
    if ((this.#reference ?? '').length > 12) throw new MalformedRequest('not a character reference');
    if (end < 0) return chunk.length;
    const match = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(this.#reference ?? '');
    const code = match ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] ? 16 : 10) : 0;
    const isNamed = /^(amp|lt|gt|quot|apos)$/.test(this.#reference ?? '');
    this.#reference = null;
    if (isNamed || code > 127) throw notBase64();
    if (code < 1) throw new MalformedRequest('not a character reference');
    const { base64 } = this.#envelope;
    if (base64) {
      base64.sink ??= await this.#openSink();
      await base64.sink.push(Buffer.from([code]), 0, 1);
    }
    return end + 1;
  }
}
