import type { View } from '../structure/pdf-document.ts';
import { isKind, nameOf, type PdfValue } from '../structure/pdf-values.ts';
import { annotating, type Finding, other } from './finding.ts';
import type { PageNode } from './read-pages.ts';
import { keysOf } from './same-value.ts';
import { type Compared, maxCovered, numbersIn, type Side } from './sides.ts';

const annotationKinds = new Set(
  'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink Popup FileAttachment Sound Link'.split(
    ' ',
  ),
);
/** Read only, locked, contents locked. */
const lockedFlags = 64 | 128 | 512;

/** One after the other: a page that cannot be read leaves the others comparable. */
export function comparePages(compared: Compared): (() => Finding[])[] {
  const [before, after] = [compared.before.pages, compared.after.pages];
  const isSameOrder =
    before.length === after.length &&
    before.every(({ reference, depth }, index) => {
      const node = after[index];
      return node?.reference.number === reference.number && node.depth === depth;
    });
  if (!isSameOrder) return [() => [other('pages-moved')]];
  return before.flatMap((was, index) => {
    const is = after[index] ?? was;
    return [() => comparePage(compared, was, is), () => compareAnnotations(compared, was, is)];
  });
}

function comparePage({ same }: Compared, was: PageNode, is: PageNode): Finding[] {
  const differs = keysOf(was.dictionary, is.dictionary).some(
    (key) => !isRuled(key, was) && !same(was.dictionary.entries.get(key), is.dictionary.entries.get(key), key),
  );
  return differs ? [other('page-changed', was.page)] : [];
}

/** Another rule compares it, or it is the mark that one program leaves above its pages. */
function isRuled(key: string, { page }: PageNode): boolean {
  return key === 'Annots' || (page === null && (key === 'Kids' || key === 'ITXT'));
}

function compareAnnotations({ before, after, same }: Compared, was: PageNode, is: PageNode): Finding[] {
  const page = was.page ?? 0;
  const [old, now] = [numbersIn(was.annotations), numbersIn(is.annotations)];
  const kept = now.filter((number) => old.includes(number));
  const keptBefore = old.filter((number) => kept.includes(number));
  const isSameArray = same(was.dictionary.entries.get('Annots'), is.dictionary.entries.get('Annots'), 'Annots');
  return [
    ...(same(directIn(was), directIn(is), 'Annots') ? [] : [other('annotations-changed', page)]),
    ...(kept.some((number, index) => number !== keptBefore[index]) ? [annotating('annotations-moved', page)] : []),
    ...(new Set(now).size < now.length && !isSameArray ? [other('annotation-repeated', page)] : []),
    ...was.annotations.flatMap((value) => {
      if (!isKind(value, 'reference')) return [];
      const isThere = now.includes(value.number);
      if (before.nodes.has(value.number)) return isThere ? [] : [other('place-removed', page)];
      if (isThere && same(before.view.resolve(value), after.view.resolve(value))) return [];
      const isPlace = isWidget(before.view, value) || isWidget(after.view, value);
      if (isPlace) return [other('place-changed', page)];
      const isCover = isThere && after.partCovered([{ dictionary: after.view.dictionary(value) }], page) > maxCovered;
      return [isCover ? other('annotation-disguised', page) : annotating('annotation-changed', page)];
    }),
    ...is.annotations.flatMap((value) => {
      if (!isKind(value, 'reference') || old.includes(value.number) || after.nodes.has(value.number)) return [];
      const isPlace = isWidget(after.view, value);
      return [isPlace ? other('place-without-field', page) : addedAnnotation(after, value, page)];
    }),
  ];
}

/** Those that are no objects of their own. */
function directIn({ annotations }: PageNode): PdfValue {
  return { kind: 'array', items: annotations.filter((one) => !isKind(one, 'reference')) };
}

/** An annotation that no program lists as one, that nobody can move, or that covers the page, is there to pass for the page itself. */
function addedAnnotation({ view, partCovered }: Side, value: PdfValue, page: number): Finding {
  const dictionary = view.dictionary(value);
  const [subtype, flags] = ['Subtype', 'F'].map((key) => view.resolve(dictionary?.entries.get(key)));
  const isListed = annotationKinds.has(nameOf(subtype) ?? '');
  const isFree = flags === null || (typeof flags === 'number' && (flags & lockedFlags) === 0);
  const isPlain =
    isListed && isFree && !dictionary?.entries.has('AA') && partCovered([{ dictionary }], page) <= maxCovered;
  return isPlain ? annotating('annotation-added', page) : other('annotation-disguised', page);
}

function isWidget(view: View, value: PdfValue): boolean {
  return nameOf(view.resolve(view.dictionary(value)?.entries.get('Subtype'))) === 'Widget';
}
