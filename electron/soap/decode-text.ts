import { TextDecoder } from 'node:util';

import { failing } from '../core/failing.ts';

/** Bytes of an XML body to text, chunk by chunk. */
export interface TextDecoding {
  write(chunk: Buffer): string;
  end(): string;
}

/** The first bytes say which family of encodings it is; 1,024 hold any sensible XML declaration. */
const declarationBytes = 1024;

function encodingOf(start: Buffer, charset: string | null): string {
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0x3c && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] === 0x3c) return 'utf-16be';
  // For SOAP the header wins over the declaration (RFC 7303).
  if (charset) return charset;
  const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(
    start.toString('latin1', 0, Math.min(start.length, declarationBytes)),
  );
  return declared?.[1] ?? 'utf-8';
}

function notText(note: string) {
  return failing('reply-unreadable', note, { detail: 'not-xml' });
}

/**
 * A decoder by byte order mark, Content-Type or XML declaration, in this order; UTF-8 where nothing is said. Bytes that the
 * encoding does not allow are refused, never replaced. Throws reply-unreadable (not-xml).
 */
export function createTextDecoding(charset: string | null): TextDecoding {
  let decoder: TextDecoder | undefined;
  let held: Buffer = Buffer.alloc(0);
  const start = (): TextDecoder => {
    const label = encodingOf(held, charset);
    try {
      return new TextDecoder(label, { fatal: true });
    } catch {
      throw notText(`encoding ${label.slice(0, 40)} is not known`);
    }
  };
  const decode = (bytes: Buffer | undefined): string => {
    try {
      decoder ??= start();
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (error) {
      throw error instanceof TypeError ? notText('bytes that the encoding does not allow') : error;
    }
  };
  return {
    write(chunk) {
      if (decoder) return decode(chunk);
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (held.length < 4 || (held.length < declarationBytes && !held.includes('?>'))) return '';
      return decode(held);
    },
    end() {
      const first = decoder || held.length === 0 ? '' : decode(held);
      return decoder ? first + decode(undefined) : '';
    },
  };
}
