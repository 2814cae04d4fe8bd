import type { Envelope, Failure } from '../../../contract/failure.ts';
import {
  type Job,
  type JobState,
  jobStates,
  type LedgerJob,
  type Reconciliation,
  speaksForIt,
} from '../../../contract/jobs.ts';
import { documentIdKey } from '../../../contract/text.ts';
import { isSet, textOf } from '../arguments/values.ts';
import type { Run } from '../command.ts';
import { unwrapped } from '../follow-task.ts';
import { type ExitCode, exitCodes, UsageError, worstOf } from '../output/exit-code.ts';
import { failureText, lineText, nameOnLine, ownFailure } from '../output/printer.ts';
import { onLine, reportFailure, said } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';
import { followLedgerJobs } from './follow-jobs.ts';
import { sentBefore } from './job-end.ts';
import { chosen, idsOf, idsPerCall, inLedger, named, parts, unfinishedStates } from './select-jobs.ts';

type Action = (session: Session, run: Run, ids: readonly string[]) => Promise<ExitCode>;

const open: readonly JobState[] = ['prepared', 'waiting', 'sending', 'in-doubt', 'refused', 'failed'];
const notLeft: readonly JobState[] = ['prepared', 'waiting'];
const again: readonly JobState[] = ['refused', 'failed', 'passed-over', 'cancelled'];
const ended: readonly JobState[] = ['done', 'refused', 'failed', 'passed-over', 'cancelled'];

