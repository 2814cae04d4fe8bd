import type { Envelope } from '../../../contract/failure.ts';
import { type Job, type JobState, jobStates, type LedgerJob, type Reconciliation } from '../../../contract/jobs.ts';
import { AppError, appError } from '../../../electron/core/foundation/app-error.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodes, worstOf } from '../exit-code.ts';
import { watchJobs } from '../follow-jobs.ts';
import { jobsOptions } from '../options.ts';
import { nameOnLine } from '../printer.ts';
import { onLine, reportFailure, reportJob, said } from '../report.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf, type Values } from '../values.ts';

const operation = 'jobs';
const perAsk = 500;

type Action = (session: Session, run: Run, ids: readonly string[]) => Promise<ExitCode>;

/** These ask or send. */
const asking: ReadonlySet<string> = new Set(['resume', 'decide', 'look', 'send-again']);

export const jobsCommand: ServiceCommand = {
  kind: 'service',
  name: 'jobs',
  summary: 'Shows what waits, is in doubt or asks for a decision in the ledger of a connection, and settles it.',
  usage: 'ACTION [JOB…]',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  options: jobsOptions,
  operation,
  needsCredentials: ([action = '']) => asking.has(action),
  remarks: [
    `list                      what has not ended well: waiting, in doubt, asking, refused, failed (--state for others)
resume JOB… | --all       ends their pauses, takes over what programs that are over have left, sends it and waits for the end.
                          --batch BATCH ends the pause of a batch, --queue that of everything
cancel JOB… | --all       cancels what has not begun to leave
decide --send|--skip JOB… about duplicates that wait for a decision
look JOB [DOCUMENT-ID]    asks the service what became of a job in doubt, or whether that document is it; only reads
accept JOB DOCUMENT-ID    settles a job in doubt: this document is what became of it
send-again JOB…           sends once more what was refused, failed or cancelled; a job in doubt only with --yes-send-again
dismiss JOB… | --all      takes what has ended off the list; the register keeps the documents`,
    'Jobs that another program works on are left to it. A job in doubt is left alone until one of these is done with it.',
  ],
  examples: [
    ['list --connection Office', 'what is open'],
    ['resume --all --connection Office', 'sends what a program that was killed has left'],
    ['look 0b3e… --connection Office', 'whether a lost add has arrived'],
  ],
  run: async (session, run) => {
    const [name = '', ...ids] = run.args;
    if (session.connection.kind !== 'service') {
      throw new UsageError('The practice service keeps no ledger: give --connection NAME or --url ADDRESS.');
    }
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(`jobs takes one of ${Object.keys(actions).join(', ')}.`);
    return await action(session, run, ids);
  },
};

const open: readonly JobState[] = ['prepared', 'waiting', 'sending', 'in-doubt', 'refused', 'failed'];
const notLeft: readonly JobState[] = ['prepared', 'waiting'];
/** What was being sent when its program ended may have left. */
const toGoOn: readonly JobState[] = [...notLeft, 'sending'];
const again: readonly JobState[] = ['refused', 'failed', 'cancelled'];
const ended: readonly JobState[] = ['done', 'refused', 'failed', 'cancelled'];

const actions: Readonly<Record<string, Action>> = {
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
    if (isSet(run.values, 'queue')) must(await ask('jobs.resume', { what: 'all' }));
    if (batchId !== undefined) must(await ask('jobs.resume', { what: 'batch', batchId }));
    const isHeld = isSet(run.values, 'held');
    if (isHeld) must(await ask('jobs.resume', { what: 'connection', connectionId: session.connection.id }));
    if (isSet(run.values, 'restored')) must(await ask('jobs.resume', { what: 'restored' }));
    const hasOther = isSet(run.values, 'queue') || isHeld || isSet(run.values, 'restored') || batchId !== undefined;
    const found =
      hasOther && ids.length === 0
        ? await inLedger(session, toGoOn, batchId)
        : await chosen(session, run.values, ids, toGoOn);
    const jobs = found.filter(({ state, worker }) => ids.length > 0 || state !== 'sending' || worker === 'nobody');
    for (const { id, pausedBy } of jobs) {
      if (pausedBy === 'job') must(await ask('jobs.resume', { what: 'job', jobId: id }));
    }
    return goOn(session, run, jobs);
  },
  cancel: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, notLeft);
    return each(jobs, run, 'cancelled, not sent', (job) => session.ask('jobs.cancel', { jobId: job.id }));
  },
  decide: async (session, run, ids) => {
    const [send, skip] = [isSet(run.values, 'send'), isSet(run.values, 'skip')];
    if (send === skip) throw new UsageError('decide needs --send or --skip.');
    const jobs = (await chosen(session, run.values, ids, notLeft)).filter(isAsking(ids.length > 0));
    if (send) {
      for (const part of parts(jobs)) must(await session.ask('jobs.decide', { jobIds: idsOf(part), decision: 'send' }));
      return goOn(session, run, jobs);
    }
    return each(jobs, run, 'passed over, not sent', (job) =>
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
    for (const { id } of jobs) must(await session.ask('jobs.sendAgain', { jobId: id }));
    return goOn(session, run, jobs);
  },
  dismiss: async (session, run, ids) => {
    const jobs = await chosen(session, run.values, ids, ended);
    return each(jobs, run, 'taken off the list', async (job) => {
      if (!ended.includes(job.state)) return refused(`a job that is ${job.state} stays on the list`);
      return session.ask('jobs.dismiss', { jobIds: [job.id] });
    });
  },
};

