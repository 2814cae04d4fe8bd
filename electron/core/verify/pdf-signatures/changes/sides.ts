import { readFields } from '../signature-fields/acroform.ts';
import type { View } from '../structure/pdf-document.ts';
import { emptyDictionary, isKind, type PdfDictionary, type PdfValue } from '../structure/pdf-values.ts';
import type { Finding } from './finding.ts';
import { readPages } from './read-pages.ts';
import { keysOf, type SameValue } from './same-value.ts';

/** Two revisions, one after the other. */
export interface Compared {
  readonly before: Side;
  readonly after: Side;
  readonly same: SameValue;
}

export type Side = ReturnType<typeof readSide>;

/** What a revision shows: its pages and its form. */
export function readSide(view: View) {
  const fields = readFields(view);
  const nodes = fields.flatMap((field) =>
    [field, ...field.widgets].flatMap(({ reference }) => (reference ? [[reference.number, field] as const] : [])),
  );
  /** `nodes`: fields by their numbers and those of their widgets, which the rules of the form are for. */
  return { view, pages: readPages(view), fields, nodes: new Map(nodes) };
}

/** Of the references among them. */
export function numbersIn(values: readonly PdfValue[]): number[] {
  return values.flatMap((one) => (isKind(one, 'reference') ? one.number : []));
}

/** Null for what is as it was. */
type Rule = (key: string, before: PdfValue | undefined, after: PdfValue | undefined) => Finding | null;

/** Each entry of two dictionaries, or of what is there of them. */
export function compareEntries(before: PdfDictionary | null, after: PdfDictionary | null, rule: Rule): Finding[] {
  const [was, is] = [before ?? emptyDictionary, after ?? emptyDictionary];
  return keysOf(was, is).flatMap((key) => rule(key, was.entries.get(key), is.entries.get(key)) ?? []);
}
