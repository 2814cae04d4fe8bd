import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobState, SentAgain, TakenBack } from '../../../contract/jobs.ts';
import type { AgainEnd } from '../../store/jobs/job-duplicates.ts';
import type { PartOfBatch } from '../../store/jobs/job-gates.ts';
import type { JobFilter } from '../../store/jobs/job-lists.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { gateOf } from './enqueue.ts';
import { wordMissing } from './job-secrets.ts';
import { clearUp, hasCopy } from './kept-copies.ts';
import { markWaiting, type QueueContext } from './queue-context.ts';

/** The part of the queue that is paused or resumed. */
type PauseScope =
  | { readonly what: 'all' }
  | { readonly what: 'batch'; readonly batchId: string }
  | { readonly what: 'job'; readonly jobId: string };

/** The part of the queue that is resumed. A held connection is not paused: it is released. */
type ResumeScope =
  | PauseScope
  | { readonly what: 'connection'; readonly connectionId: string }
  | { readonly what: 'restored' };

interface Kicks {
  staging(): void;
  sending(connectionId: string): void;
}

/** Jobs moved in one transaction and reported in one event, and of a batch those that are taken back in one. */
const slice = 100;
type JobsTakenBack = { readonly jobIds: readonly string[] } | PartOfBatch;
/** Jobs looked for at once: all are gone through to find them. */
const foundAtOnce = 10_000;
/** States from which a person may send a job again. */
const repeatable: readonly JobState[] = ['refused', 'failed', 'in-doubt', 'passed-over', 'cancelled'];

/** The actions of a person on jobs. */
export function userActions(queue: QueueContext, kicks: Kicks) {
  const { store } = queue.context;
  const kickConnections = (connectionIds: Iterable<string>) => {
    kicks.staging();
    for (const connectionId of new Set(connectionIds)) kicks.sending(connectionId);
  };
  return {
    ...withdrawals(queue),
    /** Tries one of the waiting jobs of a connection, because a person wants to know whether the service is back. */
    tryNow: (connectionId: string) => queue.context.breakers.tryNow(connectionId),
    /**
     * Sends a refused, failed, in-doubt, passed-over or cancelled job again, by a person's decision. If the same content was sent
     * meanwhile, a person is asked first. `secretWord` replaces one that is no longer available. Rejects with
     * not-found, bad-input (detail secret-word-missing if one is needed).
     */
    sendAgain: async (jobId: string, secretWord?: string): Promise<SentAgain> => {
      const job = knownJob(queue, jobId);
      if (repeatable.includes(job.state)) await ensureSecretWord(queue, job, secretWord);
      const [end] = await sendAgain(queue, [job], repeatable);
      if (!end) throw appError('bad-input', `a job that is ${job.state} cannot be sent again`);
      kickConnections([job.connectionId]);
      return counted([end]);
    },
    /**
     * Pauses; kept over restarts. Jobs that are being sent continue. Rejects with not-found, and with bad-input for a
     * job that has left.
     */
    pause: (scope: PauseScope) => setPause(queue, scope, true),
    /**
     * Undoes exactly that pause. Releases a held connection (one add is sent first), or the jobs that a newer ledger
     * may already have sent. Rejects with not-found, bad-input.
     */
    resume: async (scope: ResumeScope) => {
      if (scope.what === 'connection') await release(queue, scope.connectionId);
      else if (scope.what === 'restored') resumeRestored(queue);
      else setPause(queue, scope, false);
      kickConnections(store.jobs.waitingConnections());
    },
    /** Sends every job in these states again, as `sendAgain` does. Never jobs in doubt. */
    retryAll: async (states: readonly ('failed' | 'refused' | 'cancelled')[], batchId?: string): Promise<SentAgain> => {
      const ends: AgainEnd[] = [];
      await inSlices(queue, { states, batchId }, async (jobs) => {
        ends.push(...(await sendAgain(queue, jobs, states)));
        kickConnections(jobs.map(({ connectionId }) => connectionId));
      });
      return counted(ends);
    },
    /** Applies a person's decision to those of these jobs that wait for one as duplicates. */
    decide: async (jobIds: readonly string[], decision: 'send' | 'skip') => {
      for (const id of jobIds) {
        const job = knownJob(queue, id);
        const gate = decision === 'send' ? gateOf(queue, job.operation) : 'open';
        if (!store.jobs.decide(id, decision, gate)) continue;
        if (gate !== 'open') startCountdowns(queue, [job]);
        queue.changes.mark(id);
        kicks.sending(job.connectionId);
      }
    },
  };
}

