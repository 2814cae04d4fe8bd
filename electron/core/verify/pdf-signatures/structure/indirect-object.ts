import type { Bytes } from './file-window.ts';
import { Lexer, malformed } from './lexer.ts';
import { isKind, isWhole, type PdfReference, type PdfStream, type PdfValue } from './pdf-values.ts';

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
