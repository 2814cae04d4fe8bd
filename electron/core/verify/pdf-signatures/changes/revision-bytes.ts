import { Lexer } from '../structure/lexer.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { latestPlace } from '../structure/revisions.ts';
import { type Finding, other } from './finding.ts';

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
  let position = revision.start;
  for (const [start, end] of spans.sort(([one], [two]) => one - two)) {
    if (start < position || skipComments(document, position) < start) return [other('left-over-bytes')];
    position = end;
  }
  return position === revision.end && revision.endWithLine <= bytes.length ? [] : [other('left-over-bytes')];
}

/** And behind white space. */
function skipComments({ bytes }: PdfDocument, position: number): number {
  const lexer = new Lexer(bytes, position);
  lexer.skip();
  return lexer.position;
}
