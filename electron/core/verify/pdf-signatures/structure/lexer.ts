import { Unreadable } from '../doubt.ts';
import type { Bytes } from './file-window.ts';
import type { PdfDictionary, PdfName, PdfString, PdfValue } from './pdf-values.ts';

/** Honest files stay far below all of these. */
const maxDepth = 100;
const maxItems = 2_000_000;
const maxStringBytes = 32 * 1024 * 1024;
const maxTokenBytes = 1_024;
/** Of white space and comments in one place: gigabytes would take minutes. */
export const maxSpaceBytes = 1024 * 1024;

const whiteSpace = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const delimiters = new Set(Buffer.from('()<>[]{}/%'));
/** What is added to a real number that is whole (90.0): where viewers want a whole number they take it for none, so it equals none. */
const wholeReal = 2 ** -20;
const numberForm = /^[+-]?(\d+\.?\d*|\.\d+)$/;
/** In a literal string: octal, or what stands behind a backslash; and line ends. */
const escapes = /\\(?:([0-7]{1,3})|(\r\n|[\s\S]))|\r\n?/g;
const escaped = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '', '\r\n': '' }),
);

export const isWhiteSpace = (byte: number): boolean => whiteSpace.has(byte);

/** Where something else than white space stands, or nothing more. */
export function behindSpace(bytes: Bytes, position: number): number {
  let at = position;
  while (whiteSpace.has(bytes.at(at))) if (++at > position + maxSpaceBytes) throw new Unreadable('too-large');
  return at;
}

/** Reads values from a position on. What is not of the form of the standard is refused, not guessed. */
export class Lexer {
  readonly #bytes: Bytes;
  position: number;
  #items = 0;
  /** Then no position is one in the file. */
  readonly #isUnpacked: boolean;

  constructor(bytes: Bytes, position: number, isUnpacked = false) {
    this.#bytes = bytes;
    this.position = position;
    this.#isUnpacked = isUnpacked;
  }

  /** Over white space and comments. */
  skip(): void {
    const most = this.position + maxSpaceBytes;
    for (let isComment = false; ; this.position++) {
      const byte = this.#bytes.at(this.position);
      if (byte === 0x0a || byte === 0x0d || byte < 0) isComment = false;
      else if (byte === 0x25) isComment = true;
      if (!isComment && !whiteSpace.has(byte)) return;
      if (this.position > most) throw new Unreadable('too-large');
    }
  }

  /** A word as `obj` or `trailer`, a number, or nothing. */
  word(): string {
    this.skip();
    const start = this.position;
    let word = '';
    for (let byte = this.#bytes.at(start); byte >= 0 && !whiteSpace.has(byte) && !delimiters.has(byte); ) {
      word += String.fromCharCode(byte);
      if (word.length > maxTokenBytes) throw malformed();
      byte = this.#bytes.at(++this.position);
    }
    return word;
  }

  expect(word: string): void {
    if (this.word() !== word) throw malformed();
  }

  /** Whether this word follows; then it is read. */
  has(word: string): boolean {
    const before = this.position;
    if (this.word() === word) return true;
    this.position = before;
    return false;
  }

  whole(): number {
    const word = this.word();
    if (!/^\d{1,15}$/.test(word)) throw malformed();
    return Number(word);
  }

  value(depth = 0): PdfValue {
    this.skip();
    if (depth > maxDepth || ++this.#items > maxItems) throw new Unreadable('too-large');
    const byte = this.#bytes.at(this.position);
    if (byte === 0x2f) return this.#name();
    if (byte === 0x28) return this.#literal();
    if (byte === 0x5b) return this.#array(depth);
    if (byte === 0x3c) return this.#bytes.at(this.position + 1) === 0x3c ? this.#dictionary(depth) : this.#hex();
    return this.#simple();
  }

  #simple(): PdfValue {
    const word = this.word();
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (!numberForm.test(word)) throw malformed();
    const number = Number(word);
    if (word.includes('.') && Number.isInteger(number)) return number + wholeReal;
    return /^\d+$/.test(word) ? (this.#reference(number) ?? number) : number;
  }

  #reference(number: number): PdfValue | null {
    const before = this.position;
    const generation = this.word();
    if (/^\d{1,5}$/.test(generation) && this.has('R')) {
      if (number > 10_000_000) throw new Unreadable('too-large');
      return { kind: 'reference', number, generation: Number(generation) };
    }
    this.position = before;
    return null;
  }

  #name(): PdfName {
    let name = '';
    for (;;) {
      const byte = this.#bytes.at(++this.position);
      if (byte < 0 || whiteSpace.has(byte) || delimiters.has(byte)) return { kind: 'name', name };
      if (name.length > maxTokenBytes) throw malformed();
      if (byte !== 0x23) {
        name += String.fromCharCode(byte);
        continue;
      }
      const digits = String.fromCharCode(this.#bytes.at(++this.position), this.#bytes.at(++this.position));
      if (!/^[\da-f]{2}$/i.test(digits) || digits === '00') throw malformed();
      name += String.fromCharCode(Number.parseInt(digits, 16));
    }
  }

  #array(depth: number): PdfValue {
    this.position++;
    const items: PdfValue[] = [];
    for (;;) {
      this.skip();
      if (this.#bytes.at(this.position) === 0x5d) {
        this.position++;
        return { kind: 'array', items };
      }
      items.push(this.value(depth + 1));
    }
  }

  #dictionary(depth: number): PdfDictionary {
    this.position += 2;
    const entries = new Map<string, PdfValue>();
    for (;;) {
      this.skip();
      const byte = this.#bytes.at(this.position);
      if (byte === 0x3e && this.#bytes.at(this.position + 1) === 0x3e) {
        this.position += 2;
        return { kind: 'dictionary', entries };
      }
      if (byte !== 0x2f) throw malformed();
      const { name } = this.#name();
      if (entries.has(name)) throw new Unreadable('two-entries');
      entries.set(name, this.value(depth + 1));
    }
  }

  #hex(): PdfString {
    const start = this.position++;
    for (let byte = 0; byte !== 0x3e; ) {
      byte = this.#bytes.at(this.position++);
      if (byte < 0) throw malformed();
    }
    const digits = this.#inside(start).replace(/[\0\t\n\f\r ]+/g, '');
    if (!/^[\da-f]*$/i.test(digits)) throw malformed();
    return this.#string(start, Buffer.from(digits.padEnd(digits.length + (digits.length % 2), '0'), 'hex'), true);
  }

  #literal(): PdfString {
    const start = this.position++;
    for (let open = 1; open > 0; ) {
      const byte = this.#bytes.at(this.position++);
      if (byte < 0) throw malformed();
      if (byte === 0x5c) this.position++;
      else if (byte === 0x28) open++;
      else if (byte === 0x29) open--;
    }
    const text = this.#inside(start).replace(escapes, (_, octal?: string, other?: string) => {
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return other === undefined ? '\n' : (escaped.get(other) ?? other);
    });
    return this.#string(start, Buffer.from(text, 'latin1'), false);
  }

  /** What stands between the ends of a string. */
  #inside(start: number): string {
    if (this.position - start > maxStringBytes) throw new Unreadable('too-large');
    return Buffer.from(this.#bytes.slice(start + 1, this.position - 1)).toString('latin1');
  }

  #string(start: number, bytes: Uint8Array, isHex: boolean): PdfString {
    const span = this.#isUnpacked ? { start: Number.NaN, end: Number.NaN } : { start, end: this.position };
    return { kind: 'string', bytes, isHex, ...span };
  }
}

export const malformed = () => new Unreadable('malformed');
