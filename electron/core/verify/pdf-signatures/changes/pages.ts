import { Unreadable } from '../doubt.ts';
import type { View } from '../structure/pdf-document.ts';
import { isKind, nameOf, type PdfDictionary, type PdfReference, type PdfValue } from '../structure/pdf-values.ts';
import { annotating, type Finding, other } from './finding.ts';
import { keysOf, type SameValue } from './same-value.ts';

/** A page, or a node above pages. */
export interface PageNode {
  readonly reference: PdfReference;
  readonly dictionary: PdfDictionary;
  readonly depth: number;
  /** From 1; null for a node above pages. */
  readonly page: number | null;
  readonly annotations: readonly PdfValue[];
  /** In square points. */
  readonly area: number;
}

/** Letter. */
const usualArea = 612 * 792;
const maxNodes = 100_000;
const maxDepth = 64;
const annotationKinds = new Set(
  ['Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink Popup']
    .concat('FileAttachment Sound Link')
    .flatMap((kinds) => kinds.split(' ')),
);
/** Read only, locked, contents locked. */
const lockedFlags = 64 | 128 | 512;

/** In the order in which they are shown. */
export function readPages(view: View): PageNode[] {
  const found: PageNode[] = [];
  const seen = new Set<number>();
  let pages = 0;
  const visit = (value: PdfValue | undefined, depth: number, areaAbove: number): void => {
    const dictionary = view.dictionary(value);
    if (!isKind(value, 'reference') || !dictionary || depth > maxDepth || found.length > maxNodes) throw unreadable();
    if (seen.has(value.number)) throw new Unreadable('page-repeated');
    seen.add(value.number);
    const kids = dictionary.entries.get('Kids');
    const page = kids === undefined ? ++pages : null;
    const annotations = view.items(dictionary.entries.get('Annots')).filter((one) => view.resolve(one) !== null);
    const area = areaOf(view, dictionary.entries.get('MediaBox')) ?? areaAbove;
    found.push({ reference: value, dictionary, depth, page, annotations, area });
    if (kids !== undefined) for (const kid of view.items(kids)) visit(kid, depth + 1, area);
  };
  visit(view.root.entries.get('Pages'), 0, usualArea);
  return found;
}

/** Of a rectangle; null where there is none. */
export function areaOf(view: View, value: PdfValue | undefined): number | null {
  const [left, bottom, right, top] = view.items(value).map((item) => view.resolve(item));
  if (typeof left !== 'number' || typeof bottom !== 'number') return null;
  return typeof right === 'number' && typeof top === 'number' ? Math.abs((right - left) * (top - bottom)) : null;
}

export interface PagesCompared {
  readonly before: readonly PageNode[];
  readonly after: readonly PageNode[];
  readonly views: readonly [before: View, after: View];
  readonly same: SameValue;
  /** Fields and their widgets, which the rules of the form are for. */
  readonly fieldsBefore: ReadonlySet<number>;
  readonly fieldsAfter: ReadonlySet<number>;
}

/** One after the other: a page that cannot be read leaves the others comparable. */
export function comparePages(compared: PagesCompared): (() => Finding[])[] {
  const { before, after } = compared;
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

function comparePage({ same }: PagesCompared, was: PageNode, is: PageNode): Finding[] {
  const differs = keysOf(was.dictionary, is.dictionary).some(
    (key) => !isRuled(key, was) && !same(was.dictionary.entries.get(key), is.dictionary.entries.get(key), key),
  );
  return differs ? [other('page-changed', was.page)] : [];
}

/** Another rule compares it, or it is the mark that one program leaves above its pages. */
function isRuled(key: string, { page }: PageNode): boolean {
  return key === 'Annots' || (page === null && (key === 'Kids' || key === 'ITXT'));
}

function compareAnnotations(compared: PagesCompared, was: PageNode, is: PageNode): Finding[] {
  const { same, fieldsBefore, fieldsAfter, views } = compared;
  const page = was.page ?? 0;
  const [directBefore, directAfter] = [was, is].map(({ annotations }) =>
    annotations.filter((one) => !isKind(one, 'reference')),
  );
  const [numbersBefore, numbersAfter] = [numbersOf(was), numbersOf(is)];
  const findings: Finding[] = [];
  if (!same({ kind: 'array', items: directBefore ?? [] }, { kind: 'array', items: directAfter ?? [] }, 'Annots'))
    findings.push(other('annotations-changed', page));
  const kept = numbersAfter.filter((number) => numbersBefore.includes(number));
  if (kept.some((number, index) => number !== numbersBefore.filter((one) => kept.includes(one))[index]))
    findings.push(annotating('annotations-moved', page));
  if (
    new Set(numbersAfter).size < numbersAfter.length &&
    !same(was.dictionary.entries.get('Annots'), is.dictionary.entries.get('Annots'), 'Annots')
  )
    findings.push(other('annotation-repeated', page));
  for (const value of was.annotations) {
    if (!isKind(value, 'reference') || fieldsBefore.has(value.number)) {
      if (isKind(value, 'reference') && !numbersAfter.includes(value.number))
        findings.push(other('place-removed', page));
      continue;
    }
    const [one, two] = views.map((view) => view.resolve(value));
    if (numbersAfter.includes(value.number) && same(one, two)) continue;
    findings.push(
      isWidget(views[0], value) || isWidget(views[1], value)
        ? other('place-changed', page)
        : annotating('annotation-changed', page),
    );
  }
  for (const value of is.annotations) {
    if (!isKind(value, 'reference') || numbersBefore.includes(value.number) || fieldsAfter.has(value.number)) continue;
    findings.push(
      isWidget(views[1], value) ? other('place-without-field', page) : addedAnnotation(views[1], value, page),
    );
  }
  return findings;
}

/** An annotation that no program lists as one, or that nobody can move, is there to pass for the page itself. */
function addedAnnotation(view: View, value: PdfValue, page: number): Finding {
  const entries = view.dictionary(value)?.entries;
  const flags = view.resolve(entries?.get('F')) ?? 0;
  const isListed = annotationKinds.has(nameOf(view.resolve(entries?.get('Subtype'))) ?? '');
  const isFree = typeof flags === 'number' && (flags & lockedFlags) === 0;
  return isListed && isFree && !entries?.has('AA')
    ? annotating('annotation-added', page)
    : other('annotation-disguised', page);
}

function numbersOf({ annotations }: PageNode): number[] {
  return annotations.flatMap((one) => (isKind(one, 'reference') ? one.number : []));
}

function isWidget(view: View, value: PdfValue): boolean {
  return nameOf(view.resolve(view.dictionary(value)?.entries.get('Subtype'))) === 'Widget';
}

const unreadable = () => new Unreadable('pages-unreadable');
