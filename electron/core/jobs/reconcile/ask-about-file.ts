import type { ReconcileQuestion, Reconciliation } from '../../../../contract/jobs.ts';
import { findingOf } from '../../../soap/reply/answers.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import { appError, knownFailure } from '../../foundation/app-error.ts';
import { retryWhileBusy, untilAborted } from '../../foundation/retry-while-busy.ts';
import { otherReason, type QueueContext } from '../queue-context.ts';

/** The newest jobs in doubt, or on their way: more are no single lost answers. */
export const mostOpen = 500;

/** What an answer about the file says about the job. */
type Said = Pick<Reconciliation, 'verdict' | 'explainedBy'>;

/**
 * Asks the service once whether it knows the file of a registration, with the copy that was sent. It answers about bytes, not about a registration: that it knows them
 * is this job's only where nothing else here or in the team can be the reason. Throws bad-input for another kind of job, and file-missing without the copy.
 */
export async function askAboutFile(
  queue: QueueContext,
  job: StoredJob,
): Promise<Said & { readonly question: ReconcileQuestion }> {
  const { context, spool, closing } = queue;
  if (job.operation !== 'AddNewDocument' || job.sha256 === null)
    throw appError('bad-input', 'only the file of a registration can be asked about');
  if (!(await spool.has(job.id, 'document')))
    throw appError('file-unreadable', 'the copy that was sent is not kept any more', { detail: 'file-missing' });
  const question = { operation: 'ValidateDocument', entries: null, isCutOff: false } as const;
  try {
    const client = await context.connections.client(job.connectionId);
    const file = { path: spool.pathOf(job.id, 'document'), sizeBytes: job.sizeBytes, sha256: job.sha256 };
    const { raw } = await client.invoke('ValidateDocument', { ServiceDocument: file }, { signal: closing });
    const answer = context.answers.verdict(raw, job.connectionId);
    await retryWhileBusy(() => context.answers.saw('verdict', raw, job.connectionId), untilAborted(closing));
    return { question: { ...question, about: raw ?? '', failure: null }, ...saidOf(queue, job, raw, answer) };
  } catch (error) {
    const failure = knownFailure(error);
    return { question: { ...question, about: failure.raw ?? '', failure }, verdict: 'cannot-tell' };
  }
}

function saidOf(
  queue: QueueContext,
  job: StoredJob,
  raw: string | null,
  answer: Parameters<typeof findingOf>[1],
): Said {
  const isKnown = answer.group === 'confirmed' || answer.group === 'confirmed-with-remark';
  if (!isKnown) return { verdict: findingOf(raw, answer) === 'unknown' ? 'not-found' : 'cannot-tell' };
  const other = otherReason(queue, job);
  return other === null ? { verdict: 'found' } : { verdict: 'cannot-tell', explainedBy: other };
}

/** Reads what the service said of files in doubt by the meanings of now. That is no new look. */
export function readFileAnswersAgain(queue: QueueContext): void {
  const { jobs } = queue.context.store;
  for (const job of jobs.list({ states: ['in-doubt'], offset: 0, limit: mostOpen }).jobs) {
    const asked = job.look?.questions.find(({ operation, failure }) => operation === 'ValidateDocument' && !failure);
    if (!job.look || !asked || job.look.candidates.length > 0) continue;
    const { explainedBy, ...look } = job.look;
    const said = saidOf(queue, job, asked.about, queue.context.answers.verdict(asked.about, job.connectionId));
    if (said.verdict === look.verdict && said.explainedBy === explainedBy) continue;
    jobs.changeLook(job.id, { ...look, ...said });
    queue.changes.mark(job.id);
  }
}
