import type { StoredJob } from '../../store/job-rows.ts';
import type { Context } from '../context.ts';
import { failing, failureOf } from '../failing.ts';
import { lookFor } from '../looking/look-for.ts';
import { patiently } from '../patiently.ts';
import { connectionGates } from './connection-gates.ts';
import { decisions } from './decisions.ts';
import { enqueue, enqueueBound } from './enqueue.ts';
import { type JobDesk, jobChanges, jobView, type LiveJob, queueState } from './job-desk.ts';
import { jobSecrets } from './job-secrets.ts';
import type { Jobs } from './jobs.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { type Preparing, startPreparing } from './preparing.ts';
import { queuePause } from './queue-pause.ts';
import { openSpool } from './spool.ts';
import { clearUp } from './write-ending.ts';

/** Starts the queue, where it `goesOn` with what earlier runs left in it. */
export function startJobs(context: Context, goesOn = true): Jobs {
  const { store, ports } = context;
  const closing = new AbortController();
  const live = new Map<string, LiveJob>();
  const gates = connectionGates((connectionId) => lanes.kick(connectionId));
  const pause = queuePause(store.settings);
  const desk: JobDesk = {
    context,
    spool: openSpool(ports.dataDir),
    secrets: jobSecrets(ports.keychain, ports.log),
    gates,
    pause,
    live,
    changes: jobChanges(
      context,
      (job) => jobView({ live, gates, pause }, job),
      () => queueState({ context, gates, pause }),
    ),
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
      return { jobs: jobs.map((job) => jobView(desk, job)), total, ...queueState(desk) };
    },
    batches: (page) => store.jobs.batches(page),
    story: (jobId) => {
      if (!store.jobs.get(jobId)) throw failing('not-found', 'no such job');
      return store.jobs.story(jobId);
    },
    ...decisions(desk, { preparing: preparing.kick, sending: lanes.kick }),
    lookFor: (jobId, documentId) => lookFor(desk, jobId, documentId),
    dismiss: async (jobIds) => {
      for (const id of jobIds) {
        const job = store.jobs.get(id);
        if (!job || !store.jobs.dismiss(id)) continue;
        await clearUp(desk, job);
        desk.changes.mark(id);
      }
    },
    wake: (connectionId) => {
      if (gates.open(connectionId)) desk.changes.mark();
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
    const adopted = await patiently(() => store.jobs.adopt(), {
      limitMs: Number.POSITIVE_INFINITY,
      signal: desk.closing,
    });
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
