import type {
  AgainPreview,
  JobStep,
  LedgerJob,
  ListedJobs,
  QueueState,
  Reconciliation,
} from '../../../contract/jobs.ts';
import type { JobQuery } from '../../store/jobs/job-lists.ts';
import type { Gate, StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { SteadyClock } from '../foundation/ports.ts';
import { asLongAsItTakes, retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { acceptances } from './acceptances.ts';
import { createCountdowns } from './countdowns.ts';
import { createDoubtBreaker } from './doubt-breaker.ts';
import { addTakenBack, enqueue, enqueueBound, enqueueOne, type JobOrder, type TakenBackOrder } from './enqueue.ts';
import { createGrowingCopies } from './growing-copies.ts';
import { jobSecrets } from './job-secrets.ts';
import { createKeptCopies, dismissals, hasCopy, isOver } from './kept-copies.ts';
import { previewAgain } from './preview-again.ts';
import { jobChanges, jobView, type LiveJob, type QueueContext, queuePause, queueState } from './queue-context.ts';
import { readFileAnswersAgain } from './reconcile/ask-about-file.ts';
import { createDoubtLooks } from './reconcile/doubt-looks.ts';
import { type LookFor, lookInStoredLists, reconcile } from './reconcile/reconcile.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { openSpool, type SpoolPart } from './spool.ts';
import { createSpoolBreaker } from './spool-breaker.ts';
import { startStaging } from './staging.ts';
import { followGivenBack, userActions } from './user-actions.ts';

interface QueueOptions {
  /** Continues with the jobs that earlier runs left. */
  readonly resumesQueue: boolean;
  /** Seconds before anything is sent; null if the preferences hold. */
  readonly waitBeforeSeconds: number | null;
  readonly clock: SteadyClock;
  /** Called after each change with whether any connection is held (several adds in a row got no answer). */
  readonly onHeld: (isHeld: boolean) => void;
}

/**
 * The queue of add operations. The program never sends an add a second time once it may have left whole. A job whose
 * service cannot be reached stays `waiting` without a time limit and is tried again after growing pauses (1 s to 60
 * s). Meanwhile every waiting job of that connection has a `failure` (service-unreachable, or not-connected if
 * credentials are missing). A host that must end (the command line) looks for a waiting job with a failure and
 * cancels it: nothing of it was sent.
 */
export type Jobs = ReturnType<typeof startJobs>;

/** Starts the queue. */
export function startJobs(context: Context, options: QueueOptions) {
  const { resumesQueue } = options;
  const closing = new AbortController();
  const queue = createQueueContext(context, closing.signal, {
    ...options,
    onCountdown: () => {
      queue.changes.mark();
      kickAll();
    },
    onCircuit: (connectionId) => {
      queue.changes.mark();
      scheduler.kick(connectionId);
    },
    onSpoolPauseOver: () => staging.kick(),
    onDoubt: () => looks?.kick(),
  });
  const scheduler: Scheduler = createScheduler(queue, () => staging.roomMayBeBack());
  const staging = startStaging(queue, scheduler.kick);
  const kickAll = () => {
    staging.kick();
    for (const connectionId of context.store.jobs.waitingConnections()) scheduler.kick(connectionId);
  };
  // More files at the same time may be allowed now.
  context.settings.onChange.add(kickAll);
  const onMeanings = () => readFileAnswersAgain(queue);
  context.answers.onMeanings.add(onMeanings);
  const copies = createKeptCopies(queue, () => staging.roomMayBeBack());
  // A program that was started for something else asks nothing by itself.
  const looks = resumesQueue ? createDoubtLooks(queue) : null;
  const resumed = begin(queue, resumesQueue, kickAll).then(() => looks?.kick());
  followOtherPrograms(queue, resumesQueue, kickAll);
  return {
    ...additions(queue, staging.kick),
    ...ledgerReads(queue),
    ...ownership(queue, kickAll),
    ...userActions(queue, { staging: staging.kick, sending: scheduler.kick }),
    /** Asks the service about a job in doubt and stores the result with the job. Rejects with not-found, bad-input. */
    reconcile: (jobId: string, how: LookFor): Promise<Reconciliation> => reconcile(queue, jobId, how),
    /** A list of the connection was read: it may have what was looked for in vain. */
    lookInStoredLists: (connectionId: string) => lookInStoredLists(queue, connectionId),
    ...dismissals(queue, copies),
    ...acceptances(queue, copies),
    /** Tries the waiting jobs of a connection at once, because its credentials or settings changed. */
    wake: (connectionId: string) => {
      queue.circuitBreaker.close(connectionId);
      queue.changes.mark();
      scheduler.kick(connectionId);
    },
    /** Aborts running work, records its state, and stops the queue. */
    close: async () => {
      closing.abort();
      context.settings.onChange.delete(kickAll);
      context.answers.onMeanings.delete(onMeanings);
      queue.countdowns.stop();
      context.breakers.stop();
      queue.spoolBreaker.stop();
      await resumed;
      await Promise.all([staging.idle(), scheduler.idle(), copies.stop(), looks?.stop()]);
      queue.changes.stop();
    },
  };
}

interface QueueListeners extends Pick<QueueOptions, 'onHeld' | 'waitBeforeSeconds' | 'clock'> {
  /** Called when a countdown was over, or was stopped. */
  readonly onCountdown: () => void;
  /** Called when the pause after a failure to reach a service is over, or another kind of work found it away. */
  readonly onCircuit: (connectionId: string) => void;
  /** Called when the pause after a failure of the spool is over. */
  readonly onSpoolPauseOver: () => void;
  /** Called when an add may have got in doubt. */
  readonly onDoubt: () => void;
}

function createQueueContext(context: Context, closing: AbortSignal, listeners: QueueListeners): QueueContext {
  const { store, ports } = context;
  const views = {
    context,
    live: new Map<string, LiveJob>(),
    circuitBreaker: context.breakers.ofKind(listeners.onCircuit),
    spoolBreaker: createSpoolBreaker(context.pauses.spoolMs, listeners.onSpoolPauseOver),
    doubtBreaker: createDoubtBreaker(store),
    pause: queuePause(store.settings),
    countdowns: createCountdowns({
      jobs: store.jobs,
      preferences: () => context.settings.preferences(),
      waitBeforeSeconds: listeners.waitBeforeSeconds,
      clock: listeners.clock,
      pauses: context.pauses,
      log: ports.log,
      onChange: listeners.onCountdown,
    }),
  };
  const queue: QueueContext = {
    ...views,
    closing,
    onHeld: listeners.onHeld,
    onDoubt: listeners.onDoubt,
    spool: openSpool(ports.dataDir, store.run),
    growing: createGrowingCopies(context),
    secrets: jobSecrets(ports.keychain, ports.log),
    changes: jobChanges(
      context,
      (job) => jobView(views, job),
      () => queueState(views),
      () => void followGivenBack(queue),
    ),
  };
  return queue;
}

function followOtherPrograms(queue: QueueContext, takesOver: boolean, kickAll: () => void): void {
  const takeOverLeft = async () => {
    try {
      await takeOver(queue);
    } catch (error) {
      queue.context.ports.log.error('jobs of another run could not be taken over', { code: failureOf(error)?.code });
    }
    queue.changes.mark();
    queue.onDoubt();
    kickAll();
  };
  watchLedger(queue, {
    onWritten: () => {
      queue.pause.readAgain();
      queue.changes.mark();
      queue.context.emit('documents.changed', { connectionId: null });
      kickAll();
    },
    onLeft: takesOver ? () => void takeOverLeft() : null,
  });
}

function additions(queue: QueueContext, stage: () => void) {
  const thenStage = async <T>(added: Promise<T>): Promise<T> => {
    const answer = await added;
    stage();
    return answer;
  };
  return {
    /**
     * Resolves when all orders are in the ledger as `prepared`; copying and sending continue in the background.
     * `jobIds` has the order of `orders`.
     */
    enqueue: (connectionId: string, orders: Iterable<JobOrder>) => thenStage(enqueue(queue, connectionId, orders)),
    /**
     * Adds one order as a job of a batch (null: of a new batch), in the same transaction as `bind`, which ties the job
     * to the row it was made from. Null if the row already became a job: then nothing was written. `gate`: whether it
     * joins the countdown of its batch, which begins anew.
     */
    enqueueBound: (
      connectionId: string,
      order: JobOrder,
      how: { readonly batchId: string | null; readonly gate: Gate },
      bind: (jobId: string, batchId: string) => boolean,
    ) => thenStage(enqueueBound(queue, connectionId, order, how, bind)),
    /** Adds orders to a batch (null: a new one) that a person took back before they were in the queue, so that they are in the log; resolves with the batch. */
    addTakenBack: (connectionId: string, orders: readonly TakenBackOrder[], batchId: string | null) =>
      addTakenBack(queue, connectionId, orders, batchId),
    /**
     * Adds one order as a job of a new batch. `bind` ties the job, in the same transaction, to its source, and may
     * return the id of a job that was not accepted: that job is then superseded, so that never both are sent. If `bind`
     * throws, its error is passed on and nothing was written. Rejects with not-found (the superseded job is off the
     * list) and bad-input (it is under way or accepted, or of another kind or connection).
     */
    enqueueOne: (connectionId: string, order: JobOrder, bind: (jobId: string) => string | null = () => null) =>
      thenStage(enqueueOne(queue, connectionId, order, bind)),
  };
}

function ledgerReads(queue: QueueContext) {
  const { jobs } = queue.context.store;
  return {
    /** Path of the queue's own copy of a job's file; null if there is none. */
    copyOf: async (jobId: string, part: SpoolPart): Promise<string | null> =>
      (await hasCopy(queue, jobId, part)) ? queue.spool.pathOf(jobId, part) : null,
    /** Null if the job has no secret word, or the word was kept for a run that is over. */
    secretWordOf: (jobId: string): Promise<string | null> => queue.secrets.find(jobId),
    list: (filter: JobQuery): QueueState & ListedJobs => {
      const listed = jobs.list(filter);
      return { ...listed, jobs: listed.jobs.map((job) => jobView(queue, job)), ...queueState(queue) };
    },
    /** Why a job is not sent; null if it goes on. */
    pausedBy: (job: StoredJob): LedgerJob['pausedBy'] => jobView(queue, job).pausedBy,
    /** Reads these jobs, or a page of a batch, from the ledger, including dismissed ones. */
    read: (
      which:
        | { readonly jobIds: readonly string[] }
        | { readonly batchId: string; readonly offset: number; readonly limit: number },
    ): readonly LedgerJob[] => {
      const found =
        'jobIds' in which
          ? which.jobIds.map((id) => jobs.get(id)).filter((job) => job !== null)
          : jobs.ofBatch(which.batchId, which);
      return ledgerViews(queue, found);
    },
    /** What sending these jobs, or the failed ones of a batch or of all, again would use, and whom it would mail. */
    previewAgain: (
      which: { readonly jobIds: readonly string[] } | { readonly batchId?: string | undefined },
    ): Promise<AgainPreview> => previewAgain(queue, which),
    batches: (page: { readonly offset: number; readonly limit: number }) => jobs.batches(page),
    /** The steps of a job, oldest first; also of dismissed jobs. Rejects with not-found. */
    history: (jobId: string): readonly JobStep[] => {
      if (!jobs.get(jobId)) throw appError('not-found', 'no such job');
      return jobs.history(jobId);
    },
  };
}

/** Moves jobs between programs. */
function ownership(queue: QueueContext, kickAll: () => void) {
  const { jobs } = queue.context.store;
  return {
    /** Takes over those of these jobs whose program has ended. Returns how many. */
    takeOver: (jobIds: readonly string[]): number => {
      const taken = jobs.takeOver(jobIds);
      for (const id of taken) queue.changes.mark(id);
      if (taken.length > 0) kickAll();
      return taken.length;
    },
    /**
     * Gives up this run's share of these jobs, except those that have left: they wait until a program takes them over.
     * Returns how many.
     */
    release: (jobIds: readonly string[]): number => {
      const left = jobs.release(jobIds);
      // Files that are being copied are copied again by the program that takes the job over.
      for (const id of left) queue.live.get(id)?.controller.abort();
      return left.length;
    },
  };
}

/** Takes over the jobs of runs that have ended if the queue is resumed, and in any case removes files that no job needs: a killed command line leaves half a copy. */
async function begin(queue: QueueContext, resumesQueue: boolean, kickAll: () => void): Promise<void> {
  const { ports } = queue.context;
  try {
    if (resumesQueue) await takeOver(queue);
    else await retryWhileBusy(() => queue.context.store.jobs.holdLostProbes(), { signal: queue.closing });
    await queue.spool.sweep(neededFiles(queue));
    if (resumesQueue) kickAll();
  } catch (error) {
    ports.log.error('the queue could not be resumed', { code: failureOf(error)?.code });
  }
}

async function takeOver(queue: QueueContext): Promise<void> {
  const { store, ports } = queue.context;
  const takenOver = await retryWhileBusy(() => store.jobs.takeOverDeadRuns(), {
    limitMs: asLongAsItTakes,
    signal: queue.closing,
  });
  await followGivenBack(queue);
  if (takenOver > 0) ports.log.info('jobs of an earlier run were taken over', { takenOver });
}

function ledgerViews(queue: QueueContext, found: readonly StoredJob[]): LedgerJob[] {
  const { run, jobs } = queue.context.store;
  const workers = new Map<string, LedgerJob['worker']>([[run.runId, 'this-program']]);
  // Checked once per run, because each check accesses a file.
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
 * Decides which copies must stay; called after the folder was read. Copies stay if their job can be sent again.
 * Copies of a job that the ledger does not know stay if another program may be about to add it, or if the ledger
 * itself may have lost it.
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

interface Watcher {
  /** Called when another program has written to the ledger: everything read from it may be out of date. */
  readonly onWritten: () => void;
  /** Called when a run that has ended left jobs; null if this program does not take them over. */
  readonly onLeft: (() => void) | null;
}

/**
 * Checks the ledger now and then for changes by other programs, whose events do not reach this process. Stops when the
 * program ends; the timer does not keep the process alive.
 */
function watchLedger({ context, closing }: QueueContext, { onWritten, onLeft }: Watcher): void {
  const { jobs } = context.store;
  const { ledgerLookMs, leftLookMs } = context.pauses;
  let token: number | null = null;
  let searchedAtMs = performance.now();
  let isBroken = false;
  const check = () => {
    try {
      const now = jobs.changeToken();
      if (token !== null && now !== token) onWritten();
      token = now;
      if (onLeft && performance.now() - searchedAtMs >= leftLookMs) {
        searchedAtMs = performance.now();
        if (jobs.haveLeftJobs()) onLeft();
      }
      isBroken = false;
    } catch (error) {
      if (!isBroken)
        context.ports.log.error('the ledger could not be checked for changes', { code: failureOf(error)?.code });
      isBroken = true;
    }
  };
  check();
  const timer = setInterval(check, ledgerLookMs);
  timer.unref();
  closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}
