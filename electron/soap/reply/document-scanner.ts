import type { ByteSink } from '../../core/files/target-file.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { createBase64Decoding } from './base64-decoding.ts';
import { createMarkup } from './skip-markup.ts';

/** Limit for everything in the reply except the document: an envelope, or a fault with a long stack trace. */
const maxRestBytes = 256 * 1024;
const maxDepth = 64;
/** Length of the result's text that is kept, to see whether it is a code instead of a document. */
const keptTextBytes = 64;
const pieceBytes = 64 * 1024;
/** Some services write a line break, `+` or `/` as a reference; more than one in eight characters is no document but work for nothing. */
const charactersPerReference = 8;
const freeReferences = 4096;
/** More comments and instructions in a document than text of it are work for nothing too: they are skipped byte by byte. */
const freeMarkupBytes = 1024 * 1024;

function unreadable(detail: 'wrong-reply' | 'reply-too-large', note: string): AppError {
  return appError('reply-unreadable', note, { detail });
}

const lt = 0x3c;
const gt = 0x3e;
const ampersand = 0x26;
const semicolon = 0x3b;
const bracket = 0x5d;

/** Code of a character reference that may stand between base64 characters, or -1. */
function referenced(text: string): number {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(text);
  const code = match ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] ? 16 : 10) : -1;
  return code < 128 ? code : -1;
}

/**
 * Follows the local names of the open elements and knows whether the element at `path` is open. Its second occurrence is ignored. The first element in its place
 * counts too, whatever its name, until the element itself follows.
 */
function createElementPath(path: readonly string[]) {
  const names: string[] = [];
  let isOver = false;
  let inside: 'result' | 'other' | null = null;
  let others = 0;
  const isAt = (depth: number) => path.slice(0, depth).every((local, index) => local === names[index]);
  return {
    isInside: () => inside !== null,
    /** Forgets the element in place of the result, because it holds no text. True if there was one. */
    leaveOther: () => {
      const wasOther = inside === 'other';
      if (wasOther) inside = null;
      return wasOther;
    },
    /** Returns true if the result itself begins after another element was taken for it. */
    open(tag: string): boolean {
      if (names.length >= maxDepth) throw unreadable('reply-too-large', 'nesting is beyond what is read');
      const name = /^[^\s/]+/.exec(tag)?.[0] ?? '';
      if (tag.endsWith('/')) return false;
      names.push(name.slice(name.indexOf(':') + 1));
      if (isOver || names.length !== path.length || !isAt(path.length - 1)) return false;
      const isResult = isAt(path.length);
      if (isResult) inside = 'result';
      else if (others++ === 0) inside = 'other';
      return isResult && others > 0;
    },
    close() {
      if (inside === 'result') isOver = true;
      inside = null;
      names.pop();
    },
  };
}

/** Collects everything outside of the document, up to `maxRestBytes`. */
function createRest() {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(part: Buffer) {
      bytes += part.length;
      if (bytes > maxRestBytes) throw unreadable('reply-too-large', 'too much around the document');
      // A copy: a slice would hold the whole chunk in memory.
      parts.push(Buffer.from(part));
    },
    whole: () => Buffer.concat(parts),
  };
}

/** Decodes the document's base64 into the sink and remembers the beginning of its text. */
function createDocumentText(sink: ByteSink) {
  const decoding = createBase64Decoding();
  let text = '';
  let textBytes = 0;
  let isBase64 = true;
  let references = 0;
  let markupBytes = 0;
  let bytesOut = 0;
  const oneByte = Buffer.alloc(1);
  return {
    add(chunk: Buffer, start: number, end: number) {
      textBytes += end - start;
      if (text.length < keptTextBytes) text += chunk.toString('latin1', start, Math.min(end, start + keptTextBytes));
      for (let from = start; isBase64 && from < end; from += pieceBytes) {
        const to = Math.min(from + pieceBytes, end);
        sink.reserve(((to - from) >> 2) * 3 + 6);
        const bytes = decoding.write(chunk, from, to, sink.buffer, sink.at);
        if (bytes < 0) isBase64 = false;
        else {
          sink.at += bytes;
          bytesOut += bytes;
        }
      }
      if (!isBase64 && text.length >= keptTextBytes) throw unreadable('wrong-reply', 'the document is not base64');
    },
    addReference(reference: string) {
      references += 1;
      if ((references - freeReferences) * charactersPerReference > textBytes) {
        throw unreadable('reply-too-large', 'too many references in the document');
      }
      const code = referenced(reference);
      if (code < 0) isBase64 = false;
      else {
        oneByte[0] = code;
        this.add(oneByte, 0, 1);
      }
    },
    /** A comment or an instruction between the base64. */
    addMarkup(bytes: number) {
      markupBytes += bytes;
      if (markupBytes - freeMarkupBytes > textBytes) {
        throw unreadable('reply-too-large', 'too many comments in the document');
      }
    },
    end() {
      sink.reserve(3);
      const bytes = isBase64 ? decoding.end(sink.buffer, sink.at) : 0;
      if (bytes < 0) isBase64 = false;
      else sink.at += bytes;
    },
    hasBytes: () => bytesOut > 0,
    otherText: () => (isBase64 ? null : text),
    shortText: () => (textBytes > keptTextBytes ? null : text),
  };
}

