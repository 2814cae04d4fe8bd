import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobState, SentAgain } from '../../../contract/jobs.ts';
import type { AgainEnd } from '../../store/jobs/job-duplicates.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { failing } from '../foundation/app-error.ts';
import type { JobDesk } from './queue-context.ts';
import { wordMissing } from './job-secrets.ts';
import type { Jobs, PauseScope } from './jobs.ts';
import { clearUp, markWaiting, newDocument } from './record-outcome.ts';

type Decisions = Pick<
  Jobs,
  'cancel' | 'sendAgain' | 'pause' | 'resume' | 'retryAll' | 'cancelWaiting' | 'decide' | 'accept'
>;

interface Kicks {
  preparing(): void;
  sending(connectionId: string): void;
}

/** Jobs moved in one transaction, and told in one go. */
const slice = 100;
/** A person may send these once more. */
const repeatable: readonly JobState[] = ['refused', 'failed', 'in-doubt', 'cancelled'];

/** What a person decides about jobs. */
export function decisions(desk: JobDesk, kicks: Kicks): Decisions {
  const { store } = desk.context;
  const goOn = (connectionIds: Iterable<string>) => {
    kicks.preparing();
    for (const connectionId of new Set(connectionIds)) kicks.sending(connectionId);
  };
  return {
    cancel: (jobId) => cancel(desk, jobId),
    sendAgain: async (jobId, secretWord) => {
      const job = knownJob(desk, jobId);
      if (repeatable.includes(job.state)) await keepWord(desk, job, secretWord);
      const [end] = await sendAgain(desk, [job], repeatable);
      if (!end) throw failing('bad-input', `a job that is ${job.state} cannot be sent again`);
      goOn([job.connectionId]);
      return counted([end]);
    },
    pause: (scope) => setPause(desk, scope, true),
    resume: async (scope) => {
      if (scope.what === 'connection') await release(desk, scope.connectionId);
      else if (scope.what === 'restored') resumeRestored(desk);
      else setPause(desk, scope, false);
      goOn(store.jobs.waitingConnections());
    },
    retryAll: async (states, batchId) => {
      const ends: AgainEnd[] = [];
      await inSlices(desk, { states, batchId }, async (jobs) => {
        ends.push(...(await sendAgain(desk, jobs, states)));
        goOn(jobs.map(({ connectionId }) => connectionId));
      });
      return counted(ends);
    },
    cancelWaiting: async (which = {}) => {
      let count = 0;
      await inSlices(desk, { ...which, states: ['prepared', 'waiting'] }, async (jobs) => {
        count += cancelAll(desk, jobs);
      });
      return count;
    },
    decide: async (jobIds, decision) => {
      for (const id of jobIds) {
        const job = knownJob(desk, id);
        if (!store.jobs.decide(id, decision)) continue;
        desk.changes.mark(id);
        kicks.sending(job.connectionId);
      }
    },
    accept: (jobId, documentId) => accept(desk, jobId, documentId),
  };
}

/** Rejects with not-found, also for a job that was taken off the list. */
export function knownJob(desk: JobDesk, jobId: string): StoredJob {
  const job = desk.context.store.jobs.get(jobId);
  if (!job || job.dismissed) throw failing('not-found', 'no such job');
  return job;
}

async function inSlices(
  desk: JobDesk,
  which: { readonly states: readonly JobState[]; readonly batchId?: string; readonly connectionId?: string },
  work: (jobs: readonly StoredJob[]) => Promise<void>,
): Promise<void> {
  const { jobs } = desk.context.store;
  for (let afterSeq = 0; !desk.closing.aborted; ) {
    const found = jobs.idsIn({ ...which, afterSeq, limit: slice });
    const last = found.at(-1);
    if (!last) return;
    afterSeq = last.seq;
    await work(found.map(({ id }) => jobs.get(id)).filter((job) => job !== null));
    await nextTurn();
  }
}

