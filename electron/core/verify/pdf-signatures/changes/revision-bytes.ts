import { behindSpace, Lexer } from '../structure/lexer.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { latestPlace, type Revision } from '../structure/revisions.ts';
import { type Finding, other } from './finding.ts';

/** Of what is read at once, and of the numbers before an object, with much space. */
const [pieceBytes, headBytes] = [64 * 1024, 64];

/** Every byte of a later revision must belong to an object that it lists, or to its places and end: what is left over, another reader may find. */
export function checkBytes(document: PdfDocument, index: number): Finding[] {
  const { revisions, bytes } = document;
  const revision = revisions[index];
  if (!revision) return [];
  const spans = [...revision.spans];
  for (const [number, place] of revision.places) {
    if (place.kind !== 'file' || revision.spans.some(([start]) => start === place.offset)) continue;
    const older = latestPlace(revisions, number, index - 1);
    if (older?.kind === 'file' && older.offset === place.offset) continue;
    if (place.offset < revision.start || place.offset >= revision.end) return [other('left-over-bytes')];
    spans.push([place.offset, document.objectAt(place.offset, index).end]);
  }
  if (hasStrayObject(document, revision, new Set(spans.map(([start]) => behindSpace(bytes, start)))))
    return [other('left-over-bytes')];
  let position = revision.start;
  for (const [start, end] of spans.sort(([one], [two]) => one - two)) {
    if (start < position || skipComments(document, position) < start) return [other('left-over-bytes')];
    position = end;
  }
  return position === revision.end && revision.endWithLine <= bytes.length ? [] : [other('left-over-bytes')];
}

/** Whether something inside of a stream or a text looks like an object: a reader that finds the tables wanting collects these. */
function hasStrayObject({ bytes }: PdfDocument, { start, end }: Revision, known: ReadonlySet<number>): boolean {
  for (let from = start; from < end; from += pieceBytes) {
    const first = Math.max(start, from - headBytes);
    const { buffer, byteOffset, length } = bytes.slice(first, Math.min(end, from + pieceBytes));
    const piece = Buffer.from(buffer, byteOffset, length);
    for (let index = piece.indexOf('obj'); index >= 0; index = piece.indexOf('obj', index + 1)) {
      const at = Math.max(0, index - headBytes);
      const head = /\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+$/.exec(piece.toString('latin1', at, index));
      if (head && first + index >= from - 2 && !known.has(first + at + head.index)) return true;
    }
  }
  return false;
}

/** And behind white space. */
function skipComments({ bytes }: PdfDocument, position: number): number {
  const lexer = new Lexer(bytes, position);
  lexer.skip();
  return lexer.position;
}
