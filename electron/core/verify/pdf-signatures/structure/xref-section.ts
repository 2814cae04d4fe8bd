import { Unreadable } from '../doubt.ts';
import type { Bytes } from './file-window.ts';
import { behindSpace, Lexer, malformed } from './lexer.ts';
import { isKind, isWhole, nameOf, type PdfReference, type PdfStream, type PdfValue } from './pdf-values.ts';
import { decode } from './stream-filters.ts';

/** Where an object is, as a section says it. */
export type Place =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'packed'; readonly stream: number; readonly index: number };

export type Span = readonly [start: number, end: number];

export type Section = ReturnType<typeof readSection>;

const maxPlaces = 500_000;
const free: Place = { kind: 'free' };

/** One cross-reference table or stream. `hybrid`: the stream that a file for older and newer readers has beside its table. */
export function readSection(bytes: Bytes, start: number) {
  const isTable = new Lexer(bytes, start).has('xref');
  const { places, trailer, end } = isTable ? readTable(bytes, start) : readStream(bytes, start);
  const beside = isTable ? (trailer.entries.get('XRefStm') ?? null) : null;
  const previous = trailer.entries.get('Prev') ?? null;
  if ((previous !== null && !isWhole(previous)) || (beside !== null && !isWhole(beside))) throw malformed();
  const stream = beside === null ? null : readStream(bytes, beside);
  const hybrid = stream && beside !== null ? { places: stream.places, span: [beside, stream.end] as const } : null;
  const tail = readTail(bytes, end);
  return { start, places, hybrid, trailer, previous, ...tail };
}

function readTable(bytes: Bytes, start: number) {
  const lexer = new Lexer(bytes, start);
  lexer.expect('xref');
  const places = new Map<number, Place>();
  while (!lexer.has('trailer')) {
    const first = lexer.whole();
    const count = lexer.whole();
    if (first + count > 10_000_000) throw malformed();
    for (let number = first; number < first + count; number++) {
      const offset = lexer.whole();
      const generation = lexer.whole();
      const kind = lexer.word();
      // Readers take a table that begins like this for one that begins at 0.
      const isShifted = number === first && first === 1 && kind === 'f' && generation === 65_535;
      if ((kind !== 'n' && kind !== 'f') || isShifted) throw malformed();
      add(places, number, kind === 'n' && offset > 0 ? { kind: 'file', offset, generation } : free);
    }
  }
  const trailer = lexer.value();
  if (!isKind(trailer, 'dictionary')) throw malformed();
  return { places, trailer, end: lexer.position };
}

function readStream(bytes: Bytes, start: number) {
  const { value, end } = readIndirectObject(bytes, start, () => null);
  if (!isKind(value, 'stream') || nameOf(value.dictionary.entries.get('Type')) !== 'XRef') throw malformed();
  const { entries } = value.dictionary;
  const widths = numbersOf(entries.get('W'));
  const index = numbersOf(entries.get('Index') ?? { kind: 'array', items: [0, entries.get('Size') ?? null] });
  if (widths.length !== 3 || widths.some((width, at) => width > (at === 1 ? 8 : 4)) || index.length % 2)
    throw malformed();
  const data = decode(value.dictionary, bytes.slice(value.start, value.start + value.length));
  const places = new Map<number, Place>();
  let at = 0;
  const field = (width: number) => {
    let number = 0;
    for (let left = width; left > 0; left--) number = number * 256 + (data[at++] ?? 0);
    return number;
  };
  for (let pair = 0; pair < index.length; pair += 2) {
    const first = index[pair] ?? 0;
    for (let number = first; number < first + (index[pair + 1] ?? 0); number++) {
      const [type, second, third] = [widths[0] ? field(widths[0]) : 1, field(widths[1] ?? 0), field(widths[2] ?? 0)];
      if (at > data.length || !Number.isSafeInteger(second)) throw malformed();
      add(places, number, placeOf(type, second, third));
    }
  }
  return { places, trailer: value.dictionary, end: behindSecondTrailer(bytes, end) };
}

/** A program writes a trailer behind its stream too. It may only repeat what leads no reader to other objects. */
function behindSecondTrailer(bytes: Bytes, end: number): number {
  const lexer = new Lexer(bytes, end);
  if (!lexer.has('trailer')) return end;
  const second = lexer.value();
  if (!isKind(second, 'dictionary') || [...second.entries.keys()].some((key) => key !== 'Size' && key !== 'ID'))
    throw new Unreadable('two-trailers');
  return lexer.position;
}

function placeOf(type: number, second: number, third: number): Place {
  if (type === 1) return second > 0 ? { kind: 'file', offset: second, generation: third } : free;
  if (type === 2) return { kind: 'packed', stream: second, index: third };
  if (type === 0) return free;
  throw malformed();
}

function add(places: Map<number, Place>, number: number, place: Place): void {
  if (places.has(number)) throw new Unreadable('two-places');
  if (places.size >= maxPlaces) throw new Unreadable('too-large');
  places.set(number, place);
}

/** What stands behind `startxref`, and where `%%EOF` ends, without a line end. */
function readTail(bytes: Bytes, position: number) {
  const lexer = new Lexer(bytes, position);
  lexer.expect('startxref');
  const startxref = lexer.whole();
  let at = behindSpace(bytes, lexer.position);
  for (const byte of Buffer.from('%%EOF')) if (bytes.at(at++) !== byte) throw new Unreadable('revision-end');
  return { startxref, end: at };
}

function numbersOf(value: PdfValue | undefined): number[] {
  if (!isKind(value, 'array')) throw malformed();
  return value.items.map((item) => {
    if (!isWhole(item)) throw malformed();
    return item;
  });
}

export type IndirectObject = ReturnType<typeof readIndirectObject>;

/** The object at exactly this place; of a stream only where its bytes are. */
export function readIndirectObject(bytes: Bytes, start: number, lengthOf: (reference: PdfReference) => PdfValue) {
  const lexer = new Lexer(bytes, start);
  const number = lexer.whole();
  const generation = lexer.whole();
  lexer.expect('obj');
  let value: PdfValue = lexer.value();
  const word = lexer.word();
  if (word === 'stream' && isKind(value, 'dictionary')) {
    let from = lexer.position;
    if (bytes.at(from) === 0x0d) from++;
    if (bytes.at(from++) !== 0x0a) throw malformed();
    const named = value.entries.get('Length');
    const length = isKind(named, 'reference') ? lengthOf(named) : named;
    if (!isWhole(length) || from + length > bytes.length) throw malformed();
    value = { kind: 'stream', dictionary: value, start: from, length } satisfies PdfStream;
    lexer.position = skipSpace(bytes, from + length);
    lexer.expect('endstream');
    lexer.expect('endobj');
  } else if (word !== 'endobj') throw malformed();
  /** `end`: behind `endobj`. */
  return { number, generation, value, start, end: lexer.position };
}

/** A comment would be part of the stream. */
function skipSpace(bytes: Bytes, position: number): number {
  let at = position;
  for (; at < position + 2; at++) if (bytes.at(at) !== 0x0d && bytes.at(at) !== 0x0a) break;
  return at;
}
