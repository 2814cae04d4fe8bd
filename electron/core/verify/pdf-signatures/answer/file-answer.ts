import type { PdfSignatures } from '../../../../../contract/pdf-signatures.ts';

/** The first bytes of the file, to an end of a revision: what the file may have been before. */
export interface FilePrefix {
  readonly length: number;
  readonly sha256: string;
}

/** What is shown of a file, with where its revisions end. */
export interface FileAnswer extends Omit<PdfSignatures, 'revisions'> {
  /** Where each complete revision ends, in order; null where the file cannot be read. */
  readonly revisionEnds: readonly number[] | null;
  /** Shortest first, the whole file last; an end of a revision occurs with and without its line end. Proves origin, not that what follows is harmless. */
  readonly prefixes: readonly FilePrefix[];
}

/** Of what nothing could be read, or is known. */
export function unreadFile(reason: string): FileAnswer {
  const nothing = { signatures: [], revisionEnds: null, prefixes: [], changedPages: [], needsPassword: false };
  return { verdict: 'undecidable', reason, ...nothing };
}
