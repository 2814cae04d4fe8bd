import type { Bytes } from '../structure/file-window.ts';
import type { View } from '../structure/pdf-document.ts';
import { isKind, type PdfDictionary, type PdfStream, type PdfValue } from '../structure/pdf-values.ts';

/** What is compared by a rule of its own wherever it belongs, so that another place need only refer to the same object. */
export interface Governed {
  /** Pages and the nodes above them. */
  readonly pages: ReadonlySet<number>;
  /** Fields and annotations. */
  readonly annotations: ReadonlySet<number>;
  readonly catalog: number;
}

/** Equal to what it was, through all that it refers to, in both views. */
export type SameValue = (before: PdfValue | undefined, after: PdfValue | undefined, key?: string) => boolean;

/** Only under these keys is a reference to a field or an annotation one; elsewhere it might be drawn as something else. */
const annotationKeys = new Set(['Annots', 'CO', 'Fields', 'IRT', 'Kids', 'Obj', 'P', 'Parent', 'Popup']);
/** Below these nothing is one, whatever it is called. */
const resourceKeys = new Set(['Resources', 'DR']);
/** Of these a whole number is the same as a real one. */
const boxKeys = /Box$|^Rect$/;
const pieceBytes = 1024 * 1024;

interface Pair {
  readonly before: PdfValue;
  readonly after: PdfValue;
  /** The key under which it stands. */
  readonly key: string;
  readonly isResource: boolean;
}

/** Whether two values are equal in two views. What was found equal once is not looked at again. */
export function sameIn(bytes: Bytes, before: View, after: View, governed: Governed): SameValue {
  const proven = new Set<string>();

  /** Null where they differ, else what else must be equal. */
  function compareOne(compared: Pair, assumed: Set<string>): Pair[] | null {
    const { before: one, after: other, key, isResource } = compared;
    if (isKind(one, 'reference') && isKind(other, 'reference')) {
      const isGoverned =
        (key === 'Data' && one.number === governed.catalog) ||
        (!isResource &&
          (governed.pages.has(one.number) || (annotationKeys.has(key) && governed.annotations.has(one.number))));
      const pair = `${one.number} ${other.number} ${isResource}`;
      if ((isGoverned && isSameReference(one, other)) || proven.has(pair) || assumed.has(pair)) return [];
      assumed.add(pair);
    }
    const [was, is] = [before.resolve(one), after.resolve(other)];
    if (typeof was === 'number' && typeof is === 'number' && boxKeys.test(key))
      return Math.abs(was - is) < 1e-5 ? [] : null;
    if (was === null || is === null || typeof was !== 'object' || typeof is !== 'object') return was === is ? [] : null;
    if (isKind(was, 'array'))
      return isKind(is, 'array') && was.items.length === is.items.length
        ? was.items.map((item, index) => ({ ...compared, before: item, after: is.items[index] ?? null }))
        : null;
    if (isKind(was, 'dictionary')) return isKind(is, 'dictionary') ? pairsOf(was, is, isResource) : null;
    if (isKind(was, 'stream'))
      return isKind(is, 'stream') && sameBytes(bytes, was, is)
        ? pairsOf(was.dictionary, is.dictionary, isResource, 'Length')
        : null;
    if (isKind(was, 'name')) return isKind(is, 'name') && was.name === is.name ? [] : null;
    return isKind(was, 'string') && isKind(is, 'string') && Buffer.compare(was.bytes, is.bytes) === 0 ? [] : null;
  }

  return (one, other, key = '') => {
    const assumed = new Set<string>();
    const open: Pair[] = [{ before: one ?? null, after: other ?? null, key, isResource: resourceKeys.has(key) }];
    for (let pair = open.pop(); pair; pair = open.pop()) {
      const more = compareOne(pair, assumed);
      if (!more) return false;
      for (const next of more) open.push(next);
    }
    for (const pair of assumed) proven.add(pair);
    return true;
  };
}

function pairsOf(was: PdfDictionary, is: PdfDictionary, isBelow: boolean, except = ''): Pair[] {
  return keysOf(was, is)
    .filter((key) => key !== except)
    .map((key) => {
      const [before, after] = [was.entries.get(key) ?? null, is.entries.get(key) ?? null];
      return { before, after, key, isResource: isBelow || resourceKeys.has(key) };
    });
}

export function isSameReference(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  if (!isKind(one, 'reference') || !isKind(other, 'reference')) return false;
  return one.number === other.number && one.generation === other.generation;
}

/** Of both. */
export function keysOf(before: PdfDictionary, after: PdfDictionary): string[] {
  return [...new Set([...before.entries.keys(), ...after.entries.keys()])];
}

function sameBytes(bytes: Bytes, one: PdfStream, other: PdfStream): boolean {
  if (one.length !== other.length) return false;
  for (let done = 0; one.start !== other.start && done < one.length; done += pieceBytes) {
    const piece = (start: number) => bytes.slice(start + done, start + Math.min(one.length, done + pieceBytes));
    if (Buffer.compare(piece(one.start), piece(other.start)) !== 0) return false;
  }
  return true;
}
