import { Unreadable } from '../doubt.ts';
import type { View } from '../structure/pdf-document.ts';
import { isKind, type PdfDictionary, type PdfReference, type PdfValue } from '../structure/pdf-values.ts';

/** A page, or a node above pages. */
export interface PageNode {
  readonly reference: PdfReference;
  readonly dictionary: PdfDictionary;
  readonly depth: number;
  /** From 1; null for a node above pages. */
  readonly page: number | null;
  readonly annotations: readonly PdfValue[];
  /** Of what is shown, in square points. */
  readonly area: number;
}

/** Letter. */
const usualArea = 612 * 792;
const maxNodes = 100_000;
const maxDepth = 64;
/** In the order in which they are shown. */
export function readPages(view: View): PageNode[] {
  const found: PageNode[] = [];
  const seen = new Set<number>();
  let pages = 0;
  const visit = (value: PdfValue | undefined, depth: number, above: readonly number[]): void => {
    const dictionary = view.dictionary(value);
    if (!isKind(value, 'reference') || !dictionary || depth > maxDepth || found.length > maxNodes)
      throw new Unreadable('pages-unreadable');
    if (seen.has(value.number)) throw new Unreadable('page-repeated');
    seen.add(value.number);
    const kids = dictionary.entries.get('Kids');
    const page = kids === undefined ? ++pages : null;
    const annotations = view.items(dictionary.entries.get('Annots')).filter((one) => view.resolve(one) !== null);
    const boxes = ['MediaBox', 'CropBox'].map(
      (box, at) => areaOf(view, dictionary.entries.get(box)) ?? above[at] ?? usualArea,
    );
    found.push({ reference: value, dictionary, depth, page, annotations, area: Math.min(...boxes) });
    if (kids !== undefined) for (const kid of view.items(kids)) visit(kid, depth + 1, boxes);
  };
  visit(view.root.entries.get('Pages'), 0, [usualArea, Number.POSITIVE_INFINITY]);
  return found;
}

/** Of a rectangle; null where there is none. */
export function areaOf(view: View, value: PdfValue | undefined): number | null {
  const [left, bottom, right, top] = view.items(value).map((item) => view.resolve(item));
  if (typeof left !== 'number' || typeof bottom !== 'number') return null;
  return typeof right === 'number' && typeof top === 'number' ? Math.abs((right - left) * (top - bottom)) : null;
}
