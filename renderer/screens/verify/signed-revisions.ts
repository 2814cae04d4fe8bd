import type { PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';

/** What a signature covers: the file up to `end`. */
export interface SignedRevision {
  readonly end: number;
  /** Number of the signature in the list of all, from 1. */
  readonly number: number;
  readonly signature: PdfSignature;
}

/** Those that fit and do not cover the whole file, by their ends. */
export function signedRevisions({ signatures }: PdfSignatures, sizeBytes: number): readonly SignedRevision[] {
  return signatures
    .flatMap((signature, at) => {
      const { covers, integrity, coversTo: end } = signature;
      const isKnown = covers === 'revision' && integrity === 'intact' && end !== null && end < sizeBytes;
      return isKnown ? [{ end, number: at + 1, signature }] : [];
    })
    .toSorted((one, other) => one.end - other.end);
}

/** The last that does not allow what followed; else the first, after which most was added. */
export function revisionToShow(revisions: readonly SignedRevision[]): SignedRevision | undefined {
  return revisions.findLast(({ signature }) => signature.reason !== null) ?? revisions[0];
}
