import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { appError } from '../../core/foundation/app-error.ts';
import { shorten } from '../wire/reply-coding.ts';

/** The first bytes show the family of encodings; 1,024 bytes hold any sensible XML declaration. */
const declarationBytes = 1024;

function encodingOf(start: Buffer, charset: string | null): string {
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0x3c && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] === 0x3c) return 'utf-16be';
  // For SOAP the header takes precedence over the declaration (RFC 7303).
  if (charset) return charset;
  const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(
    start.toString('latin1', 0, Math.min(start.length, declarationBytes)),
  );
  return declared?.[1] ?? 'utf-8';
}

function notText(note: string) {
  return appError('reply-unreadable', note, { detail: 'not-xml' });
}

/** Number of bytes at the end that begin an incomplete character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

interface Decoder {
  decode(bytes: Buffer, isLast: boolean): string;
}

/** Like TextDecoder with `fatal`, but several times faster: nearly all replies are UTF-8. */
function createUtf8Decoder(): Decoder {
  let tail: Buffer = Buffer.alloc(0);
  let first = true;
  return {
    decode(bytes, isLast) {
      const whole = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
      const end = whole.length - (isLast ? 0 : unfinishedBytes(whole));
      const part = whole.subarray(0, end);
      tail = Buffer.from(whole.subarray(end));
      if (isAscii(part)) {
        first = first && part.length === 0;
        return part.toString('latin1');
      }
      if (!isUtf8(part)) throw notText('bytes that the encoding does not allow');
      const text = part.toString('utf8');
      const marked = first && text.startsWith('\ufeff');
      first = false;
      return marked ? text.slice(1) : text;
    },
  };
}

function createOtherDecoder(label: string): Decoder {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    throw notText(`encoding ${shorten(label)} is not known`);
  }
  return {
    decode(bytes, isLast) {
      try {
        return decoder.decode(bytes, { stream: !isLast });
      } catch {
        throw notText('bytes that the encoding does not allow');
      }
    },
  };
}

/**
 * Decodes the bytes of an XML body to text, chunk by chunk. Chooses a decoder by byte order mark, Content-Type or XML declaration, in this order, else UTF-8. Bytes that the
 * encoding does not allow are refused, never replaced. Throws reply-unreadable (not-xml).
 */
export function createTextDecoding(charset: string | null) {
  let decoder: Decoder | undefined;
  let held: Buffer = Buffer.alloc(0);
  const start = (): Decoder => {
    const label = encodingOf(held, charset);
    return /^utf-?8$/i.test(label) ? createUtf8Decoder() : createOtherDecoder(label);
  };
  return {
    write(chunk: Buffer): string {
      if (decoder) return decoder.decode(chunk, false);
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (held.length < 4 || (held.length < declarationBytes && !held.includes('?>'))) return '';
      decoder = start();
      return decoder.decode(held, false);
    },
    end() {
      const rest = decoder ? Buffer.alloc(0) : held;
      decoder ??= start();
      return decoder.decode(rest, true);
    },
  };
}
