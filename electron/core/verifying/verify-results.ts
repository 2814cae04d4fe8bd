import { type VerdictGroup, verdictGroups } from '../../../contract/answer.ts';
import type { VerdictCounts, VerifyResult, VerifyRun } from '../../../contract/verify.ts';
import type { Verification } from './run-verification.ts';

/** Failures first; what has no answer yet comes last. No answer is not a failure of the document. */
const ranks: Record<VerdictGroup, number> = {
  'not-confirmed': 0,
  unclear: 1,
  'no-answer': 2,
  'confirmed-with-remark': 3,
  confirmed: 4,
};
const unanswered = 5;

function rankOf({ answer }: VerifyResult): number {
  return answer ? ranks[answer.group] : unanswered;
}

/** Sorted by rank, within it in the order of the drop. */
export function pageOfResults(
  results: readonly VerifyResult[],
  { group, offset, limit }: { readonly group?: VerdictGroup; readonly offset: number; readonly limit: number },
): { results: VerifyResult[]; total: number } {
  const buckets: VerifyResult[][] = Array.from({ length: unanswered + 1 }, () => []);
  for (const result of results) {
    if (group === undefined || result.answer?.group === group) buckets[rankOf(result)]?.push(result);
  }
  const sorted = buckets.flat();
  return { results: sorted.slice(offset, offset + limit), total: sorted.length };
}

export function viewOfRun(run: Verification): VerifyRun {
  const counts = Object.fromEntries(verdictGroups.map((group) => [group, 0])) as Record<VerdictGroup, number>;
  let answered = 0;
  for (const { answer } of run.results) {
    if (!answer) continue;
    counts[answer.group] += 1;
    answered += 1;
  }
  return {
    runId: run.runId,
    connectionId: run.connectionId,
    state: run.state(),
    total: run.results.length,
    answered,
    counts: counts satisfies VerdictCounts,
    startedAt: run.startedAt,
    kind: 'files',
    auditId: null,
    title: '',
    listing: false,
    changes: null,
    calls: answered,
    leftOut: 0,
    endedAt: null,
  };
}