/** The actions of `sealdesk-cli jobs` by name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  list: async (session, { values, printer }, ids) => {
    const state = textOf(values, 'state');
    if (state !== undefined && !jobStates.some((known) => known === state)) {
      throw new UsageError(t('errors.takesOneOf', { option: 'state', values: jobStates.join(', ') }));
    }
    const states = state === undefined ? open : jobStates.filter((known) => known === state);
    const jobs = ids.length > 0 ? await named(session, ids) : await inLedger(session, states, textOf(values, 'batch'));
    printer.result(
      { operation, ok: true, entries: jobs.map(entryOf) },
      jobs.length === 0 ? t('results.jobs.nothingOpen') : jobs.map((job) => rowOf(job)).join('\n'),
    );
    await remarkOnTheRest(session, printer.remark);
    return exitCodes.fine;
  },
  resume: async (session, run, ids) => {
    const { ask } = session;
    const batchId = textOf(run.values, 'batch');
    if (isSet(run.values, 'queue')) unwrapped(await ask('jobs.resume', { what: 'all' }));
    if (batchId !== undefined) {
      unwrapped(await ask('jobs.resume', { what: 'batch', batchId }));
      unwrapped(await ask('jobs.sendNow', { batchId }));
    }
    const isHeld = isSet(run.values, 'held');
    if (isHeld) unwrapped(await ask('jobs.resume', { what: 'connection', connectionId: session.connection.id }));
    if (isSet(run.values, 'restored')) unwrapped(await ask('jobs.resume', { what: 'restored' }));
    const hasOther = isSet(run.values, 'queue') || isHeld || isSet(run.values, 'restored') || batchId !== undefined;
    const found =
      hasOther && ids.length === 0
        ? await inLedger(session, unfinishedStates, batchId)
        : await chosen(session, run.values, ids, unfinishedStates);
    const jobs = found.filter(({ state, worker }) => ids.length > 0 || state !== 'sending' || worker === 'nobody');
    for (const { id, pausedBy } of jobs) {
      if (pausedBy === 'job') unwrapped(await ask('jobs.resume', { what: 'job', jobId: id }));
    }
    if (jobs.length > 0 || !hasOther) return sendAndFollow(session, run, jobs);
    run.printer.remark(t('results.jobs.resumed'));
    return exitCodes.fine;
  },
  cancel: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, notLeft);
    return forEachJob(jobs, run, t('results.jobs.willNotBeSent'), (job) =>
      session.ask('jobs.cancel', { jobId: job.id }),
    );
  },
  decide: async (session, run, ids) => {
    const [send, skip] = [isSet(run.values, 'send'), isSet(run.values, 'skip')];
    if (send === skip) throw new UsageError(t('errors.decide'));
    const jobs = (await chosen(session, run.values, ids, notLeft)).filter(isAsking(ids.length > 0));
    if (send) {
      const decided = ids.length > 0 ? jobs : withoutColleagues(jobs, run);
      for (const part of parts(decided))
        unwrapped(await session.ask('jobs.decide', { jobIds: idsOf(part), decision: 'send' }));
      return decided.length === 0 && jobs.length > 0 ? exitCodes.fine : sendAndFollow(session, run, decided);
    }
    return forEachJob(jobs, run, t('results.jobs.passedOver'), (job) =>
      session.ask('jobs.decide', { jobIds: [job.id], decision: 'skip' }),
    );
  },
  look: async (session, run, [jobId, documentId, ...rest]) => {
    if (jobId === undefined || rest.length > 0) throw new UsageError(t('errors.look'));
    const [job] = await named(session, [jobId]);
    // A registration is in no list: without a document only its file can be asked about.
    const withFile = documentId === undefined && job?.operation === 'AddNewDocument';
    const answer = await session.ask('jobs.reconcile', { jobId, documentId, withFile });
    if (!answer.ok) return reportFailure(run.printer, { operation, documentId }, answer.failure);
    const look = answer.value;
    run.printer.result(
      {
        operation,
        ok: look.verdict === 'found',
        entries: look.candidates,
        details: { jobId, ...look, candidates: undefined },
      },
      lookText(look),
    );
    return look.verdict === 'found' ? exitCodes.fine : exitCodes.inDoubt;
  },
  accept: async (session, run, [jobId, documentId, ...rest]) => {
    const isUnchecked = isSet(run.values, 'unchecked');
    if (jobId === undefined || (documentId === undefined && isUnchecked) || rest.length > 0)
      throw new UsageError(t('errors.accept'));
    const [job] = await named(session, [jobId]);
    // Without a document the last look counts: that the service knows the file; of a note the person's word.
    const isAsked = documentId !== undefined && !isUnchecked;
    const unconfirmed = isAsked ? await askedAbout(session, jobId, documentId) : null;
    const answer: Envelope<null> = unconfirmed
      ? { ok: false, failure: unconfirmed }
      : await session.ask('jobs.accept', { jobId, documentId: documentId ?? null, isUnchecked });
    if (!answer.ok) return reportFailure(run.printer, { operation, documentId }, answer.failure);
    run.printer.result(
      { operation, ok: true, documentId, details: { jobId } },
      lineText(
        job?.title ?? jobId,
        documentId === undefined
          ? t(job?.operation === 'AddQuickNote' ? 'results.jobs.settledByWord' : 'results.jobs.settledByFile')
          : t('results.jobs.settled', { documentId }),
      ),
    );
    return exitCodes.fine;
  },
  'send-again': async (session, run, ids) => {
    const mayRepeat = isSet(run.values, 'yes-send-again');
    const jobs = await chosen(session, run.values, ids, again);
    if (jobs.some(({ state }) => state === 'in-doubt') && !mayRepeat) {
      throw new UsageError(t('errors.sendAgain'));
    }
    for (const { id } of jobs) unwrapped(await session.ask('jobs.sendAgain', { jobId: id }));
    return sendAndFollow(session, run, jobs);
  },
  dismiss: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, ended);
    return forEachJob(jobs, run, t('results.jobs.dismissed'), async (job) => {
      if (!ended.includes(job.state))
        return refused(t('results.jobs.stays', { state: t(`results.jobs.states.${job.state}`) }));
      return session.ask('jobs.dismiss', { jobIds: [job.id] });
    });
  },
};

/** Asks the service about the document of a lost answer; why it does not confirm that, null if it does. */
async function askedAbout(session: Session, jobId: string, documentId: string): Promise<Failure | null> {
  const asked = await session.ask('jobs.reconcile', { jobId, documentId });
  if (!asked.ok) return asked.failure;
  const { candidates, questions } = asked.value;
  const isIt = (id: string) => documentIdKey(id) === documentIdKey(documentId);
  const failure = questions.find(({ operation, about }) => operation === 'GetDocumentDetails' && isIt(about))?.failure;
  if (failure) {
    const why: string = t('results.jobs.unknownToService', { why: failureText(failure) });
    return failure.code === 'service-refused' ? ownFailure('bad-input', why) : failure;
  }
  const found = candidates.find((candidate) => isIt(candidate.documentId));
  if (found && (speaksForIt(found) || found.isTaken)) return null;
  const marks = found?.differs ?? [];
  const what = marks.map((mark) => t(`results.jobs.marks.${mark}`)).join(', ');
  return ownFailure('bad-input', what === '' ? t('results.jobs.sameAsNothing') : t('results.jobs.differs', { what }));
}