type ScanState = 'text' | 'markup' | 'reference' | 'cdata' | 'cdata-end';

/**
 * Finds the element whose path of local names is `path`, whatever the prefixes, or the first one in its place, and decodes its base64 as it arrives;
 * everything else is collected. Line breaks, comments, processing instructions, CDATA and character references may
 * interrupt the base64. Throws reply-unreadable (not-xml, wrong-reply, reply-too-large).
 */
export class DocumentScan {
  private readonly markup = createMarkup();
  private readonly around = createRest();
  private readonly path: ReturnType<typeof createElementPath>;
  private readonly sink: ByteSink;
  private document: ReturnType<typeof createDocumentText>;
  private state: ScanState = 'text';
  /** True in a CDATA section outside of the document. */
  private isOtherCdata = false;
  private markupBytes = 0;
  private brackets = 0;
  private reference = '';

  constructor(path: readonly string[], sink: ByteSink) {
    this.path = createElementPath(path);
    this.sink = sink;
    this.document = createDocumentText(sink);
  }

  /** The beginning of the result's text if it is not base64, else null. */
  get otherText(): string | null {
    return this.document.otherText();
  }

  /** The whole text of the result if it is at most a few words long, else null. */
  get shortText(): string | null {
    return this.document.shortText();
  }

  /** The envelope without the document, for the full parser, which checks what the scanner assumes. */
  rest(): Buffer {
    return this.around.whole();
  }

  /** Decodes the last bytes. */
  end(): void {
    this.document.end();
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.state === 'text' || this.state === 'cdata') {
        at = this.takeText(chunk, at);
        continue;
      }
      const byte = chunk[at++] as number;
      if (this.state === 'markup') {
        this.markupBytes += 1;
        const body = this.markup.add(byte);
        if (body !== null) this.endMarkup(body);
      } else if (this.state === 'cdata-end') this.takeCdataEnd(byte);
      else this.takeReference(byte);
    }
  }

  /** Text and CDATA: skips to the next byte with a meaning. Returns its position. */
  private takeText(chunk: Buffer, from: number): number {
    const end = this.endOfText(chunk, from);
    if (end > from) {
      if (this.path.isInside()) this.document.add(chunk, from, end);
      else this.around.add(chunk.subarray(from, end));
    }
    if (end === chunk.length) return end;
    if (this.state === 'cdata') {
      this.state = 'cdata-end';
      this.brackets = 0;
      return end;
    }
    if (chunk[end] === ampersand) {
      this.state = 'reference';
      this.reference = '';
    } else {
      this.state = 'markup';
      this.markupBytes = 0;
      this.markup.start();
    }
    return end + 1;
  }

  private endOfText(chunk: Buffer, from: number): number {
    const to = chunk.indexOf(this.state === 'cdata' ? bracket : lt, from);
    const end = to < 0 ? chunk.length : to;
    if (!this.path.isInside() || this.state === 'cdata') return end;
    const other = chunk.subarray(from, end).indexOf(ampersand);
    return other < 0 ? end : from + other;
  }

  private endMarkup(body: string): void {
    this.state = 'text';
    const inside = this.path.isInside();
    if (body === '![CDATA[') {
      this.isOtherCdata = !inside;
      this.state = 'cdata';
      if (!inside) this.around.add(Buffer.from('<![CDATA['));
    } else if (body.startsWith('!') || body.startsWith('?')) {
      if (inside) this.document.addMarkup(this.markupBytes);
      else this.around.add(Buffer.from(`<${body}>`, 'latin1'));
    } else this.takeTag(body);
  }

  private takeTag(body: string): void {
    if (body.startsWith('/')) this.path.close();
    else if (this.path.isInside() && !this.path.leaveOther()) {
      throw unreadable('wrong-reply', 'elements where a document was expected');
    } else if (this.path.open(body)) this.startOver();
    this.around.add(Buffer.from(`<${body}>`, 'latin1'));
  }

  /** The document itself begins after an element that was taken for it. */
  private startOver(): void {
    if (this.document.hasBytes()) throw unreadable('wrong-reply', 'more than one document');
    this.document = createDocumentText(this.sink);
  }

  /** `]` may be content of a CDATA section outside of the document; two of them and `>` end it. */
  private takeCdataEnd(byte: number): void {
    if (this.isOtherCdata) this.around.add(Buffer.from([byte]));
    if (byte === bracket) this.brackets += 1;
    else if (byte === gt && this.brackets >= 2) this.state = 'text';
    else if (this.isOtherCdata) this.state = 'cdata';
    else throw unreadable('wrong-reply', 'the document is not base64');
  }

  private takeReference(byte: number): void {
    if (byte === semicolon) {
      this.state = 'text';
      this.document.addReference(this.reference);
      return;
    }
    this.reference += String.fromCharCode(byte);
    if (this.reference.length > 10) throw unreadable('wrong-reply', 'the document is not base64');
  }
}
