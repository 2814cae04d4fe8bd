import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import { type AnswersTable, readAddAnswer } from '../../soap/answers.ts';
import type { Reply } from '../../soap/client.ts';
import { refusal } from '../../soap/refusal.ts';
import type { JobChange } from '../../store/jobs/job-moves.ts';
import { appError } from '../foundation/app-error.ts';

/** Where an attempt to send a job ended. `rest`: nothing left, and the whole connection waits for a while. */
export interface Outcome {
  readonly state: JobState;
  readonly change: JobChange;
  readonly rest: Failure | null;
}

/** The service answered: a value is `done`, a negative code `refused`. An answer that nobody can read is an answer, too. */
export function outcomeOfAnswer({ raw }: Reply, table: AnswersTable): Outcome {
  const answer = readAddAnswer(raw, table);
  if (answer.code !== undefined) {
    const { failure } = refusal(answer.code, raw ?? '');
    return { state: 'refused', change: { raw, answer, failure }, rest: null };
  }
  const documentId = answer.kind === 'document-id' ? (raw?.trim() ?? null) : null;
  return { state: 'done', change: { raw, answer, documentId, failure: null }, rest: null };
}

/** Both are answers: the service has read the request and will not carry it out. */
const refusals: ReadonlySet<FailureCode> = new Set(['service-refused', 'credentials-rejected']);

/** Nothing left, and another time it may: the job waits. */
const waitable: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'not-connected',
  'storage-full',
  'storage-busy',
  'storage-unusable',
]);

/**
 * How far it came decides, then what went wrong. After departure the SOAP client says outcome-unknown unless it is certain that the service did
 * not carry it out (settle-failure.ts there): turned away by HTTP, or broken off here before the last byte. Even then nothing is
 * sent again without a person.
 */
export function outcomeOfFailure(
  failure: Failure,
  how: { readonly departed: boolean; readonly isCancelled: boolean; readonly isClosing: boolean },
): Outcome {
  const raw = failure.raw ?? null;
  if (refusals.has(failure.code)) return { state: 'refused', change: { raw, failure }, rest: null };
  if (failure.code === 'cancelled' && how.isCancelled)
    return { state: 'cancelled', change: { failure: null }, rest: null };
  if (how.departed) {
    if (notCarriedOut.has(failure.code)) return { state: 'failed', change: { raw, failure }, rest: null };
    return { state: 'in-doubt', change: { raw, failure: inDoubt(failure) }, rest: null };
  }
  if (how.isClosing) return { state: 'waiting', change: { failure: null }, rest: null };
  if (waitable.has(failure.code)) return { state: 'waiting', change: { failure }, rest: failure };
  return { state: 'failed', change: { failure }, rest: null };
}

const notCarriedOut: ReadonlySet<FailureCode> = new Set(['reply-unreadable', 'file-changed', 'file-unreadable']);

function inDoubt(failure: Failure): Failure {
  if (failure.code === 'outcome-unknown') return failure;
  return appError('outcome-unknown', `after the request had begun to leave: ${failure.code}, ${failure.note}`, {
    detail: failure.detail,
    raw: failure.raw,
  }).failure;
}