function withdrawals(queue: QueueContext) {
  return {
    countdowns: queue.countdowns,
    /** Takes back what has not begun to leave. Answers the ids of those that were. */
    takeBack: (which: JobsTakenBack): Promise<TakenBack> => takeBack(queue, which),
    /**
     * Cancels a job that has not left; aborts one that has left, which becomes in-doubt. Rejects with not-found,
     * bad-input.
     */
    cancel: (jobId: string): Promise<void> => cancel(queue, jobId),
    /** Cancels all jobs that have not begun to leave and go on by themselves, of a batch or connection if given. Returns how many. */
    cancelWaiting: async (
      which: { readonly batchId?: string; readonly connectionId?: string } = {},
    ): Promise<number> => {
      let count = 0;
      await inSlices(queue, { ...which, states: ['prepared', 'waiting'], asking: false }, async (jobs) => {
        count += await cancelAll(queue, jobs);
      });
      // Nothing has left of what waits for the team register: for a person it waits like the others.
      await inSlices(queue, { ...which, states: ['sending'] }, async (jobs) => {
        for (const job of jobs) {
          const live = queue.live.get(job.id);
          if (!live?.awaitsClaim || live.isCancelled) continue;
          if ((await cancelAll(queue, [job])) === 1 || cancelLive(queue, job.id)) count += 1;
        }
      });
      // Its pause was about what waited: what a person sends again goes.
      if (which.batchId !== undefined) queue.context.store.jobs.holdBatch(which.batchId, false);
      return count;
    },
  };
}

/** Returns a job. Throws not-found, also for a job that was taken off the list. */
export function knownJob(queue: QueueContext, jobId: string): StoredJob {
  const job = queue.context.store.jobs.get(jobId);
  if (!job || job.dismissed) throw appError('not-found', 'no such job');
  return job;
}

/** Passes jobs on in slices, oldest first, with turns of the event loop between them. Ends early if the queue closes. */
export async function inSlices(
  queue: QueueContext,
  which: JobFilter & { readonly states: readonly JobState[] },
  work: (jobs: readonly StoredJob[]) => Promise<void>,
): Promise<void> {
  const { jobs } = queue.context.store;
  for (let afterSeq = 0; !queue.closing.aborted; ) {
    const found = jobs.rowsAfter(which, { afterSeq, limit: foundAtOnce });
    const last = found.at(-1);
    if (!last) return;
    afterSeq = last.seq;
    while (found.length > 0 && !queue.closing.aborted) {
      const some = found.splice(0, slice).map(({ read }) => read());
      await work(some.filter((job) => job !== null).filter(({ state }) => which.states.includes(state)));
      await nextTurn();
    }
  }
}

function setPause(queue: QueueContext, scope: PauseScope, on: boolean): void {
  const { jobs } = queue.context.store;
  if (scope.what === 'all') queue.pause.set(on);
  else if (scope.what === 'batch') {
    if (!jobs.holdBatch(scope.batchId, on)) throw appError('not-found', 'no such batch');
  } else if (!jobs.holdJob(scope.jobId, on)) {
    const job = knownJob(queue, scope.jobId);
    throw appError('bad-input', `a job that is ${job.state} cannot be ${on ? 'paused' : 'resumed'}`);
  }
  // For a batch or the whole queue only the queue's state is published: the window reads the shown jobs again.
  queue.changes.mark(scope.what === 'job' ? scope.jobId : undefined);
}

