import type { Answer } from '../../contract/answer.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/jobs.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.ts';
import type { EndedJob } from './job-end.ts';
import { failureOnLine, type Line, nameOnLine, type Printer } from './printer.ts';

/** The subject of a result: a file, a template or a document. */
interface About {
  readonly operation: Line['operation'];
  readonly file?: string;
  readonly documentId?: string;
}

/** Prints a failure and returns its exit code. */
export function reportFailure(printer: Printer, about: About, failure: Failure, isInterrupted = false): ExitCode {
  const code = exitCodeOf(failure);
  const subject = about.file ?? about.documentId;
  printer.result(
    { ...about, ok: false, raw: failure.raw ?? null, failure: failureOnLine(failure) },
    `${subject === undefined ? '' : `${nameOnLine(subject)}: `}${headline(failure, code)}${said(failure.raw ?? null)}`,
  );
  return isInterrupted && failure.code === 'cancelled' ? exitCodes.interrupted : code;
}

/** Prints how an add operation ended and returns its exit code. */
export function reportJob(printer: Printer, file: string | undefined, ended: EndedJob): ExitCode {
  const { job, cause, sameAs } = ended;
  const about: About = { operation: job.operation, file };
  if (cause) return reportFailure(printer, about, cause, ended.isInterrupted);
  if (job.state === 'cancelled' && job.duplicateOf) return reportDuplicate(printer, about, job);
  const before = sameAs === null ? '' : ` (the same bytes as ${sameAs.title}, which had been given before)`;
  if (job.state !== 'done') return reportNotDone(printer, about, ended, before);
  // The command is carried out, but a duplicate is never sent without a remark.
  if (job.duplicateOf && sameAs === null)
    printer.remark(`${nameOnLine(file ?? job.title)}: sent, though ${sentBefore(job.duplicateOf)}`);
  const id = job.documentId ?? undefined;
  const human = id === undefined ? `sent${said(job.raw)}` : id;
  const details = sameAs === null ? undefined : { passedOver: true, sameAs: sameAs.title };
  printer.result(
    { ...about, ok: true, raw: job.raw, documentId: id, answer: onLine(job.answer), details },
    `${nameOnLine(file ?? job.title)}: ${human}${sameAs === null ? '' : ', registered already'}${before}`,
  );
  return exitCodes.fine;
}

function reportNotDone(printer: Printer, about: About, { job, isInterrupted }: EndedJob, before: string): ExitCode {
  const failure = job.failure ?? madeUp(job.state);
  const code = job.state === 'in-doubt' ? exitCodes.inDoubt : exitCodeOf(failure);
  const raw = job.raw ?? failure.raw ?? null;
  printer.result(
    {
      ...about,
      ok: false,
      raw,
      answer: onLine(job.answer),
      failure: failureOnLine(job.state === 'in-doubt' ? { ...failure, code: 'outcome-unknown' } : failure),
    },
    `${nameOnLine(about.file ?? job.title)}: ${headline(failure, code)}${before}${said(raw)}`,
  );
  return isInterrupted && job.state === 'cancelled' ? exitCodes.interrupted : code;
}

/** Reports that a document with these bytes was sent before by a job of another command. */
function reportDuplicate(printer: Printer, about: About, { title, duplicateOf }: Job): ExitCode {
  const isThere = duplicateOf?.kind === 'document';
  const note = `passed over: ${sentBefore(duplicateOf)}`;
  const failure = isThere ? undefined : failureOnLine({ code: 'outcome-unknown', note, retryable: false });
  const documentId = duplicateOf?.documentId ?? undefined;
  printer.result(
    { ...about, ok: isThere, raw: null, documentId, failure },
    `${nameOnLine(about.file ?? title)}: ${note}`,
  );
  return isThere ? exitCodes.fine : exitCodes.inDoubt;
}

function sentBefore(of: Job['duplicateOf']): string {
  const what =
    of?.documentId ?? `${nameOnLine(of?.title ?? '')}${of?.state === 'in-doubt' ? ', which is in doubt' : ''}`;
  return `the same bytes were sent before (${what})`;
}

/** The part of an answer that `--json` prints. */
export function onLine(answer: Answer | null): Line['answer'] {
  return answer ? { group: answer.group, meaning: answer.meaning } : undefined;
}

/** The service's own words, quoted. */
export function said(raw: string | null): string {
  return raw === null ? '' : ` (the service said: ${JSON.stringify(raw)})`;
}

function headline(failure: Failure, code: ExitCode): string {
  const { note } = failureOnLine(failure);
  if (code === exitCodes.inDoubt)
    return `in doubt: it was sent, and no answer came. It is not sent again by itself. ${note}`;
  if (code === exitCodes.notReachable) return `not reachable: ${note}`;
  if (failure.code === 'cancelled' && note === 'cancelled') return 'cancelled, not sent';
  const serviceCode = failure.serviceCode === undefined ? '' : `refused, code ${failure.serviceCode}: `;
  return `${serviceCode}${note}`;
}

function madeUp(state: string): Failure {
  if (state === 'cancelled') return { code: 'cancelled', note: 'cancelled', retryable: true };
  if (state === 'in-doubt') return { code: 'outcome-unknown', note: 'no answer came', retryable: false };
  return { code: 'service-refused', note: 'the service refused it', retryable: false };
}