/** Takes over what nobody works on, and tells the end of each. */
async function goOn(session: Session, { printer, interrupted }: Run, jobs: readonly Job[]): Promise<ExitCode> {
  if (jobs.length === 0) return nothing(printer.remark);
  const codes: ExitCode[] = [];
  const watch = watchJobs(session);
  try {
    const now = await named(session, idsOf(jobs));
    await watch.followThese(now, {
      interrupted,
      unsent: 'leave',
      remark: printer.remark,
      onEnd: (end) => codes.push(reportJob(printer, now[end.position]?.title, end)),
    });
  } finally {
    watch.stop();
  }
  return worstOf(codes);
}

async function each(
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
    printer.result(
      { operation, ok: true, raw: null, details: { jobId: job.id }, file: job.title },
      `${nameOnLine(job.title)}: ${done}`,
    );
  }
  return worstOf(codes);
}

function nothing(remark: (text: string) => void): ExitCode {
  remark('There is no such job.');
  return exitCodes.fine;
}

/** Those that were named, whatever their state; with --all those of the connection in these states. */
async function chosen(
  session: Session,
  values: Values,
  ids: readonly string[],
  states: readonly JobState[],
): Promise<readonly LedgerJob[]> {
  const batchId = textOf(values, 'batch');
  if (ids.length > 0) {
    if (isSet(values, 'all') || batchId !== undefined) throw new UsageError('Give jobs, or --all, or --batch BATCH.');
    return named(session, ids);
  }
  if (!isSet(values, 'all') && batchId === undefined) throw new UsageError('Which jobs? Name them, or give --all.');
  return inLedger(session, states, batchId);
}

/** Throws a UsageError for one that there is not. */
async function named(session: Session, ids: readonly string[]): Promise<readonly LedgerJob[]> {
  const found = new Map<string, LedgerJob>();
  for (const part of parts([...new Set(ids)])) {
    for (const job of must(await session.ask('jobs.read', { jobIds: [...part] }))) found.set(job.id, job);
  }
  return [...new Set(ids)].map((id) => {
    const job = found.get(id);
    if (job?.connectionId !== session.connection.id || job.isDismissed) {
      throw new UsageError(`The ledger of this connection has no job ${JSON.stringify(id)}.`);
    }
    return job;
  });
}

/** Of this connection, the newest batch first. */
async function inLedger(
  session: Session,
  states: readonly JobState[],
  batchId?: string,
): Promise<readonly LedgerJob[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += perAsk) {
    const page = must(await session.ask('jobs.list', { batchId, states: [...states], offset, limit: perAsk }));
    ids.push(...idsOf(page.jobs.filter(({ connectionId }) => connectionId === session.connection.id)));
    if (page.jobs.length < perAsk) break;
  }
  const jobs: LedgerJob[] = [];
  for (const part of parts(ids)) jobs.push(...must(await session.ask('jobs.read', { jobIds: [...part] })));
  return jobs;
}

async function remarkOnTheRest(session: Session, remark: (text: string) => void): Promise<void> {
  const { isPaused, jobs } = must(await session.ask('jobs.list', { states: [...open], limit: perAsk }));
  if (isPaused) remark('The queue is paused: nothing is sent until "jobs resume --queue".');
  const others = jobs.filter(({ connectionId }) => connectionId !== session.connection.id).length;
  if (others > 0)
    remark(`Open jobs of other connections in the same ledger: ${others}${others === perAsk ? ' or more' : ''}.`);
}

/** Of jobs that were named each must wait for a decision. */
const isAsking = (wereNamed: boolean) => (job: Job) => {
  if (job.pausedBy === 'duplicate') return true;
  if (wereNamed) throw new UsageError(`${job.id} waits for no decision.`);
  return false;
};

function must<T>(answer: Envelope<T>): T {
  if (!answer.ok) throw new AppError(answer.failure);
  return answer.value;
}

const refused = (note: string): Envelope<null> => ({ ok: false, failure: appError('bad-input', note).failure });

const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id);

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += perAsk) yield all.slice(from, from + perAsk);
}

function entryOf(job: LedgerJob) {
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
    worker: toGoOn.includes(job.state) ? job.worker : undefined,
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

function rowOf(job: LedgerJob): string {
  const held =
    job.pausedBy === null ? '' : job.pausedBy === 'duplicate' ? ', asks: duplicate' : `, paused (${job.pausedBy})`;
  const isLeft = toGoOn.includes(job.state) && job.worker === 'nobody';
  const left = isLeft ? ', its program is over' : '';
  const note = job.failure ? `  ${job.failure.note}` : '';
  return `${job.id}  ${job.createdAt}  ${job.state}${held}${left}  ${nameOnLine(job.title)}${note}${said(job.raw)}`;
}

function lookText({ verdict, questions, candidates }: Reconciliation): string {
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
