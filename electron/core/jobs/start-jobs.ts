import type { LedgerJob } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { failing, failureOf } from '../foundation/app-error.ts';
import { lookFor } from './reconcile/reconcile.ts';
import { patiently } from '../foundation/retry-while-busy.ts';
import { connectionGates } from './circuit-breaker.ts';
import { decisions } from './user-actions.ts';
import { doubtBrake } from './doubt-breaker.ts';
import { enqueue, enqueueBound, enqueueOne } from './enqueue.ts';
import { type JobDesk, jobChanges, jobView, type LiveJob, queueState } from './queue-context.ts';
import { jobSecrets } from './job-secrets.ts';
import type { Jobs } from './jobs.ts';
import { type Lanes, openLanes } from './scheduler.ts';
import { watchLedger } from './ledger-watch.ts';
import { startPreparing } from './staging.ts';
import { queuePause } from './queue-pause.ts';
import { openSpool } from './spool.ts';
import { spoolGate } from './spool-breaker.ts';
import { clearUp, isOver } from './record-outcome.ts';

/** Starts the queue, where it `goesOn` with what earlier runs left in it. `onHeld` is told whether a connection is held (several adds in a row got no answer) after
 * each change. */
export function startJobs(context: Context, goesOn: boolean, onHeld: (isHeld: boolean) => void): Jobs {
  const { store, ports } = context;
  const closing = new AbortController();
  const live = new Map<string, LiveJob>();
  const gates = connectionGates((connectionId) => lanes.kick(connectionId));
  const copies = spoolGate(() => preparing.kick());
  const brake = doubtBrake(store);
  const pause = queuePause(store.settings);
  const desk: JobDesk = {
    context,
    spool: openSpool(ports.dataDir, store.run),
    secrets: jobSecrets(ports.keychain, ports.log),
    gates,
    spoolGate: copies,
    brake,
    onHeld,
    pause,
    live,
    changes: jobChanges(
      context,
      (job) => jobView({ live, gates, spoolGate: copies, brake, pause }, job),
      () => queueState({ context, gates, brake, pause }),
    ),
    closing: closing.signal,
  };
  const lanes: Lanes = openLanes(desk, () => preparing.roomMayBeBack());
  const preparing = startPreparing(desk, lanes.kick);
  const goOn = () => {
    preparing.kick();
    for (const connectionId of store.jobs.waitingConnections()) lanes.kick(connectionId);
  };
  const takeOverLeft = async () => {
    try {
      await takeOver(desk);
    } catch (error) {
      ports.log.error('jobs of another run could not be taken over', { code: failureOf(error)?.code });
    }
    desk.changes.mark();
    goOn();
  };
  const started = goesOn ? takeUp(desk, goOn) : Promise.resolve();
  watchLedger(desk, {
    onWritten: () => {
      pause.readAgain();
      desk.changes.mark();
      goOn();
    },
    onLeft: goesOn ? () => void takeOverLeft() : null,
  });
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
    enqueueOne: async (connectionId, order, bind = () => null) => {
      const taken = await enqueueOne(desk, connectionId, order, bind);
      preparing.kick();
      return taken;
    },
    copyOf: async (jobId, part) => ((await desk.spool.has(jobId, part)) ? desk.spool.pathOf(jobId, part) : null),
    secretWordOf: (jobId) => desk.secrets.find(jobId),
    list: (filter) => {
      const { jobs, total } = store.jobs.list(filter);
      return { jobs: jobs.map((job) => jobView(desk, job)), total, ...queueState(desk) };
    },
    read: (which) => {
      const found =
        'jobIds' in which
          ? which.jobIds.map((id) => store.jobs.get(id)).filter((job) => job !== null)
          : store.jobs.ofBatch(which.batchId, which);
      return ledgerViews(desk, found);
    },
    takeOver: (jobIds) => {
      const taken = store.jobs.takeOver(jobIds);
      for (const id of taken) desk.changes.mark(id);
      if (taken.length > 0) goOn();
      return taken.length;
    },
    letGo: (jobIds) => {
      const left = store.jobs.letGo(jobIds);
      // What is being copied is copied anew by whoever takes it over.
      for (const id of left) desk.live.get(id)?.controller.abort();
      return left.length;
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
        if (!store.jobs.dismiss(id)) continue;
        await clearUp(desk, id);
        desk.changes.mark(id);
      }
      preparing.roomMayBeBack();
    },
    wake: (connectionId) => {
      if (gates.open(connectionId)) desk.changes.mark();
      lanes.kick(connectionId);
    },
    close: async () => {
      closing.abort();
      gates.stop();
      copies.stop();
      await started;
      await Promise.all([preparing.idle(), lanes.idle()]);
      desk.changes.stop();
    },
  };
}

/** What runs that are over have left goes on; files that no job needs are removed. */
async function takeUp(desk: JobDesk, goOn: () => void): Promise<void> {
  const { ports } = desk.context;
  try {
    await takeOver(desk);
    await desk.spool.sweep(neededFiles(desk));
    goOn();
  } catch (error) {
    ports.log.error('the queue could not be taken up', { code: failureOf(error)?.code });
  }
}

async function takeOver({ context, closing }: JobDesk): Promise<void> {
  const { store, ports } = context;
  const adopted = await patiently(() => store.jobs.adopt(), { limitMs: Number.POSITIVE_INFINITY, signal: closing });
  if (adopted > 0) ports.log.info('jobs of an earlier run go on', { adopted });
}

function ledgerViews(desk: JobDesk, found: readonly StoredJob[]): LedgerJob[] {
  const { run, jobs } = desk.context.store;
  const workers = new Map<string, LedgerJob['worker']>([[run.runId, 'this-program']]);
  // Asked once for each run: it takes a look at a file.
  const workerOf = (runId: string): LedgerJob['worker'] => {
    const known = workers.get(runId) ?? (jobs.isWorking(runId) ? 'another-program' : 'nobody');
    workers.set(runId, known);
    return known;
  };
  return found.map((job) => ({
    ...jobView(desk, job),
    isDismissed: job.dismissed,
    worker: workerOf(job.runId),
  }));
}

/**
 * Which copies must stay, asked after the folder was read: those of jobs that can be sent again, and those of a job that the ledger does not know, where another program may
 * be about to write it down, or where the ledger itself may have lost it.
 */
function neededFiles({ context: { store } }: JobDesk): (jobId: string) => boolean {
  let areUnknownKept: boolean | null = null;
  return (jobId) => {
    const job = store.jobs.get(jobId);
    if (job) return !isOver(job);
    areUnknownKept ??= store.isOlder || !store.run.isAlone() || store.jobs.list({ offset: 0, limit: 1 }).total === 0;
    return areUnknownKept;
  };
}