async function remarkOnTheRest(session: Session, remark: (text: string) => void): Promise<void> {
  const { isPaused, jobs } = unwrapped(await session.ask('jobs.list', { states: [...open], limit: idsPerCall }));
  if (isPaused) remark(t('results.jobs.queuePaused'));
  for (const { connectionId, id, title, isBesideDoubt } of jobs)
    if (isBesideDoubt && connectionId === session.connection.id)
      remark(lineText(title, t('results.jobs.besideDoubt', { id })));
  const others = jobs.filter(({ connectionId }) => connectionId !== session.connection.id).length;
  if (others > 0)
    remark(t(others === idsPerCall ? 'results.jobs.othersOrMore' : 'results.jobs.others', { jobs: others }));
}

/** Named jobs must all be waiting for a decision. */
const isAsking = (wereNamed: boolean) => (job: Job) => {
  if (job.pausedBy === 'duplicate') return true;
  if (wereNamed) throw new UsageError(t('errors.noDecision', { id: job.id }));
  return false;
};

/** What a colleague of the team has is sent again only by name: the person sees before who it is. The others are returned. */
function withoutColleagues(jobs: readonly LedgerJob[], { printer }: Run): readonly LedgerJob[] {
  for (const { id, title, duplicateOf } of jobs)
    if (duplicateOf?.by)
      printer.remark(lineText(title, t('results.team.nameIt', { before: sentBefore(duplicateOf), id })));
  return jobs.filter(({ duplicateOf }) => !duplicateOf?.by);
}

const refused = (note: string): Envelope<null> => ({ ok: false, failure: ownFailure('bad-input', note) });

/** A job as `list --json` prints it. */
function entryOf(job: LedgerJob) {
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
    isByWord: job.isByWord,
    isBesideDoubt: job.isBesideDoubt,
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
function rowOf(job: LedgerJob): string {
  const reached = t(`results.jobs.states.${job.state}`);
  const held = job.pausedBy === null ? reached : t(`results.jobs.holds.${job.pausedBy}`, { state: reached });
  const isLeft = unfinishedStates.includes(job.state) && job.worker === 'nobody';
  const state = isLeft ? t('results.jobs.left', { state: held }) : held;
  const who = job.pausedBy === 'duplicate' && job.duplicateOf?.by ? `  ${sentBefore(job.duplicateOf)}` : '';
  const note = job.failure ? `  ${failureText(job.failure)}` : who;
  return said(`${job.id}  ${job.createdAt}  ${state}  ${nameOnLine(job.title)}${note}`, job.raw);
}

/** The result of `look` for a person. */
function lookText({ verdict, questions, candidates }: Reconciliation): string {
  const asked = questions.map(
    ({ operation: question, about, failure }) =>
      `  ${t('results.jobs.asked', { question, about })}${failure ? `: ${failureText(failure)}` : ''}`,
  );
  const rows = candidates.map(({ documentId, documentName, email, fits }) => {
    const what = fits.map((mark) => t(`results.jobs.marks.${mark}`)).join(', ') || t('results.jobs.sameNothing');
    return `  ${documentId}  ${documentName ?? '–'}  ${email ?? '–'}  ${t('results.jobs.same', { what })}`;
  });
  const isFile = verdict === 'found' && candidates.length === 0;
  return [t(isFile ? 'results.jobs.fileKnown' : `results.jobs.${verdict}`), ...asked, ...rows].join('\n');
}

/** The operation in the results of `sealdesk-cli jobs`. */
export const operation = 'jobs';

/** Takes over the jobs that no running program works on, lets them be sent and reports the end of each. */
async function sendAndFollow(session: Session, run: Run, jobs: readonly Job[]): Promise<ExitCode> {
  if (jobs.length === 0) return nothing(run.printer.remark);
  return followLedgerJobs(session, run, () => named(session, idsOf(jobs)));
}

/** Applies one action to each job and prints a line for each. */
async function forEachJob(
  jobs: readonly Job[],
  { printer }: Run,
  done: string,
  work: (job: Job) => Promise<Envelope<null>>,
): Promise<ExitCode> {
  if (jobs.length === 0) return nothing(printer.remark);
  const codes: ExitCode[] = [];
  for (const job of jobs) {
    const answer = await work(job);
    if (!answer.ok) {
      codes.push(reportFailure(printer, { operation, file: job.title }, answer.failure));
      continue;
    }
    printer.result({ operation, ok: true, details: { jobId: job.id }, file: job.title }, lineText(job.title, done));
  }
  return worstOf(codes);
}

function nothing(remark: (text: string) => void): ExitCode {
  remark(t('results.jobs.none'));
  return exitCodes.fine;
}
