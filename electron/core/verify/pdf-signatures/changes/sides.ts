import { type FormNode, readFields } from '../signature-fields/form-fields.ts';
import type { View } from '../structure/pdf-document.ts';
import {
  emptyDictionary,
  isKind,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from '../structure/pdf-values.ts';
import type { Finding } from './finding.ts';
import { areaOf, readPages } from './read-pages.ts';
import { keysOf, type SameValue } from './same-value.ts';

/** Two revisions, one after the other. */
export interface Compared {
  readonly before: Side;
  readonly after: Side;
  readonly same: SameValue;
}

/** The part of a page that a signature or a note may be drawn on; more is there to cover what was signed. */
export const maxCovered = 0.1;
/** And all signatures on it. */
export const maxTogether = 0.5;

export type Side = ReturnType<typeof readSide>;

/** What a revision shows: its pages and its form. */
export function readSide(view: View) {
  const pages = readPages(view);
  const fields = readFields(view);
  const pageByNumber = new Map(
    pages.flatMap(({ annotations, page }) => numbersIn(annotations).map((number) => [number, page] as const)),
  );
  return {
    ...{ view, pages, fields },
    /** The numbers of fields and their widgets, which the rules of the form are for. */
    nodes: new Set(fields.flatMap((field) => numbersOf([field, ...field.widgets]))),
    /** By the annotations of the pages: what a widget says about its page is not trusted. */
    pageOf: ({ reference, widgets = [] }: Partial<FormNode> & { widgets?: readonly FormNode[] }) =>
      numbersOf([{ reference: reference ?? null }, ...widgets])
        .map((number) => pageByNumber.get(number))
        .find((page) => page) ?? null,
    /** Which part of a page, or of the first where it is not known, these places cover. */
    partCovered: (places: readonly { readonly dictionary: PdfDictionary | null }[], page: number | null) => {
      const areas = places.map(({ dictionary }) => areaOf(view, dictionary?.entries.get('Rect')) ?? 0);
      return areas.reduce((sum, area) => sum + area, 0) / (pages.find((node) => node.page === (page ?? 1))?.area ?? 1);
    },
  };
}

/** Of the references among them. */
export function numbersIn(values: readonly PdfValue[]): number[] {
  return values.flatMap((one) => (isKind(one, 'reference') ? one.number : []));
}

function numbersOf(nodes: readonly { readonly reference: PdfReference | null }[]): number[] {
  return nodes.flatMap(({ reference }) => reference?.number ?? []);
}

/** Null for what is as it was. */
type Rule = (key: string, before: PdfValue | undefined, after: PdfValue | undefined) => Finding | null;

/** Each entry of two dictionaries, or of what is there of them. */
export function compareEntries(before: PdfDictionary | null, after: PdfDictionary | null, rule: Rule): Finding[] {
  const [was, is] = [before ?? emptyDictionary, after ?? emptyDictionary];
  return keysOf(was, is).flatMap((key) => rule(key, was.entries.get(key), is.entries.get(key)) ?? []);
}
