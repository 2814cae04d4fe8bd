import type { PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { Receipt } from '../../../contract/receipts.ts';
import { mayBeSigned } from '../../../locales/own-verdict.ts';
import type { Store } from '../../store/store.ts';
import type { OwnVerdict, StoredFile } from '../../store/verify/verify-rows.ts';
import type { FileAnswer, FilePrefix } from './pdf-signatures/answer/file-answer.ts';

/** Grows whenever the same file may be judged otherwise: audits then look at unchanged files once more, which asks nobody. */
export const signatureRules = 7;

/** The most that is kept of a file: an honest one has fewer, and its verdict counts all. */
const most = { signatures: 30, prefixes: 200, pages: 200 };

interface Stored {
  readonly rules: number;
  /** When the file was read; earlier versions of the program did not note it. */
  readonly examinedAt?: string;
  /** Null for a file that is no PDF. */
  readonly answer: PdfSignatures | null;
  /** Without the whole file. */
  readonly prefixes: readonly FilePrefix[];
}

/** What a file itself proves, found just now, as it is kept with its row. `answer`: null for a file that is no PDF. */
export function toOwnVerdict(answer: FileAnswer | null): OwnVerdict {
  const examinedAt = new Date().toISOString();
  const prefixes = answer?.prefixes.slice(0, -1).slice(-most.prefixes) ?? [];
  const kept = answer && toPdfSignatures(answer);
  return {
    signatures: JSON.stringify({ rules: signatureRules, examinedAt, answer: kept, prefixes } satisfies Stored),
    verdict: kept !== null && mayBeSigned(kept) ? kept.verdict : null,
  };
}

function toPdfSignatures({ verdict, reason, revisionEnds, signatures, ...rest }: FileAnswer): PdfSignatures {
  const pagesOf = (pages: readonly number[]) => pages.slice(0, most.pages);
  return {
    verdict,
    reason,
    revisions: revisionEnds?.length ?? null,
    signatures: signatures
      .slice(0, most.signatures)
      .map((one) => ({ ...one, changedPages: pagesOf(one.changedPages) })),
    changedPages: pagesOf(rest.changedPages),
    needsPassword: rest.needsPassword,
    ...(rest.isUnmarked ? { isUnmarked: true } : {}),
  };
}

/** Null if the file was not looked at. */
export function storedSignaturesOf({ signatures }: Pick<StoredFile, 'signatures'>): Stored | null {
  if (signatures === null) return null;
  const { answer, ...stored } = JSON.parse(signatures) as Stored;
  // Earlier versions of the program did not read who a signature names, and who knows them.
  const filled = answer?.signatures.map((one) => ({
    ...one,
    emails: one.emails ?? [],
    statedName: one.statedName ?? null,
    trust: one.trust ?? null,
  }));
  return { ...stored, answer: answer && filled ? { ...answer, signatures: filled } : null };
}

/** What was last found in a file with these bytes; null if no such file was looked at, none is a PDF, or nobody noted when. */
export function lastExamined({ verifyFiles }: Pick<Store, 'verifyFiles'>, sha256: string): Receipt['ownVerdict'] {
  const { examinedAt, answer } = storedSignaturesOf({ signatures: verifyFiles.lastExamined(sha256) }) ?? {};
  if (!examinedAt || !answer) return null;
  const { isUnmarked: _, ...signatures } = answer;
  return { examinedAt, signatures };
}