/** Releases jobs that may have been sent since the ledger was written: a person has checked them. */
function resumeRestored(queue: QueueContext): void {
  queue.context.store.jobs.resumeRestored();
  queue.context.store.ledgerNotices.shown('restored');
  queue.changes.mark();
}

async function cancel(queue: QueueContext, jobId: string): Promise<void> {
  const job = knownJob(queue, jobId);
  if ((await cancelAll(queue, [job])) === 1) return;
  if (job.state !== 'sending' || !cancelLive(queue, jobId))
    throw appError('bad-input', `a job that is ${job.state} cannot be cancelled`);
}

/** Ends the attempt to send a job; false if this program makes none. */
function cancelLive(queue: QueueContext, jobId: string): boolean {
  const live = queue.live.get(jobId);
  if (!live) return false;
  live.isCancelled = true;
  live.controller.abort();
  return true;
}

/**
 * The copies of rows of a bulk are removed: the bulk has its files itself. Those of others stay for their correction. Answers for a correction the job that it replaced, whose
 * form is opened again.
 */
async function takeBack(queue: QueueContext, which: JobsTakenBack): Promise<TakenBack> {
  const all: string[] = [];
  let wereSentAgain = false;
  const { jobs } = queue.context.store;
  const patiently = <T>(work: () => T) => retryWhileBusy(work, { signal: queue.closing });
  const asking = () => [...queue.live].flatMap(([id, { awaitsClaim }]) => (awaitsClaim ? [id] : []));
  const { jobIds, freedOf } =
    'jobIds' in which ? { ...which, freedOf: null } : await patiently(() => jobs.stopBatch(which, asking()));
  const atOnce = 'jobIds' in which ? jobIds.length : slice;
  for (let from = 0; from < jobIds.length; from += atOnce) {
    const taken = await patiently(() => {
      const back = jobs.takeBack(jobIds.slice(from, from + atOnce), asking(), freedOf);
      // At once: what the register still holds up must not go on.
      for (const { id } of back) queue.live.get(id)?.controller.abort();
      return back;
    });
    for (const { id, corrected, wasSentAgain } of taken) {
      wereSentAgain ||= wasSentAgain;
      if (corrected !== null) await handOverCopies(queue, id, corrected);
      await clearUp(queue, id);
      for (const changed of [id, ...(corrected === null ? [] : [corrected])]) queue.changes.mark(changed);
      all.push(corrected ?? id);
    }
    await nextTurn();
  }
  queue.changes.mark();
  return { jobIds: all, ...(wereSentAgain && { wereSentAgain }) };
}

/** Shows jobs in doubt that have their places again without a person. Never rejects. */
export async function followGivenBack(queue: QueueContext): Promise<void> {
  const { store, ports } = queue.context;
  const pairs = store.jobs.givenBack();
  for (const id of pairs.flat()) queue.changes.mark(id);
  try {
    for (const [, correction] of pairs) await clearUp(queue, correction);
  } catch (error) {
    // They are removed at the next start.
    ports.log.error('copies of a correction could not be removed', { code: failureOf(error)?.code });
  }
}

/** The copies of the job that was corrected went with its correction: where that sends the same file, its copy may be the only one. */
async function handOverCopies({ context, spool }: QueueContext, from: string, to: string): Promise<void> {
  const [correction, corrected] = [context.store.jobs.get(from), context.store.jobs.get(to)];
  const isSame = (key: 'sha256' | 'imageSha256') => correction?.[key] && correction[key] === corrected?.[key];
  if (isSame('sha256')) await spool.handOver(from, to, 'document');
  if (isSame('imageSha256')) await spool.handOver(from, to, 'image');
}

