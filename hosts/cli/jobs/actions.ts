import type { Envelope } from '../../../contract/failure.ts';
import { type Job, type JobState, jobStates } from '../../../contract/jobs.ts';
import { appError } from '../../../electron/core/foundation/app-error.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { unwrapped } from '../follow-run.ts';
import { idsPerCall } from '../ledger-jobs.ts';
import { nameOnLine } from '../printer.ts';
import { reportFailure } from '../report.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf } from '../values.ts';
import { entryOf, lookText, rowOf } from './describe-job.ts';
import { forEachJob, operation, sendAndFollow } from './run-on-jobs.ts';
import { chosen, idsOf, inLedger, named, parts, unfinishedStates } from './select-jobs.ts';

type Action = (session: Session, run: Run, ids: readonly string[]) => Promise<ExitCode>;

const open: readonly JobState[] = ['prepared', 'waiting', 'sending', 'in-doubt', 'refused', 'failed'];
const notLeft: readonly JobState[] = ['prepared', 'waiting'];
const again: readonly JobState[] = ['refused', 'failed', 'cancelled'];
const ended: readonly JobState[] = ['done', 'refused', 'failed', 'cancelled'];

/** The actions of `sealdesk jobs` by name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  list: async (session, { values, printer }, ids) => {
    const state = textOf(values, 'state');
    if (state !== undefined && !jobStates.some((known) => known === state)) {
      throw new UsageError(`--state takes one of ${jobStates.join(', ')}.`);
    }
    const states = state === undefined ? open : jobStates.filter((known) => known === state);
    const jobs = ids.length > 0 ? await named(session, ids) : await inLedger(session, states, textOf(values, 'batch'));
    const rows = jobs.length === 0 ? 'Nothing is open.' : jobs.map(rowOf).join('\n');
    printer.result({ operation, ok: true, raw: null, entries: jobs.map(entryOf) }, rows);
    await remarkOnTheRest(session, printer.remark);
    return exitCodes.fine;
  },
  resume: async (session, run, ids) => {
    const { ask } = session;
    const batchId = textOf(run.values, 'batch');
    if (isSet(run.values, 'queue')) unwrapped(await ask('jobs.resume', { what: 'all' }));
    if (batchId !== undefined) unwrapped(await ask('jobs.resume', { what: 'batch', batchId }));
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
    return sendAndFollow(session, run, jobs);
  },
  cancel: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, notLeft);
    return forEachJob(jobs, run, 'cancelled, not sent', (job) => session.ask('jobs.cancel', { jobId: job.id }));
  },
  decide: async (session, run, ids) => {
    const [send, skip] = [isSet(run.values, 'send'), isSet(run.values, 'skip')];
    if (send === skip) throw new UsageError('decide needs --send or --skip.');
    const jobs = (await chosen(session, run.values, ids, notLeft)).filter(isAsking(ids.length > 0));
    if (send) {
      for (const part of parts(jobs))
        unwrapped(await session.ask('jobs.decide', { jobIds: idsOf(part), decision: 'send' }));
      return sendAndFollow(session, run, jobs);
    }
    return forEachJob(jobs, run, 'passed over, not sent', (job) =>
      session.ask('jobs.decide', { jobIds: [job.id], decision: 'skip' }),
    );
  },
  look: async (session, run, [jobId, documentId, ...rest]) => {
    if (jobId === undefined || rest.length > 0) throw new UsageError('look takes one JOB, and perhaps a DOCUMENT-ID.');
    const answer = await session.ask('jobs.reconcile', { jobId, documentId });
    if (!answer.ok) return reportFailure(run.printer, { operation, documentId }, answer.failure);
    const look = answer.value;
    run.printer.result(
      {
        operation,
        ok: look.verdict === 'found',
        raw: null,
        entries: look.candidates,
        details: { jobId, ...look, candidates: undefined },
      },
      lookText(look),
    );
    return look.verdict === 'found' ? exitCodes.fine : exitCodes.inDoubt;
  },
  accept: async (session, run, [jobId, documentId, ...rest]) => {
    if (jobId === undefined || documentId === undefined || rest.length > 0) {
      throw new UsageError('accept takes a JOB and a DOCUMENT-ID.');
    }
    const [job] = await named(session, [jobId]);
    const answer = await session.ask('jobs.accept', { jobId, documentId });
    if (!answer.ok) return reportFailure(run.printer, { operation, documentId }, answer.failure);
    run.printer.result(
      { operation, ok: true, raw: null, documentId, details: { jobId } },
      `${nameOnLine(job?.title ?? jobId)}: settled, ${documentId}`,
    );
    return exitCodes.fine;
  },
  'send-again': async (session, run, ids) => {
    const mayRepeat = isSet(run.values, 'yes-send-again');
    const jobs = await chosen(session, run.values, ids, again);
    if (jobs.some(({ state }) => state === 'in-doubt') && !mayRepeat) {
      throw new UsageError(
        'A job in doubt may have been carried out: sent again it may cost and mail people twice. Look for it first (jobs look JOB), or say --yes-send-again.',
      );
    }
    for (const { id } of jobs) unwrapped(await session.ask('jobs.sendAgain', { jobId: id }));
    return sendAndFollow(session, run, jobs);
  },
  dismiss: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, ended);
    return forEachJob(jobs, run, 'taken off the list', async (job) => {
      if (!ended.includes(job.state)) return refused(`a job that is ${job.state} stays on the list`);
      return session.ask('jobs.dismiss', { jobIds: [job.id] });
    });
  },
};

async function remarkOnTheRest(session: Session, remark: (text: string) => void): Promise<void> {
  const { isPaused, jobs } = unwrapped(await session.ask('jobs.list', { states: [...open], limit: idsPerCall }));
  if (isPaused) remark('The queue is paused: nothing is sent until "jobs resume --queue".');
  const others = jobs.filter(({ connectionId }) => connectionId !== session.connection.id).length;
  if (others > 0)
    remark(`Open jobs of other connections in the same ledger: ${others}${others === idsPerCall ? ' or more' : ''}.`);
}

/** Named jobs must all be waiting for a decision. */
const isAsking = (wereNamed: boolean) => (job: Job) => {
  if (job.pausedBy === 'duplicate') return true;
  if (wereNamed) throw new UsageError(`${job.id} waits for no decision.`);
  return false;
};

const refused = (note: string): Envelope<null> => ({ ok: false, failure: appError('bad-input', note).failure });
