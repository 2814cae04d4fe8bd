import { Unreadable } from '../doubt.ts';
import { behindSpace, Lexer } from '../structure/lexer.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind } from '../structure/pdf-values.ts';
import { latestPlace, type Revision } from '../structure/revisions.ts';
import { comparePages } from './compare-pages.ts';
import { annotating, type Finding, other, type Step, signing, validation } from './finding.ts';
import { compareForms } from './form.ts';
import { isSameReference, keysOf, sameIn } from './same-value.ts';
import { type Compared, compareEntries, numbersIn, readSide } from './sides.ts';

/** What later revisions may change in the catalog without another rule. */
const validationKeys = new Set(['DSS', 'Extensions', 'Metadata', 'Version']);
/** What another rule compares. */
const ruledKeys = new Set(['Pages', 'AcroForm', 'Perms']);
/** Of the trailer: about the revision, not about the document. */
const trailerKeys = new Set('Size Prev XRefStm ID Type W Index Filter DecodeParms Length Root Info'.split(' '));
const infoKeys = new Set(['ModDate', 'CreationDate', 'Producer']);

/** All that a revision does to the one before it, found from the trailer on through everything that can be reached in either. What can be read is judged, whatever else cannot. */
export function compareRevisions(document: PdfDocument, index: number): Step {
  const findings: Finding[] = [];
  let unknown: string | null = null;
  const attempt = (compare: () => readonly Finding[]) => {
    try {
      findings.push(...compare());
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unknown ??= error.message;
    }
  };
  attempt(() => {
    const compared = readBoth(document, index);
    attempt(() => checkBytes(document, index));
    attempt(() => compareTrailers(compared));
    attempt(() => compareCatalogs(compared));
    attempt(() => compareForms(compared));
    for (const compare of comparePages(compared)) attempt(compare);
    // A revision that changes nothing is an addition too.
    return [validation(null)];
  });
  return { findings, unknown };
}

function readBoth(document: PdfDocument, index: number): Compared {
  const [before, after] = [readSide(document.view(index - 1)), readSide(document.view(index))];
  const root = before.view.trailer.entries.get('Root');
  const governed = {
    pages: new Set(before.pages.map(({ reference }) => reference.number)),
    annotations: new Set([
      ...before.nodes.keys(),
      ...before.pages.flatMap(({ annotations }) => numbersIn(annotations)),
    ]),
    catalog: isKind(root, 'reference') ? root.number : -1,
  };
  return { before, after, same: sameIn(document.bytes, before.view, after.view, governed) };
}

function compareTrailers({ before, after, same }: Compared): Finding[] {
  const [was, is] = [before.view.trailer, after.view.trailer];
  const isSameRoot = isSameReference(was.entries.get('Root'), is.entries.get('Root'));
  const others = keysOf(was, is).filter((key) => !trailerKeys.has(key));
  const isSame = isSameRoot && others.every((key) => same(was.entries.get(key), is.entries.get(key), key));
  return [
    ...(isSame ? [] : [other('begins-elsewhere')]),
    ...compareEntries(
      before.view.dictionary(was.entries.get('Info')),
      after.view.dictionary(is.entries.get('Info')),
      (key, one, two) => {
        if (same(one, two, key)) return null;
        return infoKeys.has(key) ? validation(null) : other('information-changed');
      },
    ),
  ];
}

function compareCatalogs({ before, after, same }: Compared): Finding[] {
  const [was, is] = [before.view, after.view];
  return [
    ...compareEntries(was.root, is.root, (key, one, two) => {
      // What leads nowhere makes some readers look for objects by themselves.
      if (isKind(two, 'reference') && is.resolve(two) === null && !isSameReference(one, two))
        return other('structure-changed');
      if (ruledKeys.has(key) || same(one, two, key)) return null;
      if (validationKeys.has(key)) return validation(null);
      const isOnly = compareEntries(was.dictionary(one), is.dictionary(two), (name, old, now) =>
        name === 'AP' || same(old, now, name) ? null : other('structure-changed'),
      );
      return key === 'Names' && isOnly.length === 0 ? annotating('appearances-added') : other('structure-changed');
    }),
    ...compareEntries(
      was.dictionary(was.root.entries.get('Perms')),
      is.dictionary(is.root.entries.get('Perms')),
      (key, one, two) => {
        if (same(one, two, key)) return null;
        return key === 'DocMDP' && one === undefined ? signing('certified') : other('permissions-changed');
      },
    ),
  ];
}

/** Of what is read at once, and of the numbers before an object, with much space. */
const [pieceBytes, headBytes] = [64 * 1024, 64];

/** Every byte of a later revision must belong to an object that it lists, or to its places and end: what is left over, another reader may find. */
function checkBytes(document: PdfDocument, index: number): Finding[] {
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
