import { isSigned } from '../signature-fields/acroform.ts';
import type { View } from '../structure/pdf-document.ts';
import { isKind, nameOf, type PdfDictionary, type PdfReference, type PdfValue } from '../structure/pdf-values.ts';
import { annotating, type Finding, filling, maxTogether, other, signing, validation } from './finding.ts';
import { areaOf, type PageNode, pointKeys } from './read-pages.ts';
import { keysOf } from './same-value.ts';
import { type Compared, numbersIn } from './sides.ts';

const annotationKinds =
  /^(Text|FreeText|Line|Square|Circle|Polygon|PolyLine|Highlight|Underline|Squiggly|StrikeOut|Caret|Stamp|Ink|Popup|FileAttachment|Sound|Link)$/;
/** The part of a page that a signature or a note may be drawn on; more is there to cover what was signed. */
const maxCovered = 0.1;
/** Of content: comments, strings with at most one pair of parentheses, names, words. */
const tokens = /%[^\r\n]*|\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)|\/?[^\0\t\n\f\r ()<>[\]{}/%]+|\(/g;
/** Read only, locked, contents locked; hidden, not shown. */
const [lockedFlags, hiddenFlags] = [64 | 128 | 512, 2 | 32];

/** One after the other: a page that cannot be read leaves the others comparable. */
export function comparePages(compared: Compared): (() => Finding[])[] {
  const [before, after] = [compared.before.pages, compared.after.pages];
  const isSameOrder =
    before.length === after.length &&
    before.every(({ reference, depth, page }, index) => {
      const node = after[index];
      return node?.reference.number === reference.number && node.depth === depth && node.page === page;
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

function compareAnnotations(compared: Compared, was: PageNode, is: PageNode): Finding[] {
  const { same } = compared;
  const page = was.page ?? 0;
  const [old, now] = [numbersIn(was.annotations), numbersIn(is.annotations)];
  const kept = now.filter((number) => old.includes(number));
  const keptBefore = old.filter((number) => kept.includes(number));
  const isSameArray = same(was.dictionary.entries.get('Annots'), is.dictionary.entries.get('Annots'), 'Annots');
  const added = is.annotations.filter((value) => isKind(value, 'reference') && !old.includes(value.number));
  return [
    ...(same(directIn(was), directIn(is), 'Annots') ? [] : [other('annotations-changed', page)]),
    ...(kept.some((number, index) => number !== keptBefore[index]) ? [other('annotations-moved', page)] : []),
    ...(new Set(now).size < now.length && !isSameArray ? [other('annotation-repeated', page)] : []),
    ...[...was.annotations, ...added].flatMap((value) => {
      if (!isKind(value, 'reference')) return [];
      const [wasThere, isThere] = [old.includes(value.number), now.includes(value.number)];
      return compareAnnotation(compared, was, wasThere ? value : null, isThere ? value : null) ?? [];
    }),
  ];
}

/** An annotation or the place of a field; null in place of what is not on the page. */
function compareAnnotation(
  { before, after, same }: Compared,
  { page, area }: PageNode,
  was: PdfReference | null,
  is: PdfReference | null,
): Finding | null {
  const { number } = is ?? was ?? { number: 0 };
  const [earlier, field] = [before.nodes.get(number), after.nodes.get(number)];
  if (earlier && !field && is) return other('field-removed', page);
  if (was && is && same(before.view.resolve(was), after.view.resolve(is))) return null;
  const [old, now] = [before.view.dictionary(was), after.view.dictionary(is)];
  if (now && !staysInside(after.view, now.entries.get('AP'))) return other('annotation-disguised', page);
  const largest = Math.max(old ? areaOf(before.view, old) : 0, now ? areaOf(after.view, now) : 0);
  const part = largest && largest / area;
  if (now && field && (earlier || !was)) {
    const isSignature = field.type === 'Sig' && !field.hasFields;
    const isNew = isSignature && (!earlier || (isSigned(field, after.view) && !isSigned(earlier, before.view)));
    if ((!was && !isNew) || nameOf(after.view.resolve(now.entries.get('Subtype'))) !== 'Widget')
      return other('place-changed', page);
    const wasSeen = old !== null && (Number(before.view.resolve(old.entries.get('F'))) & hiddenFlags) === 0;
    // NaN where the page has no size.
    if (!(part <= (wasSeen ? maxTogether : maxCovered))) return other('page-covered', page);
    if (!isSignature) return filling(null, page);
    // A timestamp that is drawn is more than one; what is drawn without a signature, nobody signs.
    const isShown = [old, now].some((one) => one?.entries.has('AP') || one?.entries.has('MK'));
    if (isShown && !isSigned(field, after.view)) return other('page-covered', page);
    if (part === 0) return null;
    const finding = isShown ? signing(was ? 'signed' : 'signature-added', page) : validation(null, page);
    return { ...finding, drawn: { number, part } };
  }
  if (earlier && was) return other('place-removed', page);
  const subtypes = [before.view.resolve(old?.entries.get('Subtype')), after.view.resolve(now?.entries.get('Subtype'))];
  if (subtypes.some((one) => nameOf(one) === 'Widget'))
    return other(was ? 'place-changed' : 'place-without-field', page);
  const isNote = part <= maxCovered && (!was || isFreeNote(before.view, old)) && (!is || isFreeNote(after.view, now));
  if (!isNote) return other(is ? 'annotation-disguised' : 'annotations-changed', page);
  const isWindow = nameOf(subtypes[1]) === 'Popup' && ![old, now].some((one) => one?.entries.has('AP'));
  const drawn = isWindow ? null : { number, part };
  return { ...annotating(was ? 'annotation-changed' : 'annotation-added', page), drawn };
}

/** Whether appearances give back no state of the page that they did not save: a viewer would draw what follows outside of their place. */
function staysInside(view: View, value: PdfValue | undefined, seen = new Set<number>()): boolean {
  const found = view.resolve(value);
  if (isKind(value, 'reference') && seen.size === seen.add(value.number).size) return true;
  if (isKind(found, 'dictionary')) return [...found.entries.values()].every((one) => staysInside(view, one, seen));
  if (!isKind(found, 'stream') || !isKind(value, 'reference')) return true;
  const { entries } = found.dictionary;
  if (nameOf(view.resolve(entries.get('Subtype'))) === 'Image') return true;
  let saved = 0;
  for (const [token] of (view.content(value)?.toString('latin1') ?? '').matchAll(tokens)) {
    saved += Number(token === 'q') - Number(token === 'Q');
    // A picture within is none that can be told from the rest.
    if (saved < 0 || token === '(' || token === 'BI') return false;
  }
  return staysInside(view, view.dictionary(entries.get('Resources'))?.entries.get('XObject'), seen);
}

/** Those that are no objects of their own. */
function directIn({ annotations }: PageNode): PdfValue {
  return { kind: 'array', items: annotations.filter((one) => !isKind(one, 'reference')) };
}

/** An annotation that no program lists as one, that nobody can move, or that is drawn somewhere else than it says, is there to pass for the page itself. */
function isFreeNote(view: View, dictionary: PdfDictionary | null): boolean {
  const entryOf = (key: string) => view.resolve(dictionary?.entries.get(key));
  const flags = entryOf('F');
  const isFree = flags === null || (typeof flags === 'number' && (flags & lockedFlags) === 0);
  const look = view.dictionary(entryOf('AP'))?.entries.get('N');
  const state = view.dictionary(look)?.entries.get(nameOf(entryOf('AS')) ?? '');
  const isDrawn = [look, state].some((one) => isKind(view.resolve(one), 'stream'));
  const isDrawnByPoints = !isDrawn && pointKeys.some((key) => dictionary?.entries.has(key));
  return annotationKinds.test(nameOf(entryOf('Subtype')) ?? '') && isFree && !isDrawnByPoints && entryOf('AA') === null;
}
