import { createHash } from 'node:crypto';
import type { VerdictGroup } from '../../../../contract/answer.ts';
import type { FileVerdict, SignerTrust } from '../../../../contract/pdf-signatures.ts';
import type { VerifyResult } from '../../../../contract/verify-result.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';

/** What a file stands under: the group of its answer, or why it has none. */
export type Section = VerdictGroup | 'gone' | 'pending';

/** What needs attention comes first. */
export const sectionsInOrder: readonly Section[] = [
  ...(['not-confirmed', 'unclear', 'no-answer', 'confirmed-with-remark', 'confirmed'] as const),
  ...(['gone', 'pending'] as const),
];

/** What is known of all files before the first one is written. */
export interface Annex {
  /** SHA-256 over one line for each file in their order: its SHA-256, path and answer, with two spaces between. The same in every format. */
  readonly checksum: string;
  readonly counts: ReadonlyMap<Section, number>;
  /** True if any of them is signed, as far as this program reads it. */
  readonly hasSigned: boolean;
  /** The different answers of each section with one file that got it, the first ones. */
  readonly answers: ReadonlyMap<Section, ReadonlyMap<string, VerifyResult>>;
}

/** Different answers that are explained for a section; services have few. */
const mostAnswers = 20;

/** Reads all files once. */
export async function readAnnex(source: ReportSource, { step }: Pacer): Promise<Annex> {
  const hash = createHash('sha256');
  const counts = new Map<Section, number>();
  let hasSigned = false;
  const answers = new Map<Section, Map<string, VerifyResult>>();
  for (const slice of source.results())
    for (const result of slice) {
      const { sha256, raw } = result;
      hasSigned ||= signedVerdictOf(result) !== null;
      hash.update(`${sha256 ?? ''}  ${pathOf(result)}  ${raw ?? ''}\n`);
      const section = sectionOf(result);
      counts.set(section, (counts.get(section) ?? 0) + 1);
      const known = answers.get(section) ?? new Map<string, VerifyResult>();
      answers.set(section, known);
      if (raw !== null && known.size < mostAnswers && !known.has(raw)) known.set(raw, result);
      await step();
    }
  return { checksum: hash.digest('hex'), counts, hasSigned, answers };
}

/** What the file itself proves; null where no signature was found: for what is not signed, and what cannot be read as a PDF, on which the reader of a page can build nothing. */
export function signedVerdictOf({ signatures }: VerifyResult): FileVerdict | null {
  return signatures === null || signatures.signatures.length === 0 ? null : signatures.verdict;
}

/** Of those with this trust, or all. */
export function signersOf({ signatures }: VerifyResult, isWanted: (trust: SignerTrust | null) => boolean = () => true) {
  return [...new Set(signatures?.signatures.flatMap(({ signer, trust }) => (isWanted(trust) && signer) || []))];
}

/** Known, and nothing that the file holds speaks against it; what only the signer’s clock claims is not it. */
export const isKnown = (trust: SignerTrust | null) =>
  trust !== null && trust.by !== null && trust.validity === 'valid' && trust.revocation !== 'revoked';
export const isRevoked = (trust: SignerTrust | null) => trust?.revocation === 'revoked';

export function sectionOf({ answer, change }: VerifyResult): Section {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}
