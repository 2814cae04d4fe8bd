import type { Job, JobState, QueueState } from '../../contract/jobs.ts';

/** The queue as a whole, what is being sent right now, and how fast. Everything else is read page by page. */
export interface ActivityView {
  readonly queue: QueueState;
  readonly sending: ReadonlyMap<string, Job>;
  /** Bytes a second of each job that is being sent, smoothed. */
  readonly rates: ReadonlyMap<string, Rate>;
  /** Whether anything was told yet: from then on a read is older than what is known. */
  readonly isTold: boolean;
}

interface Rate {
  readonly bytesPerSecond: number;
  readonly atMs: number;
  readonly sentBytes: number;
}

export type ActivityTold =
  /** Read at the start, or again after something that the core does not tell. */
  | { readonly kind: 'read'; readonly queue: QueueState; readonly jobs: readonly Job[]; readonly isNew: boolean }
  | { readonly kind: 'changed'; readonly queue: QueueState; readonly jobs: readonly Job[]; readonly at: number };

export const noActivity: ActivityView = {
  queue: {
    counts: { prepared: 0, waiting: 0, sending: 0, done: 0, refused: 0, failed: 0, 'in-doubt': 0, cancelled: 0 },
    isPaused: false,
    askingCount: 0,
    restoredCount: 0,
    backingOff: [],
    held: [],
  },
  sending: new Map(),
  rates: new Map(),
  isTold: false,
};

/** States that a job does not leave by itself and that may be taken off the list. */
export const endedStates: readonly JobState[] = ['done', 'refused', 'failed', 'cancelled'];
/** States in which nothing of a job has left this computer yet. */
export const heldStates: readonly JobState[] = ['prepared', 'waiting'];

/** The next view. The first read never overwrites what was told meanwhile. */
export function withActivity(view: ActivityView, told: ActivityTold): ActivityView {
  if (told.kind === 'read') {
    if (told.isNew) return { ...view, queue: told.queue };
    return view.isTold ? view : { ...view, queue: told.queue, sending: byId(told.jobs) };
  }
  const sending = new Map(view.sending);
  for (const job of told.jobs) {
    if (job.state === 'sending') sending.set(job.id, job);
    else sending.delete(job.id);
  }
  return { queue: told.queue, sending, rates: withRates(view.rates, told.jobs, told.at), isTold: true };
}

/** True where only bytes moved: lists and counts by batch are the same as before. */
export function isOnlyProgress(view: ActivityView, jobs: readonly Job[]): boolean {
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

/** All that is being sent now, together. `secondsLeft` is null while nothing can be said, or more waits behind it. */
export function transferOf(view: ActivityView) {
  const { counts } = view.queue;
  const sending = [...view.sending.values()];
  const bytesPerSecond = sending.reduce((sum, job) => sum + (view.rates.get(job.id)?.bytesPerSecond ?? 0), 0);
  const left = sending.reduce((sum, job) => sum + Math.max(0, (job.totalBytes || job.sizeBytes) - job.sentBytes), 0);
  const waiting = counts.waiting + counts.prepared;
  return {
    uploads: counts.sending,
    waiting,
    bytesPerSecond,
    secondsLeft: bytesPerSecond > 0 && waiting === 0 ? left / bytesPerSecond : null,
  };
}
