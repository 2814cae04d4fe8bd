import type { LedgerJob, Reconciliation } from '../../../contract/jobs.ts';
import { failureText } from '../output/failures.ts';
import { nameOnLine } from '../output/printer.ts';
import { onLine, said } from '../output/report.ts';
import { t } from '../output/texts.ts';
import { unfinishedStates } from './select-jobs.ts';
import { sentBefore } from './sent-before.ts';

/** A job as `list --json` prints it. */
export function entryOf(job: LedgerJob) {
  const { id, batchId, operation: adds, title, sizeBytes, sha256, state, pausedBy, raw, documentId } = job;
  const { failure, duplicateOf, createdAt, at } = job;
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
    updatedAt: at,
  };
}

/** A job as `list` prints it for a person. */
export function rowOf(job: LedgerJob): string {
  const reached = t(`results.jobs.states.${job.state}`);
  const held = job.pausedBy === null ? reached : t(`results.jobs.holds.${job.pausedBy}`, { state: reached });
  const isLeft = unfinishedStates.includes(job.state) && job.worker === 'nobody';
  const state = isLeft ? t('results.jobs.left', { state: held }) : held;
  const who = job.pausedBy === 'duplicate' && job.duplicateOf?.by ? `  ${sentBefore(job.duplicateOf)}` : '';
  const note = job.failure ? `  ${failureText(job.failure)}` : who;
  return said(`${job.id}  ${job.createdAt}  ${state}  ${nameOnLine(job.title)}${note}`, job.raw);
}

/** The result of `look` for a person. */
export function lookText({ verdict, questions, candidates }: Reconciliation): string {
  const asked = questions.map(
    ({ operation: question, about, failure }) =>
      `  ${t('results.jobs.asked', { question, about })}${failure ? `: ${failureText(failure)}` : ''}`,
  );
  const rows = candidates.map(({ documentId, documentName, email, fits }) => {
    const what = fits.map((mark) => t(`results.jobs.marks.${mark}`)).join(', ') || t('results.jobs.sameNothing');
    return `  ${documentId}  ${documentName ?? '–'}  ${email ?? '–'}  ${t('results.jobs.same', { what })}`;
  });
  return [t(`results.jobs.${verdict}`), ...asked, ...rows].join('\n');
}
