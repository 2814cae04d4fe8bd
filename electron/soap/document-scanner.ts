import type { ByteSink } from '../core/files/byte-sink.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import { type Base64Decoding, createBase64Decoding } from './base64-decoding.ts';

/** Everything of the reply but the document itself: an envelope, or a fault with a long stack trace. */
const maxRestBytes = 256 * 1024;
const maxMarkupBytes = 64 * 1024;
const maxDepth = 64;
/** As much of the result's text as is kept to see whether it is a code instead of a document. */
const keptTextBytes = 64;
const pieceBytes = 64 * 1024;

export interface DocumentScan {
  push(chunk: Buffer): void;
  /** Decodes the last bytes. */
  end(): void;
  /** The envelope without the document: for the normal reading, which checks what the scanner takes on trust. */
  rest(): Buffer;
  /** The beginning of the result's text where it is not base64, null where it is. */
  readonly otherText: string | null;
  /** The whole text of the result where it is no longer than a few words, null where it is. */
  readonly shortText: string | null;
}

function unreadable(detail: 'not-xml' | 'wrong-reply' | 'reply-too-large', note: string): AppError {
  return appError('reply-unreadable', note, { detail });
}

const lt = 0x3c;
const gt = 0x3e;
const ampersand = 0x26;
const semicolon = 0x3b;
const bracket = 0x5d;
const dash = 0x2d;
const question = 0x3f;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** Code of a character reference that may stand between base64 characters, or -1. */
function referenced(text: string): number {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(text);
  const code = match ? Number.parseInt(match[1] ?? match[2] ?? '', match[1] ? 16 : 10) : -1;
  return code < 128 ? code : -1;
}

type MarkupKind = 'undecided' | 'tag' | 'comment' | 'instruction' | 'cdata';

function kindOf(start: string): MarkupKind {
  if (start === '![CDATA[') return 'cdata';
  if (start === '!--') return 'comment';
  if (start.startsWith('?')) return 'instruction';
  if (!start.startsWith('!')) return 'tag';
  if ('!--'.startsWith(start) || '![CDATA['.startsWith(start)) return 'undecided';
  throw unreadable('not-xml', 'a document type declaration is not read');
}

/** Where a piece of markup ends that began with `<`: told byte by byte, since a chunk may end anywhere. */
function createMarkup() {
  // Bytes, not a text that grows: looking at its end after every character would copy all of it every time.
  const bytes = Buffer.alloc(maxMarkupBytes);
  let length = 0;
  let quote = 0;
  let kind: MarkupKind = 'undecided';
  const ends = (byte: number): boolean => {
    const closes = byte === gt && quote === 0;
    if (kind === 'comment') return closes && length >= 6 && bytes[length - 2] === dash && bytes[length - 3] === dash;
    if (kind === 'instruction') return closes && length >= 3 && bytes[length - 2] === question;
    if (kind !== 'tag') return kind === 'cdata';
    if (quote !== 0) quote = byte === quote ? 0 : quote;
    else if (byte === doubleQuote || byte === singleQuote) quote = byte;
    return closes;
  };
  return {
    start() {
      length = 0;
      quote = 0;
      kind = 'undecided';
    },
    /** The whole markup without its angle brackets, once `byte` has ended it; `<![CDATA[` ends at its second bracket. */
    add(byte: number): string | null {
      if (length === maxMarkupBytes) throw unreadable('reply-too-large', 'a tag or comment is too long');
      bytes[length++] = byte;
      if (kind === 'undecided') kind = kindOf(bytes.toString('latin1', 0, length));
      return ends(byte) ? bytes.toString('latin1', 0, kind === 'cdata' ? length : length - 1) : null;
    },
  };
}

/**
 * Finds the one element whose path of local names is `path`, whatever the prefixes, and decodes its base64 as it comes by;
 * everything else is kept aside. Base64 may be broken by lines, comments, processing instructions, CDATA and character
 * references. Throws reply-unreadable (not-xml, wrong-reply, reply-too-large).
 */
