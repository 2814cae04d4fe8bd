/** What the signatures in a PDF prove about the file itself; what needs attention first. */
export const fileVerdicts = [
  'broken',
  'changed',
  'undecidable',
  'only-additions-allowed',
  'unchanged',
  'unsigned',
] as const;
export type FileVerdict = (typeof fileVerdicts)[number];

/** What the revisions after a signature did, from the weakest to the strongest. */
export const changeKinds = ['none', 'signatures-and-validation-data', 'form-filling', 'annotations', 'other'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Below what is thought safe today; it makes no verdict better or worse. */
export type Weakness = 'sha1' | 'short-key';

/** Of a field that holds a signature or a document timestamp. Times are in UTC to the second. */
export interface PdfSignature {
  /** Fully qualified name. */
  readonly field: string;
  /** Whether the signature fits the bytes that it covers; trust plays no part. */
  readonly integrity: 'intact' | 'broken' | 'undecidable';
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  readonly laterChanges: ChangeKind | 'undecidable' | null;
  readonly docMdp: { readonly level: 1 | 2 | 3; readonly violated: boolean | null } | null;
  readonly algorithm: string | null;
  readonly level: 'timestamp' | 'PKCS7' | 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'other' | null;
  /** Name in the signing certificate, which nobody has checked. */
  readonly signer: string | null;
  /** Addresses in the signing certificate. */
  readonly emails: readonly string[];
  /** Name that the signature itself states, beside the certificate. */
  readonly statedName: string | null;
  /** By the signer's clock: a claim. */
  readonly claimedTime: string | null;
  /** By a timestamp. */
  readonly timestamp: string | null;
  readonly weak: readonly Weakness[];
  /** One English sentence where it is not intact, its coverage is unclear, or what followed is not allowed or not known. */
  readonly reason: string | null;
  /** Where the bytes end that it covers. */
  readonly coversTo: number | null;
  /** Pages, from 1, that later revisions touched, in order. */
  readonly changedPages: readonly number[];
}

/** What a PDF itself proves: decided here, from the file alone. */
export interface PdfSignatures {
  readonly verdict: FileVerdict;
  /** One English sentence where the verdict is undecidable, broken or changed. */
  readonly reason: string | null;
  /** Complete revisions; null where unknown. */
  readonly revisions: number | null;
  readonly signatures: readonly PdfSignature[];
  /** Pages, from 1, that revisions after any signature touched. */
  readonly changedPages: readonly number[];
  /** A password is needed to say more. */
  readonly needsPassword: boolean;
}
