import { type AppError, appError } from '../../core/foundation/app-error.ts';

const maxMarkupBytes = 64 * 1024;
const gt = 0x3e;
const dash = 0x2d;
const question = 0x3f;
const doubleQuote = 0x22;
const singleQuote = 0x27;

function unreadable(detail: 'not-xml' | 'reply-too-large', note: string): AppError {
  return appError('reply-unreadable', note, { detail });
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

/**
 * Finds the end of a tag, comment, processing instruction or CDATA start that began with `<`, byte by byte because a chunk may
 * end anywhere. Throws reply-unreadable (not-xml for a DTD, reply-too-large).
 */
export function createMarkup() {
  // Bytes, not a growing string: reading the end of that string after every character would copy all of it each time.
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
    /** Returns the whole markup without its angle brackets if `byte` ends it, else null; `<![CDATA[` ends at its second bracket. */
    add(byte: number): string | null {
      if (length === maxMarkupBytes) throw unreadable('reply-too-large', 'a tag or comment is too long');
      bytes[length++] = byte;
      if (kind === 'undecided') kind = kindOf(bytes.toString('latin1', 0, length));
      return ends(byte) ? bytes.toString('latin1', 0, kind === 'cdata' ? length : length - 1) : null;
    },
  };
}
