import type { LedgerJob } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createDoubtBreaker } from './doubt-breaker.ts';
import { enqueue, enqueueBound, enqueueOne } from './enqueue.ts';
import { jobSecrets } from './job-secrets.ts';
import type { Jobs } from './jobs.ts';
import { watchLedger } from './ledger-watch.ts';
import { jobChanges, jobView, type LiveJob, type QueueContext, queueState } from './queue-context.ts';
import { queuePause } from './queue-pause.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { clearUp, isOver } from './record-outcome.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { openSpool } from './spool.ts';
import { createSpoolBreaker } from './spool-breaker.ts';
import { startStaging } from './staging.ts';
import { userActions } from './user-actions.ts';

/** Starts the queue, where it `goesOn` with what earlier runs left in it. `onHeld` is told whether a connection is held (several adds in a row got no answer) after
 * each change. */
export function startJobs(context: Context, goesOn: boolean, onHeld: (isHeld: boolean) => void): Jobs {
  const { store, ports } = context;
  const closing = new AbortController();
  const live = new Map<string, LiveJob>();
  const circuitBreaker = createCircuitBreaker((connectionId) => scheduler.kick(connectionId));
  const copies = createSpoolBreaker(() => staging.kick());
  const doubtBreaker = createDoubtBreaker(store);
  const pause = queuePause(store.settings);
  const queue: QueueContext = {
    context,
    spool: openSpool(ports.dataDir, store.run),
    secrets: jobSecrets(ports.keychain, ports.log),
    circuitBreaker,
    spoolBreaker: copies,
    doubtBreaker,
    onHeld,
    pause,
    live,
    changes: jobChanges(
      context,
      (job) => jobView({ live, circuitBreaker, spoolBreaker: copies, doubtBreaker, pause }, job),
      () => queueState({ context, circuitBreaker, doubtBreaker, pause }),
    ),
    closing: closing.signal,
  };
  const scheduler: Scheduler = createScheduler(queue, () => staging.roomMayBeBack());
  const staging = startStaging(queue, scheduler.kick);
  const goOn = () => {
    staging.kick();
    for (const connectionId of store.jobs.waitingConnections()) scheduler.kick(connectionId);
  };
  const takeOverLeft = async () => {
    try {
      await takeOver(queue);
    } catch (error) {
      ports.log.error('jobs of another run could not be taken over', { code: failureOf(error)?.code });
    }
    queue.changes.mark();
    goOn();
  };
  const started = goesOn ? takeUp(queue, goOn) : Promise.resolve();
  watchLedger(queue, {
    onWritten: () => {
      pause.readAgain();
      queue.changes.mark();
      goOn();
    },
    onLeft: goesOn ? () => void takeOverLeft() : null,
  });
  return {
    enqueue: async (connectionId, orders) => {
      const taken = await enqueue(queue, connectionId, orders);
      staging.kick();
      return taken;
    },
    enqueueBound: async (connectionId, order, batchId, bind) => {
      const taken = await enqueueBound(queue, connectionId, order, batchId, bind);
      staging.kick();
      return taken;
    },
    enqueueOne: async (connectionId, order, bind = () => null) => {
      const taken = await enqueueOne(queue, connectionId, order, bind);
      staging.kick();
      return taken;
    },
    copyOf: async (jobId, part) => ((await queue.spool.has(jobId, part)) ? queue.spool.pathOf(jobId, part) : null),
    secretWordOf: (jobId) => queue.secrets.find(jobId),
    list: (filter) => {
      const { jobs, total } = store.jobs.list(filter);
      return { jobs: jobs.map((job) => jobView(queue, job)), total, ...queueState(queue) };
    },
    read: (which) => {
      const found =
        'jobIds' in which
          ? which.jobIds.map((id) => store.jobs.get(id)).filter((job) => job !== null)
          : store.jobs.ofBatch(which.batchId, which);
      return ledgerViews(queue, found);
    },
    takeOver: (jobIds) => {
      const taken = store.jobs.takeOver(jobIds);
      for (const id of taken) queue.changes.mark(id);
      if (taken.length > 0) goOn();
      return taken.length;
    },
    release: (jobIds) => {
      const left = store.jobs.release(jobIds);
      // What is being copied is copied anew by whoever takes it over.
      for (const id of left) queue.live.get(id)?.controller.abort();
      return left.length;
    },
    batches: (page) => store.jobs.batches(page),
    history: (jobId) => {
      if (!store.jobs.get(jobId)) throw appError('not-found', 'no such job');
      return store.jobs.history(jobId);
    },
    ...userActions(queue, { staging: staging.kick, sending: scheduler.kick }),
    reconcile: (jobId, documentId) => reconcile(queue, jobId, documentId),
    dismiss: async (jobIds) => {
      for (const id of jobIds) {
        if (!store.jobs.dismiss(id)) continue;
        await clearUp(queue, id);
        queue.changes.mark(id);
      }
      staging.roomMayBeBack();
    },
    wake: (connectionId) => {
      if (circuitBreaker.close(connectionId)) queue.changes.mark();
      scheduler.kick(connectionId);
    },
    close: async () => {
      closing.abort();
      circuitBreaker.stop();
      copies.stop();
      await started;
      await Promise.all([staging.idle(), scheduler.idle()]);
      queue.changes.stop();
    },
  };
}

/** What runs that are over have left goes on; files that no job needs are removed. */
async function takeUp(queue: QueueContext, goOn: () => void): Promise<void> {
  const { ports } = queue.context;
  try {
    await takeOver(queue);
    await queue.spool.sweep(neededFiles(queue));
    goOn();
  } catch (error) {
    ports.log.error('the queue could not be taken up', { code: failureOf(error)?.code });
  }
}

async function takeOver({ context, closing }: QueueContext): Promise<void> {
  const { store, ports } = context;
  const adopted = await retryWhileBusy(() => store.jobs.takeOverDeadRuns(), {
    limitMs: Number.POSITIVE_INFINITY,
    signal: closing,
  });
  if (adopted > 0) ports.log.info('jobs of an earlier run go on', { adopted });
}

function ledgerViews(queue: QueueContext, found: readonly StoredJob[]): LedgerJob[] {
  const { run, jobs } = queue.context.store;
  const workers = new Map<string, LedgerJob['worker']>([[run.runId, 'this-program']]);
  // Asked once for each run: it takes a look at a file.
  const workerOf = (runId: string): LedgerJob['worker'] => {
    const known = workers.get(runId) ?? (jobs.isWorking(runId) ? 'another-program' : 'nobody');
    workers.set(runId, known);
    return known;
  };
  return found.map((job) => ({
    ...jobView(queue, job),
    isDismissed: job.dismissed,
    worker: workerOf(job.runId),
  }));
}

/**
 * Which copies must stay, asked after the folder was read: those of jobs that can be sent again, and those of a job that the ledger does not know, where another program may
 * be about to write it down, or where the ledger itself may have lost it.
 */
function neededFiles({ context: { store } }: QueueContext): (jobId: string) => boolean {
  let areUnknownKept: boolean | null = null;
  return (jobId) => {
    const job = store.jobs.get(jobId);
    if (job) return !isOver(job);
    areUnknownKept ??= store.isOlder || !store.run.isAlone() || store.jobs.list({ offset: 0, limit: 1 }).total === 0;
    return areUnknownKept;
  };
}