export function createDocumentScan(path: readonly string[], sink: ByteSink): DocumentScan {
  const markup = createMarkup();
  const decoding: Base64Decoding = createBase64Decoding();
  const names: string[] = [];
  const rest: Buffer[] = [];
  let restBytes = 0;
  let state: 'text' | 'markup' | 'reference' | 'cdata' | 'cdata-end' = 'text';
  let inside = false;
  let over = false;
  let plainCdata = false;
  let brackets = 0;
  let reference = '';
  let text = '';
  let textBytes = 0;
  let isBase64 = true;

  const keep = (bytes: Buffer) => {
    restBytes += bytes.length;
    if (restBytes > maxRestBytes) throw unreadable('reply-too-large', 'too much around the document');
    // A copy: the chunk it comes from would be held in memory as long as the slice.
    rest.push(Buffer.from(bytes));
  };
  const content = (chunk: Buffer, start: number, end: number) => {
    textBytes += end - start;
    if (text.length < keptTextBytes) text += chunk.toString('latin1', start, Math.min(end, start + keptTextBytes));
    for (let from = start; isBase64 && from < end; from += pieceBytes) {
      const to = Math.min(from + pieceBytes, end);
      sink.reserve(((to - from) >> 2) * 3 + 6);
      const bytes = decoding.write(chunk, from, to, sink.buffer, sink.at);
      if (bytes < 0) isBase64 = false;
      else sink.at += bytes;
    }
    if (!isBase64 && text.length >= keptTextBytes) throw unreadable('wrong-reply', 'the document is not base64');
  };
  const enter = (tag: string) => {
    if (names.length >= maxDepth) throw unreadable('reply-too-large', 'nesting is beyond what is read');
    const name = /^[^\s/]+/.exec(tag)?.[0] ?? '';
    if (tag.endsWith('/')) return;
    names.push(name.slice(name.indexOf(':') + 1));
    inside = !over && names.length === path.length && path.every((local, index) => local === names[index]);
  };
  const tag = (body: string) => {
    if (body.startsWith('/')) {
      if (inside) over = true;
      inside = false;
      names.pop();
    } else if (inside) throw unreadable('wrong-reply', 'elements where a document was expected');
    else enter(body);
    keep(Buffer.from(`<${body}>`, 'latin1'));
  };
  const markupEnds = (body: string) => {
    state = 'text';
    if (body === '![CDATA[') {
      plainCdata = !inside;
      state = 'cdata';
      if (plainCdata) keep(Buffer.from('<![CDATA['));
    } else if (body.startsWith('!') || body.startsWith('?')) {
      if (!inside) keep(Buffer.from(`<${body}>`, 'latin1'));
    } else tag(body);
  };
  const referenceEnds = () => {
    const code = referenced(reference);
    state = 'text';
    if (code < 0) isBase64 = false;
    else content(Buffer.from([code]), 0, 1);
  };
  const stopOf = (chunk: Buffer, from: number): number => {
    const to = chunk.indexOf(state === 'cdata' ? bracket : lt, from);
    const end = to < 0 ? chunk.length : to;
    if (!inside || state === 'cdata') return end;
    const other = chunk.subarray(from, end).indexOf(ampersand);
    return other < 0 ? end : from + other;
  };
  /** Text and CDATA: leaps to the next byte that means something. */
  const leap = (chunk: Buffer, from: number): number => {
    const end = stopOf(chunk, from);
    if (end > from) {
      if (inside) content(chunk, from, end);
      else keep(chunk.subarray(from, end));
    }
    if (end === chunk.length) return end;
    if (state === 'cdata') {
      state = 'cdata-end';
      brackets = 0;
      return end;
    }
    if (chunk[end] === ampersand) {
      state = 'reference';
      reference = '';
    } else {
      state = 'markup';
      markup.start();
    }
    return end + 1;
  };
  /** `]` may be content of a CDATA that is not a document; two and `>` end it. */
  const cdataEnds = (byte: number) => {
    if (plainCdata) keep(Buffer.from([byte]));
    if (byte === bracket) brackets += 1;
    else if (byte === gt && brackets >= 2) state = 'text';
    else if (plainCdata) state = 'cdata';
    else throw unreadable('wrong-reply', 'the document is not base64');
  };
  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (state === 'text' || state === 'cdata') {
          at = leap(chunk, at);
          continue;
        }
        const byte = chunk[at++] as number;
        if (state === 'markup') {
          const body = markup.add(byte);
          if (body !== null) markupEnds(body);
        } else if (state === 'cdata-end') cdataEnds(byte);
        else if (byte === semicolon) referenceEnds();
        else {
          reference += String.fromCharCode(byte);
          if (reference.length > 10) throw unreadable('wrong-reply', 'the document is not base64');
        }
      }
    },
    end() {
      sink.reserve(3);
      const bytes = isBase64 ? decoding.end(sink.buffer, sink.at) : 0;
      if (bytes < 0) isBase64 = false;
      else sink.at += bytes;
    },
    rest: () => Buffer.concat(rest),
    get otherText() {
      return isBase64 ? null : text;
    },
    get shortText() {
      return textBytes > keptTextBytes ? null : text;
    },
  };
}
