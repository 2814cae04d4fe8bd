/** What the signatures in a PDF prove about the file itself, worst last but one: `unsigned` says nothing. */
export const fileVerdicts = [
  'unchanged',
  'only-additions-allowed',
  'undecidable',
  'changed',
  'broken',
  'unsigned',
] as const;
export type FileVerdict = (typeof fileVerdicts)[number];

/** What the revisions after a signature did, from nothing to most. */
export type LaterChanges =
  | 'none'
  | 'signatures-and-validation-data'
  | 'form-filling'
  | 'annotations'
  | 'other'
  | 'undecidable';

/** Below what is thought safe today; it makes no verdict better or worse. */
export type Weakness = 'sha1' | 'short-key';

/** One signature or document timestamp. Times are in UTC to the second. */
export interface PdfSignature {
  /** Fully qualified name of its field. */
  readonly field: string;
  /** Whether the signature fits the bytes that it covers; trust plays no part. */
  readonly integrity: 'intact' | 'broken' | 'undecidable';
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  readonly laterChanges: LaterChanges | null;
  /** Its certification; null where it is none. */
  readonly docMdp: { readonly level: 1 | 2 | 3; readonly violated: boolean | null } | null;
  /** `sha256/rsa`: digest and signature; null where unknown. */
  readonly algorithm: string | null;
  readonly level: string | null;
  /** Name in the signing certificate, which nobody has checked. */
  readonly signer: string | null;
  /** By the signer's clock: a claim. */
  readonly claimedTime: string | null;
  /** By a timestamp. */
  readonly timestamp: string | null;
  readonly weak: readonly Weakness[];
}

/** What a PDF itself proves: decided here, from the file alone. */
export interface PdfSignatures {
  /** Null where unknown. */
  readonly revisions: number | null;
  readonly verdict: FileVerdict;
  /** One English sentence where the verdict is undecidable, broken or changed. */
  readonly reason: string | null;
  readonly signatures: readonly PdfSignature[];
}
