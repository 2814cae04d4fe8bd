import type { Job, JobCounts, JobState } from '../../contract/activity.ts';

/** The jobs the window knows, the counts over all jobs, and how fast bytes leave. */
export interface ActivityView {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly counts: JobCounts;
  /** Bytes a second of each job that is being sent, smoothed. */
  readonly rates: ReadonlyMap<string, Rate>;
}

interface Rate {
  readonly bytesPerSecond: number;
  readonly atMs: number;
  readonly sentBytes: number;
}

export type ActivityTold =
  | { readonly kind: 'read'; readonly jobs: readonly Job[]; readonly counts: JobCounts }
  | { readonly kind: 'changed'; readonly jobs: readonly Job[]; readonly counts: JobCounts; readonly at: number }
  | { readonly kind: 'forgotten'; readonly ids: readonly string[] };

export const noActivity: ActivityView = {
  jobs: new Map(),
  counts: { prepared: 0, waiting: 0, sending: 0, done: 0, refused: 0, failed: 0, 'in-doubt': 0, cancelled: 0 },
  rates: new Map(),
};

/** States that a job does not leave by itself and that may be taken off the list. */
export const endedStates: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'cancelled']);

/** The next view. A read never overwrites what was told meanwhile: the newer `updatedAt` wins. */
export function withActivity(view: ActivityView, told: ActivityTold): ActivityView {
  if (told.kind === 'forgotten') {
    const jobs = new Map(view.jobs);
    for (const id of told.ids) jobs.delete(id);
    return { ...view, jobs };
  }
  const jobs = new Map(view.jobs);
  for (const job of told.jobs) {
    const known = jobs.get(job.id);
    if (told.kind === 'changed' || !known || known.updatedAt < job.updatedAt) jobs.set(job.id, job);
  }
  const rates = told.kind === 'changed' ? withRates(view.rates, told.jobs, told.at) : view.rates;
  return { jobs, counts: told.counts, rates };
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

/** All that is being sent now, together. `secondsLeft` is null while nothing can be said. */
export function transferOf(view: ActivityView) {
  const sending = [...view.jobs.values()].filter((job) => job.state === 'sending');
  const bytesPerSecond = sending.reduce((sum, job) => sum + (view.rates.get(job.id)?.bytesPerSecond ?? 0), 0);
  const left = [...view.jobs.values()]
    .filter((job) => job.state === 'sending' || job.state === 'waiting')
    .reduce((sum, job) => sum + Math.max(0, (job.totalBytes || job.sizeBytes) - job.sentBytes), 0);
  return { uploads: sending.length, bytesPerSecond, secondsLeft: bytesPerSecond > 0 ? left / bytesPerSecond : null };
}
