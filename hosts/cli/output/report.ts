import type { Answer } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import { colleagueOf, type EndedJob, sentBefore } from '../jobs/job-end.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.ts';
import { failureOnLine, failureText, type Line, lineText, nameOnLine, ownFailure, type Printer } from './printer.ts';
import { t } from './texts.ts';

/** The subject of a result: a file, a template or a document. */
interface About {
  readonly operation: Line['operation'];
  readonly file?: string;
  readonly documentId?: string;
  readonly details?: Line['details'];
}

/** Prints a failure and returns its exit code. */
export function reportFailure(printer: Printer, about: About, failure: Failure, isInterrupted = false): ExitCode {
  const code = exitCodeOf(failure);
  const subject = about.file ?? about.documentId;
  // What the register says is no answer of the service.
  const raw = failure.detail?.startsWith('database-') ? null : (failure.raw ?? null);
  const text = said(headline(failure, code), raw);
  printer.result(
    { ...about, ok: false, raw, failure: failureOnLine(failure) },
    subject === undefined ? text : lineText(subject, text),
  );
  return isInterrupted && failure.code === 'cancelled' ? exitCodes.interrupted : code;
}

/** Prints how an add operation ended and returns its exit code. `connection`: as the command named it, for the commands that are printed. */
export function reportJob(printer: Printer, file: string | undefined, ended: EndedJob, connection?: string): ExitCode {
  const { job, cause, sameAs } = ended;
  const about: About = { operation: job.operation, file, details: colleagueOf(job) };
  if (cause) return reportFailure(printer, about, cause, ended.isInterrupted);
  if (job.state === 'passed-over' || (job.state === 'cancelled' && job.duplicateOf))
    return reportDuplicate(printer, about, ended);
  if (job.state !== 'done') return reportNotDone(printer, about, ended, connection);
  // The command is carried out, but a duplicate is never sent without a remark.
  if (job.duplicateOf && sameAs === null)
    printer.remark(
      lineText(
        file ?? job.title,
        t('results.sentThough', { before: sentBefore(job.duplicateOf, isRequest(job.operation)) }),
      ),
    );
  const id = job.documentId ?? undefined;
  const details = sameAs === null ? about.details : { passedOver: true, sameAs: sameAs.title };
  const text = id ?? said(t('results.sent'), job.raw);
  printer.result(
    { ...about, ok: true, raw: job.raw, documentId: id, answer: onLine(job.answer), details },
    lineText(file ?? job.title, sameAs ? t(`results.${alreadyOf(job)}`, { text, title: sameAs.title }) : text),
  );
  return exitCodes.fine;
}

/** A request from a template has no bytes. */
const alreadyOf = ({ operation }: EndedJob['job']) => (isRequest(operation) ? 'sentAlready' : 'registeredAlready');

const isRequest = (operation: Line['operation']) => operation !== 'AddNewDocument';

function reportNotDone(
  printer: Printer,
  about: About,
  { job, isInterrupted, sameAs }: EndedJob,
  connection?: string,
): ExitCode {
  const isInDoubt = job.state === 'in-doubt';
  const failure = job.failure ?? madeUp(job.state);
  const code = isInDoubt ? exitCodes.inDoubt : exitCodeOf(failure);
  const raw = job.raw ?? failure.raw ?? null;
  const { id, at } = job;
  // Nothing was sent for this file, and only a person can say whether the service has its bytes.
  const asked = connection === undefined ? id : `${id} --connection ${JSON.stringify(nameOnLine(connection))}`;
  const since =
    isInDoubt && sameAs ? t('results.inDoubtSince', { since: at, title: nameOnLine(job.title), id: asked }) : null;
  const text = headline(failure, code);
  const whole = since ?? (sameAs ? t('results.sameBytes', { text, title: sameAs.title }) : text);
  printer.result(
    {
      ...about,
      ok: false,
      raw,
      answer: onLine(job.answer),
      details: since === null ? about.details : { jobId: id, inDoubtSince: at },
      failure: failureOnLine(
        isInDoubt ? { ...failure, code: 'outcome-unknown', note: since ?? failure.note } : failure,
      ),
    },
    lineText(about.file ?? job.title, said(whole, raw)),
  );
  return isInterrupted && job.state === 'cancelled' ? exitCodes.interrupted : code;
}

/** Reports that a document with these bytes was sent before by a job of another command, or by a colleague. */
function reportDuplicate(printer: Printer, about: About, { job, isWithdrawn }: EndedJob): ExitCode {
  const { id, title, duplicateOf, operation } = job;
  const isThere = duplicateOf?.kind === 'document' || (duplicateOf?.kind === 'team' && duplicateOf.state === 'done');
  const text = t('results.passedOver', { before: sentBefore(duplicateOf, isRequest(operation)) });
  const failure = isThere ? undefined : failureOnLine(ownFailure('outcome-unknown', text));
  const documentId = duplicateOf?.documentId ?? undefined;
  printer.result({ ...about, ok: isThere, documentId, failure }, lineText(about.file ?? title, text));
  if (isWithdrawn && duplicateOf?.by)
    printer.remark(lineText(about.file ?? title, t('results.team.sendAnyway', { id })));
  return isThere ? exitCodes.fine : exitCodes.inDoubt;
}

/** The part of an answer that `--json` prints. */
export function onLine(answer: Answer | null): Line['answer'] {
  return answer ? { group: answer.group, meaning: answer.meaning } : undefined;
}

/** A text with the service's own words, quoted. */
export function said(text: string, raw: string | null): string {
  return raw === null ? text : t('results.said', { text, raw: JSON.stringify(raw) });
}

function headline(failure: Failure, code: ExitCode): string {
  if (failure.code === 'cancelled' && failureOnLine(failure).note === 'cancelled') return t('results.cancelledNotSent');
  const why = failureText(failure);
  if (failure.detail === 'unclear-answer') return t('results.inDoubtAnswered');
  if (code === exitCodes.inDoubt) return t('results.inDoubt', { why });
  // What cannot be read came from somebody who was reached.
  if (code === exitCodes.notReachable && failure.code !== 'reply-unreadable') return t('results.notReachable', { why });
  return failure.serviceCode === undefined ? why : t('results.refusedWithCode', { code: failure.serviceCode, why });
}

function madeUp(state: string): Failure {
  if (state === 'cancelled') return ownFailure('cancelled', t('results.cancelled'));
  if (state === 'in-doubt') return ownFailure('outcome-unknown', t('results.noAnswerCame'));
  return ownFailure('service-refused', t('results.refusedIt'));
}