function setPause(desk: JobDesk, scope: PauseScope, on: boolean): void {
  const { jobs } = desk.context.store;
  if (scope.what === 'all') desk.pause.set(on);
  else if (scope.what === 'batch') {
    if (!jobs.holdBatch(scope.batchId, on)) throw failing('not-found', 'no such batch');
  } else if (!jobs.holdJob(scope.jobId, on)) {
    const job = knownJob(desk, scope.jobId);
    throw failing('bad-input', `a job that is ${job.state} cannot be ${on ? 'paused' : 'resumed'}`);
  }
  // Of a batch or of everything only the state is told: what is on screen is read again.
  desk.changes.mark(scope.what === 'job' ? scope.jobId : undefined);
}

/** A person has looked at what may have been sent since the ledger was written. */
function resumeRestored(desk: JobDesk): void {
  desk.context.store.jobs.resumeRestored();
  desk.context.store.tellings.told('restored');
  desk.changes.mark();
}

async function cancel(desk: JobDesk, jobId: string): Promise<void> {
  const job = knownJob(desk, jobId);
  if (cancelAll(desk, [job]) === 1) return;
  const live = desk.live.get(jobId);
  if (job.state !== 'sending' || !live) throw failing('bad-input', `a job that is ${job.state} cannot be cancelled`);
  live.isCancelled = true;
  live.controller.abort();
}

/** Those that have not begun to leave; answers how many these were. Their copies stay: a person may send them again. */
function cancelAll(desk: JobDesk, jobs: readonly StoredJob[]): number {
  const ids = jobs.map(({ id }) => id);
  const moved = new Set(desk.context.store.jobs.moveAll(ids, ['prepared', 'waiting'], 'cancelled', { failure: null }));
  for (const job of jobs) {
    if (!moved.has(job.id)) continue;
    desk.live.get(job.id)?.controller.abort();
    desk.changes.mark(job.id);
  }
  return moved.size;
}

/** Jobs whose copies are still there wait at once; those of the others are copied anew. Answers what became of those that could be sent again. */
async function sendAgain(desk: JobDesk, jobs: readonly StoredJob[], from: readonly JobState[]): Promise<AgainEnd[]> {
  const [withFiles, without]: [string[], string[]] = [[], []];
  for (const job of jobs) ((await hasFiles(desk, job)) ? withFiles : without).push(job.id);
  const { store } = desk.context;
  const moved = [
    ...store.jobs.sendAgain(withFiles, from, 'waiting'),
    ...store.jobs.sendAgain(without, from, 'prepared'),
  ];
  for (const { id } of moved) desk.changes.mark(id);
  return moved.map(({ end }) => end);
}

function counted(ends: readonly AgainEnd[]): SentAgain {
  const of = (end: AgainEnd) => ends.filter((other) => other === end).length;
  return { count: of('goes'), asking: of('asks'), skipped: of('skipped') };
}

/** Without its secret word a job would fail again and again: the person is asked for it. */
async function keepWord({ secrets }: JobDesk, job: StoredJob, given: string | undefined): Promise<void> {
  if (!job.hasSecret) return;
  if (given !== undefined) await secrets.keep(job.id, given);
  else if ((await secrets.find(job.id)) === null) throw wordMissing();
}

async function release(desk: JobDesk, connectionId: string): Promise<void> {
  const { doubtLimit } = await desk.context.connections.get(connectionId);
  desk.brake.release(connectionId, doubtLimit);
  desk.onHeld(desk.brake.held().length > 0);
  markWaiting(desk, connectionId);
}

async function hasFiles({ spool }: JobDesk, job: StoredJob): Promise<boolean> {
  return (
    (job.sourcePath === null || (await spool.has(job.id, 'document'))) &&
    (job.imagePath === null || (await spool.has(job.id, 'image')))
  );
}

async function accept(desk: JobDesk, jobId: string, documentId: string): Promise<void> {
  const { store, emit } = desk.context;
  const job = knownJob(desk, jobId);
  if (job.record === null) throw failing('bad-input', 'no document comes of this kind of job');
  const taken = store.documents.byDocumentId(job.connectionId, documentId)?.jobId;
  if (taken && taken !== jobId)
    throw failing('bad-input', 'another job made this document', { fields: { documentId: 'belongs to another job' } });
  if (!store.jobs.accept(jobId, documentId, newDocument(job, documentId)))
    throw failing('bad-input', `a job that is ${job.state} is not in doubt`);
  await clearUp(desk, jobId);
  desk.changes.mark(jobId);
  emit('documents.changed', { connectionId: job.connectionId });
}
