import type { LedgerJob, Reconciliation } from '../../../contract/jobs.ts';
import { nameOnLine } from '../printer.ts';
import { onLine, said } from '../report.ts';
import { unfinishedStates } from './select-jobs.ts';

/** A job as `list --json` prints it. */
export function entryOf(job: LedgerJob) {
  const { id, batchId, operation: adds, title, sizeBytes, sha256, state, pausedBy, raw, documentId } = job;
  const { failure, duplicateOf, createdAt, updatedAt } = job;
  return {
    jobId: id,
    batchId,
    operation: adds,
    title,
    sizeBytes,
    sha256,
    state,
    worker: unfinishedStates.includes(job.state) ? job.worker : undefined,
    pausedBy,
    raw,
    answer: onLine(job.answer),
    documentId,
    failure,
    duplicateOf,
    createdAt,
    updatedAt,
  };
}

/** A job as `list` prints it for a person. */
export function rowOf(job: LedgerJob): string {
  const held =
    job.pausedBy === null ? '' : job.pausedBy === 'duplicate' ? ', asks: duplicate' : `, paused (${job.pausedBy})`;
  const isLeft = unfinishedStates.includes(job.state) && job.worker === 'nobody';
  const left = isLeft ? ', its program is over' : '';
  const note = job.failure ? `  ${job.failure.note}` : '';
  return `${job.id}  ${job.createdAt}  ${job.state}${held}${left}  ${nameOnLine(job.title)}${note}${said(job.raw)}`;
}

/** The result of `look` for a person. */
export function lookText({ verdict, questions, candidates }: Reconciliation): string {
  const words = { found: 'found', 'not-found': 'not found, which is no proof', 'cannot-tell': 'cannot tell' } as const;
  const asked = questions.map(
    ({ operation: question, about, failure }) => `  asked ${question} ${about}${failure ? `: ${failure.note}` : ''}`,
  );
  const rows = candidates.map(
    ({ documentId, documentName, email, fits }) =>
      `  ${documentId}  ${documentName ?? '–'}  ${email ?? '–'}  (same: ${fits.join(', ') || 'nothing'})`,
  );
  return [words[verdict], ...asked, ...rows].join('\n');
}
