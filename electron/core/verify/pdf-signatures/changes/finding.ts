import type { ChangeKind } from '../../../../../contract/pdf-signatures.ts';
import type { FileReason } from '../../../../../locales/en/shared/file-reasons.ts';

/** Something that a revision does to the document before it. */
export interface Finding {
  readonly kind: Exclude<ChangeKind, 'none'>;
  /** The strictest certification that allows it; 4 for none. */
  readonly allowedFrom: 1 | 2 | 3 | 4;
  /** Null for what nothing forbids. */
  readonly what: FileReason | null;
  /** From 1. */
  readonly page: number | null;
  /** The field that existed before and is filled in or signed. */
  readonly field: string | null;
  /** The part of the page that is drawn anew by the object of this number; of several findings the largest counts. */
  readonly drawn: { readonly number: number; readonly part: number } | null;
}

/** The part of a page that all signatures and notes may be drawn on, or a field that was there. */
export const maxTogether = 0.5;

const finding =
  (kind: Finding['kind'], allowedFrom: Finding['allowedFrom']) =>
  (what: Finding['what'], page: Finding['page'] = null, field: Finding['field'] = null): Finding => ({
    kind,
    allowedFrom,
    what,
    page,
    field,
    drawn: null,
  });

export const validation = finding('signatures-and-validation-data', 1);
export const signing = finding('signatures-and-validation-data', 2);
export const filling = finding('form-filling', 2);
export const annotating = finding('annotations', 3);
export const other = finding('other', 4);

/** What one revision does to the one before it, as far as that can be read, and why the rest cannot. */
export interface Step {
  readonly findings: readonly Finding[];
  readonly unknown: string | null;
}
