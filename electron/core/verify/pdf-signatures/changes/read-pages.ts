import { Unreadable } from '../doubt.ts';
import type { View } from '../structure/pdf-document.ts';
import { isKind, nameOf, type PdfDictionary, type PdfReference, type PdfValue } from '../structure/pdf-values.ts';
import { isSameReference } from './same-value.ts';

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

/** Letter, and what cuts nothing off. */
const usualBoxes: Boxes = [
  [0, 0, 612, 792],
  [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
];
/** Of the medium, and what is shown of it. */
type Boxes = readonly (readonly PdfValue[])[];
/** Where a viewer draws an annotation that has no appearance, whatever its rectangle says. */
export const pointKeys = ['L', 'Vertices', 'InkList', 'QuadPoints', 'CL', 'Path'];
/** Drawn as icons of this size in points, whatever their rectangles say. */
const [iconKinds, iconSize] = [/^(Text|FileAttachment|Sound)$/, 24];
/** Across, and upward. */
const axes = [0, 1];
const maxNodes = 100_000;
const maxDepth = 64;
/** In the order in which they are shown. */
export function readPages(view: View): PageNode[] {
  const found: PageNode[] = [];
  const seen = new Set<number>();
  let pages = 0;
  const visit = (value: PdfValue | undefined, depth: number, above: Boxes, parent?: PdfValue): void => {
    const dictionary = view.dictionary(value);
    if (!isKind(value, 'reference') || !dictionary || depth > maxDepth || found.length > maxNodes)
      throw new Unreadable('pages-unreadable');
    if (seen.has(value.number)) throw new Unreadable('page-repeated');
    seen.add(value.number);
    const kids = dictionary.entries.get('Kids');
    const type = nameOf(view.resolve(dictionary.entries.get('Type')));
    // Readers tell a page by its type, and inherit from what it says is above it.
    const isBelow = depth === 0 || isSameReference(dictionary.entries.get('Parent'), parent);
    if (!isBelow || (kids !== undefined && type === 'Page')) throw new Unreadable('pages-unreadable');
    const page = kids === undefined ? ++pages : null;
    const annotations = view.items(dictionary.entries.get('Annots')).filter((one) => view.resolve(one) !== null);
    const boxes = ['MediaBox', 'CropBox'].map((key, at) => {
      const items = view.items(dictionary.entries.get(key));
      return items.length === 4 ? items : (above[at] ?? []);
    });
    const [width = 0, height = 0] = axes.map((axis) => {
      const ranges = boxes.map((box) => rangeOf(view, [box], axis));
      return Math.min(...ranges.map(([, high]) => high)) - Math.max(...ranges.map(([low]) => low));
    });
    const area = Math.max(0, width) * Math.max(0, height);
    found.push({ reference: value, dictionary, depth, page, annotations, area });
    if (kids !== undefined) for (const kid of view.items(kids)) visit(kid, depth + 1, boxes, value);
  };
  visit(view.root.entries.get('Pages'), 0, usualBoxes);
  return found;
}

/** What an annotation may be drawn on: its rectangle, and all points that it names. */
export function areaOf(view: View, { entries }: PdfDictionary): number {
  const lists = ['Rect', ...pointKeys].flatMap((key) => {
    const items = view.items(entries.get(key));
    return [items, ...items.map(view.items)];
  });
  // Without a single point endless: a viewer may find it a place somewhere else.
  const least = iconKinds.test(nameOf(view.resolve(entries.get('Subtype'))) ?? '') ? iconSize : 0;
  const [width = 0, height = 0] = axes
    .map((axis) => rangeOf(view, lists, axis))
    .map(([low, high]) => Math.max(least, Math.abs(high - low)));
  return width * height;
}

/** Of all points of these lists. */
function rangeOf(view: View, lists: readonly (readonly PdfValue[])[], axis: number): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists)
    for (let at = axis; at < list.length; at += 2) {
      const value = view.resolve(list[at]);
      if (typeof value === 'number') [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  return [low, high];
}
