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

/** Who stands behind a signature, by the lists of this computer and by what the file holds; nobody is asked. It makes no verdict better or worse. */
export interface SignerTrust {
  /** Whose list leads to the signer’s certificate; null: nobody known here. */
  readonly by: 'organisation' | 'list' | null;
  /** Null without one. `date`: when it was made, if it says so. */
  readonly list: { readonly name: string; readonly date: string | null } | null;
  /** Of the certificates when it was signed, as far as that is proven, else today. `unproven`: they have ended, and only the signer’s clock says that it was signed before. */
  readonly validity: 'valid' | 'expired' | 'not-yet-valid' | 'unproven';
  /** `revoked-later`: only after the time that is proven. `not-checked`: the file does not hold it for all certificates. */
  readonly revocation: 'good' | 'revoked' | 'revoked-later' | 'not-checked';
  /** Since when it is revoked; of a good one, when that was so. */
  readonly revocationAt: string | null;
  /** Before this it was signed, by a timestamp of an authority that a list here knows. */
  readonly provenTime: string | null;
  /** One English sentence why nobody is known. */
  readonly reason: string | null;
}

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
  /** Name in the signing certificate. */
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
  /** Null without a certificate that can be read. */
  readonly trust: SignerTrust | null;
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
  /** True if the file cannot be read, and none of its bytes look like a signature; not in receipts. */
  readonly isUnmarked?: boolean;
}
