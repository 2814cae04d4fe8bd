import type { Bulk } from '../../../contract/bulk.ts';
import type { BackingOff, Job, JobState, QueueState } from '../../../contract/jobs.ts';

/** The queue as a whole, the jobs that are being sent, and their speed. Everything else is read page by page. */
export interface JobsView {
  readonly queue: QueueState;
  readonly sending: ReadonlyMap<string, Job>;
  /** Smoothed bytes per second of each job that is being sent. */
  readonly rates: ReadonlyMap<string, Rate>;
}

interface Rate {
  readonly bytesPerSecond: number;
  readonly atMs: number;
  readonly sentBytes: number;
}

export type JobsUpdate =
  /** Read at the start with the jobs that are being sent, or again after a change for which the core sends no event. */
  | { readonly kind: 'read'; readonly queue: QueueState; readonly jobs?: readonly Job[] }
  | { readonly kind: 'changed'; readonly queue: QueueState; readonly jobs: readonly Job[]; readonly at: number };

export const emptyJobsView: JobsView = {
  queue: {
    counts: {
      prepared: 0,
      waiting: 0,
      sending: 0,
      done: 0,
      refused: 0,
      failed: 0,
      'in-doubt': 0,
      'passed-over': 0,
      cancelled: 0,
    },
    isPaused: false,
    askingCount: 0,
    stoppedCount: 0,
    restoredCount: 0,
    backingOff: [],
    held: [],
    storage: null,
    countdowns: [],
    countdownCount: 0,
  },
  sending: new Map(),
  rates: new Map(),
};

/** Final states, whose jobs can be taken off the list. */
export const endedStates: readonly JobState[] = ['done', 'refused', 'failed', 'passed-over', 'cancelled'];
/** Final states that need nobody any more. What was not taken stays until a person deals with that very job. */
export const settledStates: readonly JobState[] = ['done', 'passed-over', 'cancelled'];
/** States of jobs that were not sent at all. */
export const heldStates: readonly JobState[] = ['prepared', 'waiting'];

/** How many wait and go on by themselves: not what a person decides about. */
export const waitingOf = ({
  counts,
  askingCount,
  stoppedCount,
}: Pick<QueueState, 'counts' | 'askingCount' | 'stoppedCount'>) => counts.waiting - askingCount - stoppedCount;

/** True of a connection whose jobs wait until a person enters its credentials; for all else they go on by themselves. */
export const waitsForCredentials = ({ failure: { code, detail } }: BackingOff): boolean =>
  code === 'not-connected' && detail === undefined;

/** What waits for a person: adds in doubt and what was not taken, questions about duplicates, jobs that may have been sent already, connections on hold or without credentials, countdowns that were stopped, a full disk. */
export function countNeeds(queue: QueueState): number {
  const { counts, askingCount, restoredCount, held, storage, countdowns, backingOff } = queue;
  const stopped = countdowns.filter(({ isStopped }) => isStopped).length;
  const stops = held.length + stopped + (storage ? 1 : 0) + backingOff.filter(waitsForCredentials).length;
  return counts['in-doubt'] + counts.refused + counts.failed + askingCount + restoredCount + stops;
}

export function withUpdate(view: JobsView, update: JobsUpdate): JobsView {
  if (update.kind === 'read')
    return { ...view, queue: update.queue, ...(update.jobs && { sending: byId(update.jobs) }) };
  const sending = new Map(view.sending);
  for (const job of update.jobs) {
    if (job.state === 'sending') sending.set(job.id, job);
    else sending.delete(job.id);
  }
  return { queue: update.queue, sending, rates: withRates(view.rates, update.jobs, update.at) };
}

/** True if only the number of sent bytes changed: lists and counts by batch are unchanged. */
export function isOnlyProgress(view: JobsView, jobs: readonly Job[]): boolean {
  return jobs.length > 0 && jobs.every((job) => job.state === 'sending' && view.sending.has(job.id));
}

function byId(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  return new Map(jobs.filter((job) => job.state === 'sending').map((job) => [job.id, job]));
}

function withRates(rates: ReadonlyMap<string, Rate>, jobs: readonly Job[], atMs: number): ReadonlyMap<string, Rate> {
  const next = new Map(rates);
  for (const job of jobs) {
    if (job.state !== 'sending') {
      next.delete(job.id);
      continue;
    }
    const last = next.get(job.id);
    if (!last || job.sentBytes < last.sentBytes) {
      next.set(job.id, { bytesPerSecond: 0, atMs, sentBytes: job.sentBytes });
      continue;
    }
    const seconds = (atMs - last.atMs) / 1000;
    if (seconds < 0.2) continue;
    const now = (job.sentBytes - last.sentBytes) / seconds;
    const smooth = last.bytesPerSecond === 0 ? now : last.bytesPerSecond * 0.7 + now * 0.3;
    next.set(job.id, { bytesPerSecond: smooth, atMs, sentBytes: job.sentBytes });
  }
  return next;
}

/**
 * What is being sent and what waits its turn. What waits for a person does not go on by itself and is counted where the person decides: duplicates, countdowns that were
 * stopped, connections on hold. `bulks`: those that are being sent: their rows are counted by them.
 */
export function transferOf(view: JobsView, bulks: readonly Pick<Bulk, 'connectionId' | 'batchId' | 'counts'>[] = []) {
  const { counts, askingCount, held } = view.queue;
  const backingOff = view.queue.backingOff.filter((one) => !isOf(held, one));
  const stops = view.queue.countdowns.filter(({ isStopped }) => isStopped);
  const sending = [...view.sending.values()];
  // What has left whole waits for its answer, and nothing tells how long.
  const leaving = sending.filter(({ answerAwaitedSince }) => answerAwaitedSince === null);
  const bytesPerSecond = sumOf(leaving, (job) => view.rates.get(job.id)?.bytesPerSecond ?? 0);
  const left = sumOf(leaving, (job) => Math.max(0, (job.totalBytes || job.sizeBytes) - job.sentBytes));
  const onHold = sumOf(held, ({ openJobs }) => openJobs);
  const stopped = sumOf(stops, ({ count }) => count);
  const waiting = Math.max(0, counts.waiting + counts.prepared - askingCount - stopped - onHold);
  const uploadsOf = ({ batchId }: (typeof bulks)[number]) => sending.filter((job) => job.batchId === batchId).length;
  const inTurn = bulks.filter(
    (bulk) => !isOf([...held, ...backingOff], bulk) && !stops.some(({ batchId }) => batchId === bulk.batchId),
  );
  return {
    uploads: counts.sending,
    uploadsOfBulks: sumOf(bulks, uploadsOf),
    waiting: Math.max(
      0,
      waiting - sumOf(inTurn, (bulk) => Math.max(0, bulk.counts.waiting - bulk.counts.asking - uploadsOf(bulk))),
    ),
    waitingAway: sumOf(backingOff, ({ openJobs }) => openJobs),
    onHold,
    deciding: askingCount + stopped,
    bytesPerSecond,
    secondsLeft: bytesPerSecond > 0 && waiting === 0 ? left / bytesPerSecond : null,
  };
}

interface OfConnection {
  readonly connectionId: string;
}

const isOf = (some: readonly OfConnection[], { connectionId }: OfConnection) =>
  some.some((one) => one.connectionId === connectionId);

const sumOf = <T>(some: readonly T[], countOf: (one: T) => number) => some.reduce((sum, one) => sum + countOf(one), 0);
