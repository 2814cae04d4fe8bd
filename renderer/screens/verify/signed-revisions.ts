import type { PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';

/** What a signature covers: the file up to `end`. */
export interface SignedRevision {
  readonly end: number;
  /** Number of the signature in the list of all, from 1. */
  readonly number: number;
  readonly signature: PdfSignature;
}

/** First what a signature covers that does not allow what followed, then by the end, latest first. */
export function signedRevisions({ signatures }: PdfSignatures, sizeBytes: number): readonly SignedRevision[] {
  return signatures
    .flatMap((signature, at) => {
      const { covers, integrity, coversTo: end } = signature;
      const isKnown = covers === 'revision' && integrity === 'intact' && end !== null && end < sizeBytes;
      return isKnown ? [{ end, number: at + 1, signature }] : [];
    })
    .toSorted(
      (one, other) =>
        Number(one.signature.reason === null) - Number(other.signature.reason === null) || other.end - one.end,
    );
}
