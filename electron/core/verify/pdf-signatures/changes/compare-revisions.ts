import { Unreadable } from '../doubt.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind } from '../structure/pdf-values.ts';
import { annotating, type Finding, other, type Step, signing, validation } from './finding.ts';
import { compareForms } from './form.ts';
import { comparePages } from './pages.ts';
import { checkBytes } from './revision-bytes.ts';
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
