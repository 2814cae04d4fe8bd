import type { SignatureProof } from '../signature-value.ts';

export type FileVerdict = 'unsigned' | 'broken' | 'changed' | 'undecidable' | 'only-additions-allowed' | 'unchanged';

/** From the weakest to the strongest. */
export const changeKinds = ['none', 'signatures-and-validation-data', 'form-filling', 'annotations', 'other'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export type PadesLevel = 'timestamp' | 'PKCS7' | 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'other';

/** Of a field that holds a signature or a document timestamp. */
export interface SignatureAnswer {
  /** Fully qualified name. */
  readonly field: string;
  readonly integrity: SignatureProof['integrity'];
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  readonly laterChanges: ChangeKind | 'undecidable' | null;
  readonly docMdp: { readonly level: 1 | 2 | 3; readonly violated: boolean | null } | null;
  readonly algorithm: string | null;
  readonly level: PadesLevel | null;
  readonly signer: string | null;
  /** Times are in UTC to the second. */
  readonly claimedTime: string | null;
  readonly timestamp: string | null;
  readonly weak: SignatureProof['weak'];
  /** One English sentence where it is not intact, its coverage is unclear, or what followed is not allowed or not known. */
  readonly reason: string | null;
  /** Where the bytes end that it covers. */
  readonly coversTo: number | null;
  /** Pages, from 1, that later revisions touched, in order. */
  readonly changedPages: readonly number[];
}

/** The first bytes of the file, to an end of a revision: what the file may have been before. */
export interface FilePrefix {
  readonly length: number;
  readonly sha256: string;
}

export interface FileAnswer {
  readonly verdict: FileVerdict;
  /** One English sentence where the verdict is undecidable, broken or changed. */
  readonly reason: string | null;
  readonly signatures: readonly SignatureAnswer[];
  /** Where each complete revision ends, in order; null where the file cannot be read. */
  readonly revisionEnds: readonly number[] | null;
  /** Shortest first, the whole file last; an end of a revision occurs with and without its line end. Proves origin, not that what follows is harmless. */
  readonly prefixes: readonly FilePrefix[];
  /** Pages, from 1, that revisions after any signature touched. */
  readonly changedPages: readonly number[];
  /** A password is needed to say more. */
  readonly needsPassword: boolean;
}
