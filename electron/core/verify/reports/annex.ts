import { createHash } from 'node:crypto';
import type { VerdictGroup } from '../../../../contract/answers.ts';
import type { VerifyResult } from '../../../../contract/verify-result.ts';
import { signedVerdictOf } from '../../../../locales/own-verdict.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';

/** What a file stands under: the group of its answer, or why it has none. */
export type Section = VerdictGroup | 'gone' | 'pending';

/** What needs attention comes first. */
export const sectionsInOrder: readonly Section[] = [
  ...(['not-confirmed', 'unclear', 'no-answer', 'not-pdf', 'confirmed-with-remark', 'confirmed'] as const),
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
  for (const result of source.results()) {
    const { sha256, raw } = result;
    hasSigned ||= signedVerdictOf(result.signatures) !== null;
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

export function sectionOf({ answer, change }: VerifyResult): Section {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}
