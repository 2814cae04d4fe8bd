import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobState } from '../../contract/activity.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Session } from './session.ts';
import { createStoragePatience, waitsForStorage } from './storage-patience.ts';

/** While jobs wait for the disk nothing need be told. */
const lookEveryMs = 1_000;
const never = new Promise<void>(() => undefined);
const ends: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'in-doubt', 'cancelled']);

/** A job that will not move any more in this run. `unreached`: it was waiting for a service that cannot be reached, or for room on the disk, and was let go. */
export interface EndedJob {
  readonly job: Job;
  /** Its place in the batch, from 0: that of its file in the intake. */
  readonly position: number;
  readonly unreached: Failure | null;
}

/** Listens from the moment it is made, so that nothing told before the batch is known is missed. */
export interface JobWatch {
  /** Tells each end once, in the order in which they come; resolves when all have ended. Ctrl-C cancels what has not ended. */
  follow(batchId: string, jobCount: number, interrupted: AbortSignal, onEnd: (ended: EndedJob) => void): Promise<void>;
  stop(): void;
}

export function watchJobs(session: Session): JobWatch {
  const latest = new Map<string, Job>();
  let wake: () => void = () => undefined;
  const stop = session.listen('activity.changed', ({ jobs }) => {
    for (const job of jobs) latest.set(job.id, job);
    wake();
  });
  return {
    stop,
    follow: async (batchId, jobCount, interrupted, onEnd) => {
      const listed = await jobsOf(session, batchId);
      const positions = new Map(listed.map(({ id }, position) => [id, position]));
      for (const job of listed) latest.set(job.id, newer(latest.get(job.id), job));
      const told = new Set<string>();
      const letGo = new Map<string, Failure>();
      const cancelled = new Set<string>();
      const storageTrouble = createStoragePatience();
      const cancel = (id: string) => {
        if (cancelled.has(id)) return;
        cancelled.add(id);
        void session.ask('activity.cancel', { jobId: id });
      };
      while (told.size < jobCount) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const open = [...latest.values()].filter((other) => other.batchId === batchId && !told.has(other.id));
        const stuck = storageTrouble(open.filter(({ state }) => !ends.has(state)));
        for (const job of open) {
          if (ends.has(job.state)) {
            told.add(job.id);
            const unreached = job.state === 'cancelled' ? (letGo.get(job.id) ?? null) : null;
            onEnd({ job, position: positions.get(job.id) ?? 0, unreached });
          } else if (interrupted.aborted) {
            cancel(job.id);
          } else if (job.state === 'waiting' && job.failure) {
            letGo.set(job.id, job.failure);
            cancel(job.id);
          } else if (stuck) {
            letGo.set(job.id, stuck);
            cancel(job.id);
          }
        }
        const looksAgain = open.some(waitsForStorage) ? sleep(lookEveryMs, undefined, { ref: false }) : never;
        if (told.size < jobCount) await either(Promise.race([changed, looksAgain]), interrupted);
      }
    },
  };
}

async function jobsOf(session: Session, batchId: string): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (;;) {
    const page = await session.ask('activity.list', { batchId, offset: jobs.length, limit: 500 });
    if (!page.ok || page.value.jobs.length === 0) return jobs;
    jobs.push(...page.value.jobs);
    if (jobs.length >= page.value.total) return jobs;
  }
}

/** A list that was asked for may be older than an event that came meanwhile. */
function newer(known: Job | undefined, listed: Job): Job {
  return known && known.updatedAt > listed.updatedAt ? known : listed;
}

/** Resolves at the change, or once at the interruption; after that only changes count. */
function either(changed: Promise<void>, interrupted: AbortSignal): Promise<void> {
  if (interrupted.aborted) return changed;
  return new Promise((resolve) => {
    const done = () => {
      interrupted.removeEventListener('abort', done);
      resolve();
    };
    interrupted.addEventListener('abort', done, { once: true });
    void changed.then(done);
  });
}
