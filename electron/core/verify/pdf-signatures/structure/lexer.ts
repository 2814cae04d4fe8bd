import type { Bytes } from './file-window.ts';
import type { PdfDictionary, PdfName, PdfString, PdfValue } from './pdf-values.ts';
import { Unreadable } from './unreadable.ts';

/** Honest files stay far below all of these. */
const maxDepth = 100;
const maxItems = 2_000_000;
const maxStringBytes = 32 * 1024 * 1024;
const maxTokenBytes = 1_024;

const whiteSpace = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const delimiters = new Set(Buffer.from('()<>[]{}/%'));
const numberForm = /^[+-]?(\d+\.?\d*|\.\d+)$/;

export function isWhiteSpace(byte: number): boolean {
  return whiteSpace.has(byte);
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
    for (;;) {
      const byte = this.#bytes.at(this.position);
      if (byte === 0x25) this.#skipLine();
      else if (!whiteSpace.has(byte)) return;
      else this.position++;
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
    if (depth > maxDepth || ++this.#items > maxItems) throw new Unreadable('The file is nested too deeply.');
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
    return /^\d+$/.test(word) ? (this.#reference(number) ?? number) : number;
  }

  #reference(number: number): PdfValue | null {
    const before = this.position;
    const generation = this.word();
    if (/^\d{1,5}$/.test(generation) && this.has('R')) {
      if (number > 10_000_000) throw new Unreadable('The file refers to an object that it cannot have.');
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
      const value = hexValue(this.#bytes.at(this.position + 1)) * 16 + hexValue(this.#bytes.at(this.position + 2));
      if (!(value > 0)) throw malformed();
      name += String.fromCharCode(value);
      this.position += 2;
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
      if (entries.has(name)) throw new Unreadable('A dictionary of the file says the same thing twice.');
      entries.set(name, this.value(depth + 1));
    }
  }

  #hex(): PdfString {
    const start = this.position++;
    const found = new Sink();
    for (let first = Number.NaN; ; ) {
      const byte = this.#bytes.at(this.position++);
      if (byte === 0x3e) {
        if (!Number.isNaN(first)) found.push(first * 16);
        return { kind: 'string', bytes: found.bytes(), isHex: true, ...this.#span(start) };
      }
      if (whiteSpace.has(byte)) continue;
      const digit = hexValue(byte);
      if (Number.isNaN(digit)) throw malformed();
      if (!Number.isNaN(first)) found.push(first * 16 + digit);
      first = Number.isNaN(first) ? digit : Number.NaN;
    }
  }

  #literal(): PdfString {
    const start = this.position++;
    const found = new Sink();
    for (let open = 1; ; ) {
      const byte = this.#bytes.at(this.position++);
      if (byte < 0) throw malformed();
      if (byte === 0x28) open++;
      if (byte === 0x29 && --open === 0) break;
      if (byte === 0x5c) this.#escape(found);
      else if (byte === 0x0d) {
        if (this.#bytes.at(this.position) === 0x0a) this.position++;
        found.push(0x0a);
      } else found.push(byte);
    }
    return { kind: 'string', bytes: found.bytes(), isHex: false, ...this.#span(start) };
  }

  #span(start: number) {
    return this.#isUnpacked ? { start: Number.NaN, end: Number.NaN } : { start, end: this.position };
  }

  #escape(found: Sink): void {
    const byte = this.#bytes.at(this.position++);
    const known = escapes.get(byte);
    if (known !== undefined) found.push(known);
    else if (byte === 0x0d) {
      if (this.#bytes.at(this.position) === 0x0a) this.position++;
    } else if (byte >= 0x30 && byte <= 0x37) {
      let value = byte - 0x30;
      for (let more = 0; more < 2; more++) {
        const next = this.#bytes.at(this.position);
        if (next < 0x30 || next > 0x37) break;
        value = value * 8 + next - 0x30;
        this.position++;
      }
      found.push(value & 0xff);
    } else if (byte !== 0x0a) found.push(byte);
  }

  #skipLine(): void {
    for (let byte = 0x25; byte >= 0 && byte !== 0x0a && byte !== 0x0d; ) byte = this.#bytes.at(++this.position);
  }
}

/** Bytes of a string of a length that is not known. */
class Sink {
  #bytes = new Uint8Array(64);
  #length = 0;

  push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      if (this.#length > maxStringBytes) throw new Unreadable('A text of the file is too long.');
      const more = new Uint8Array(this.#length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.#length++] = byte;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

const escapes = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** NaN where it is no digit. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

export function malformed() {
  return new Unreadable('A part of the file is not written as a PDF is.');
}
