import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewJob, StoredJob } from '../../store/job-rows.ts';
import type { Context } from '../context.ts';
import { failing, failureOf } from '../failing.ts';
import { connectionGates } from './connection-gates.ts';
import { type JobDesk, jobChanges, jobView, type LiveJob } from './job-desk.ts';
import { jobSecrets } from './job-secrets.ts';
import type { JobOrder, Jobs } from './jobs.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { type Preparing, startPreparing } from './preparing.ts';
import { openSpool } from './spool.ts';
import { clearUp } from './write-ending.ts';

/** Jobs written in one transaction: the window stays responsive while 10,000 are taken in. */
const jobsPerWrite = 100;

/** Starts the queue, where it `goesOn` with what earlier runs left in it. */
export function startJobs(context: Context, goesOn = true): Jobs {
  const { store, ports } = context;
  const closing = new AbortController();
  const live = new Map<string, LiveJob>();
  const gates = connectionGates((connectionId) => lanes.kick(connectionId));
  const desk: JobDesk = {
    context,
    spool: openSpool(ports.dataDir),
    secrets: jobSecrets(ports.keychain, ports.log),
    gates,
    live,
    changes: jobChanges(context, (job) => jobView({ live, gates }, job)),
    closing: closing.signal,
  };
  const lanes: Lanes = openLanes(desk);
  const preparing = startPreparing(desk, lanes.kick);
  const started = goesOn ? takeUp(desk, preparing, lanes) : Promise.resolve();
  return {
    enqueue: async (connectionId, orders) => {
      const taken = await enqueue(desk, connectionId, orders);
      preparing.kick();
      return taken;
    },
    enqueueBound: async (connectionId, order, batchId, bind) => {
      const taken = await enqueueBound(desk, connectionId, order, batchId, bind);
      preparing.kick();
      return taken;
    },
    list: (filter) => {
      const { jobs, total } = store.jobs.list(filter);
      return { jobs: jobs.map((job) => jobView(desk, job)), total, counts: store.jobs.counts() };
    },
    cancel: (jobId) => cancel(desk, jobId),
    sendAgain: async (jobId) => {
      const connectionId = await sendAgain(desk, jobId);
      preparing.kick();
      lanes.kick(connectionId);
    },
    dismiss: async (jobIds) => {
      for (const id of jobIds) {
        if (!store.jobs.dismiss(id)) continue;
        await clearUp(desk, id);
        desk.changes.mark(id);
      }
    },
    wake: (connectionId) => {
      gates.open(connectionId);
      lanes.kick(connectionId);
    },
    close: async () => {
      closing.abort();
      gates.stop();
      await started;
      await Promise.all([preparing.idle(), lanes.idle()]);
      desk.changes.stop();
    },
  };
}

/** What runs that are over have left goes on; files that no job needs are removed. */
async function takeUp(desk: JobDesk, preparing: Preparing, lanes: Lanes): Promise<void> {
  const { store, ports } = desk.context;
  try {
    const adopted = store.jobs.adopt();
    if (adopted > 0) ports.log.info('jobs of an earlier run go on', { adopted });
    await desk.spool.sweep((jobId) => needsSpool(store.jobs.get(jobId)));
    preparing.kick();
    for (const connectionId of store.jobs.waitingConnections()) lanes.kick(connectionId);
  } catch (error) {
    ports.log.error('the queue could not be taken up', { code: failureOf(error)?.code });
  }
}

function needsSpool(job: StoredJob | null): boolean {
  return job !== null && !job.dismissed && !['done', 'refused', 'cancelled'].includes(job.state);
}

async function enqueue(
  desk: JobDesk,
  connectionId: string,
  orders: Iterable<JobOrder>,
): Promise<{ batchId: string; jobIds: string[] }> {
  const { jobs } = desk.context.store;
  const batch = jobs.beginBatch();
  const jobIds: string[] = [];
  let slice: NewJob[] = [];
  const write = async () => {
    jobs.add(batch, slice);
    slice = [];
    await nextTurn();
  };
  try {
    for (const order of orders) {
      const job = newJob(connectionId, order);
      if (order.secretWord !== undefined) await desk.secrets.keep(job.id, order.secretWord);
      slice.push(job);
      jobIds.push(job.id);
      if (slice.length === jobsPerWrite) await write();
    }
    await write();
    jobs.completeBatch(batch);
  } catch (error) {
    jobs.dropBatch(batch);
    throw error;
  }
  for (const id of jobIds) desk.changes.mark(id);
  return { batchId: batch.id, jobIds };
}

async function enqueueBound(
  desk: JobDesk,
  connectionId: string,
  order: JobOrder,
  batchId: string | null,
  bind: (jobId: string, batchId: string) => boolean,
): Promise<{ batchId: string; jobId: string } | null> {
  const job = newJob(connectionId, order);
  if (order.secretWord !== undefined) await desk.secrets.keep(job.id, order.secretWord);
  const taken = desk.context.store.jobs.addBound(batchId, job, (batch) => bind(job.id, batch));
  if (taken === null) {
    await desk.secrets.forget(job.id);
    return null;
  }
  desk.changes.mark(job.id);
  return { batchId: taken, jobId: job.id };
}

function newJob(connectionId: string, order: JobOrder): NewJob {
  return {
    id: randomUUID(),
    connectionId,
    operation: order.operation,
    title: order.title,
    args: order.args,
    record: order.record,
    sourcePath: order.file?.path ?? null,
    imagePath: order.image?.path ?? null,
    imageBytes: order.image?.sizeBytes ?? 0,
    hasSecret: order.secretWord !== undefined,
    sizeBytes: order.file?.sizeBytes ?? 0,
    expectedSha256: order.expectedSha256,
  };
}

function known(desk: JobDesk, jobId: string): StoredJob {
  const job = desk.context.store.jobs.get(jobId);
  if (!job || job.dismissed) throw failing('not-found', 'no such job');
  return job;
}

async function cancel(desk: JobDesk, jobId: string): Promise<void> {
  const { store } = desk.context;
  const job = known(desk, jobId);
  const live = desk.live.get(jobId);
  if (store.jobs.move(jobId, ['prepared', 'waiting'], 'cancelled', { failure: null })) {
    live?.controller.abort();
    await clearUp(desk, jobId);
    desk.changes.mark(jobId);
    return;
  }
  if (job.state !== 'sending' || !live) throw failing('bad-input', `a job that is ${job.state} cannot be cancelled`);
  live.isCancelled = true;
  live.controller.abort();
}

/** Answers the connection's id. */
async function sendAgain(desk: JobDesk, jobId: string): Promise<string> {
  const job = known(desk, jobId);
  const { spool, context } = desk;
  const hasFiles =
    (job.sourcePath === null || (await spool.has(jobId, 'document'))) &&
    (job.imagePath === null || (await spool.has(jobId, 'image')));
  const moved = context.store.jobs.move(
    jobId,
    ['refused', 'failed', 'in-doubt', 'cancelled'],
    hasFiles ? 'waiting' : 'prepared',
    { failure: null, departedAt: null, answerBeganAt: null },
  );
  if (!moved) throw failing('bad-input', `a job that is ${job.state} cannot be sent again`);
  desk.changes.mark(jobId);
  return job.connectionId;
}