/** Begins the countdowns of the batches of jobs that are sent by a person's decision. */
function startCountdowns({ countdowns }: QueueContext, jobs: readonly StoredJob[]): void {
  for (const { batchId, operation } of jobs) {
    const seconds = countdowns.secondsOf(operation);
    if (seconds > 0) countdowns.start(batchId, seconds);
  }
}

/**
 * Cancels those jobs that have not begun to leave; returns how many. Their copies stay: a person may send them again. A correction is taken back, so that
 * the doubt or the refusal that it replaced is not lost with it. Jobs slice by slice: repeated as a whole, the answer would count only what was left.
 */
async function cancelAll(queue: QueueContext, jobs: readonly StoredJob[]): Promise<number> {
  const { isUnsentCorrection, moveAll } = queue.context.store.jobs;
  const corrections = jobs.map(({ id }) => id).filter(isUnsentCorrection);
  const back = corrections.length > 0 ? (await takeBack(queue, { jobIds: corrections })).jobIds : [];
  const ids = jobs.map(({ id }) => id).filter((id) => !corrections.includes(id));
  const moved = new Set(
    await retryWhileBusy(() => moveAll(ids, ['prepared', 'waiting'], 'cancelled', { failure: null }), {
      signal: queue.closing,
    }),
  );
  for (const job of jobs) {
    if (!moved.has(job.id)) continue;
    queue.live.get(job.id)?.controller.abort();
    queue.changes.mark(job.id);
  }
  return moved.size + back.length;
}

/**
 * Sends jobs again. Those whose copies still exist wait for their turn at once; files of the others are copied again.
 * Returns the result for each job that could be sent again.
 */
async function sendAgain(
  queue: QueueContext,
  jobs: readonly StoredJob[],
  from: readonly JobState[],
): Promise<AgainEnd[]> {
  const [withFiles, without]: [string[], string[]] = [[], []];
  for (const job of jobs) ((await hasFiles(queue, job)) ? withFiles : without).push(job.id);
  const { store } = queue.context;
  const patiently = { signal: queue.closing };
  const again = async (ids: readonly string[], to: 'waiting' | 'prepared') => {
    if (ids.length === 0) return [];
    return await retryWhileBusy(() => {
      // A countdown of the batch that ends meanwhile must not let these jobs go.
      startCountdowns(queue, jobs);
      return store.jobs.sendAgain(ids, { from, to, gateOf: ({ operation }) => gateOf(queue, operation) });
    }, patiently);
  };
  const moved = [...(await again(withFiles, 'waiting')), ...(await again(without, 'prepared'))];
  for (const { id } of moved) queue.changes.mark(id);
  return moved.map(({ end }) => end);
}

function counted(ends: readonly AgainEnd[]): SentAgain {
  const of = (end: AgainEnd) => ends.filter((other) => other === end).length;
  return { count: of('goes'), asking: of('asks'), skipped: of('skipped') };
}

/**
 * Makes sure that the job's secret word is available. Throws secret-word-missing if not: the job would fail again and
 * again.
 */
async function ensureSecretWord({ secrets }: QueueContext, job: StoredJob, given: string | undefined): Promise<void> {
  if (!job.hasSecret) return;
  if (given !== undefined) await secrets.keep(job.id, given);
  else if ((await secrets.find(job.id)) === null) throw wordMissing();
}

async function release(queue: QueueContext, connectionId: string): Promise<void> {
  const { doubtLimit } = await queue.context.connections.get(connectionId);
  queue.doubtBreaker.release(connectionId, doubtLimit);
  queue.onHeld(queue.doubtBreaker.held().length > 0);
  markWaiting(queue, connectionId);
}

async function hasFiles(queue: QueueContext, job: StoredJob): Promise<boolean> {
  return (
    (job.sourcePath === null || (await hasCopy(queue, job.id, 'document'))) &&
    (job.imagePath === null || (await hasCopy(queue, job.id, 'image')))
  );
}
