import type { ChangeKind } from '../../../../../contract/pdf-signatures.ts';

/** Something that a revision does to the document before it. */
export interface Finding {
  readonly kind: Exclude<ChangeKind, 'none'>;
  /** The strictest certification that allows it; 4 for none. */
  readonly allowedFrom: 1 | 2 | 3 | 4;
  /** One English sentence. */
  readonly what: string;
  /** From 1. */
  readonly page: number | null;
  /** The field that existed before and is filled in or signed. */
  readonly field: string | null;
}

const nowhere = { page: null, field: null };

export const validation = (what: string): Finding => ({
  kind: 'signatures-and-validation-data',
  allowedFrom: 1,
  what,
  ...nowhere,
});

export const signing = (what: string, place: Partial<Finding> = {}): Finding => ({
  ...validation(what),
  allowedFrom: 2,
  ...place,
});

export const filling = (what: string, place: Partial<Finding> = {}): Finding => ({
  kind: 'form-filling',
  allowedFrom: 2,
  what,
  ...nowhere,
  ...place,
});

export const annotating = (what: string, page: number | null): Finding => ({
  kind: 'annotations',
  allowedFrom: 3,
  what,
  page,
  field: null,
});

export const other = (what: string, page: number | null = null): Finding => ({
  kind: 'other',
  allowedFrom: 4,
  what,
  page,
  field: null,
});

/** What one revision does to the one before it, as far as that can be read, and why the rest cannot. */
export interface Step {
  readonly findings: readonly Finding[];
  readonly unknown: string | null;
}
