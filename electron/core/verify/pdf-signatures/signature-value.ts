import type { Pieces } from './cms/digests.ts';

/** What a signature dictionary names, as the structure found it; the gap between the ranges is checked there. */
export interface SignatureBytes {
  readonly subFilter: string | null;
  /** The bytes of the hexadecimal string /Contents, with the zeros that fill it. */
  readonly contents: Uint8Array;
  /** The bytes of the file that it is about. */
  readonly covered: Pieces;
}

/** What the CMS inside says about itself and about the bytes of the ranges. Times are in UTC to the second. */
export interface SignatureProof {
  integrity: 'intact' | 'broken' | 'undecidable';
  /** One English sentence unless it is intact. */
  reason: string | null;
  algorithm: string | null;
  signer: string | null;
  /** Addresses in the certificate. */
  emails: readonly string[];
  signingTime: string | null;
  /** Time of the signature timestamp, or of the document timestamp itself. */
  timestamp: string | null;
  /** It has a signature timestamp whose imprint fits this signature. */
  hasTimestamp: boolean;
  hasSigningCertificate: boolean;
  /** Below what is thought safe today; it makes no verdict better or worse. */
  weak: readonly ('sha1' | 'short-key')[];
}
