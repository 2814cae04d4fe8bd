import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../../contract/activity.ts';
import type { StoredJob } from '../../store/job-rows.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../failing.ts';
import { type Throttled, throttled } from '../throttled.ts';
import type { ConnectionGates } from './connection-gates.ts';
import type { JobSecrets } from './job-secrets.ts';
import type { Spool } from './spool.ts';

/** What is going on with a job that runs now, in memory only. */
export interface LiveJob {
  readonly controller: AbortController;
  sentBytes: number;
  totalBytes: number;
  /** A person wants it to end; else an abort means that the program ends. */
  isCancelled: boolean;
}

/** What copying, sending and the queue's calls share. */
export interface JobDesk {
  readonly context: Context;
  readonly spool: Spool;
  readonly secrets: JobSecrets;
  readonly gates: ConnectionGates;
  readonly live: Map<string, LiveJob>;
  readonly changes: JobChanges;
  /** Aborted when the program ends. */
  readonly closing: AbortSignal;
}

export interface JobChanges {
  mark(jobId: string): void;
  stop(): void;
}

const changesEveryMs = 100;
/** More changes than this are told in the next turns. */
const jobsPerEvent = 100;

export function jobView(desk: Pick<JobDesk, 'live' | 'gates'>, job: StoredJob): Job {
  const live = desk.live.get(job.id);
  return {
    id: job.id,
    batchId: job.batchId,
    connectionId: job.connectionId,
    operation: job.operation,
    title: job.title,
    sizeBytes: job.sizeBytes,
    sha256: job.sha256,
    state: job.state,
    sentBytes: live?.sentBytes ?? 0,
    totalBytes: live?.totalBytes ?? 0,
    raw: job.raw,
    answer: job.answer,
    documentId: job.documentId,
    failure: job.state === 'waiting' ? desk.gates.failure(job.connectionId) : job.failure,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}

/** Tells `activity.changed` at most ten times a second, with the jobs that were marked since. */
export function jobChanges(context: Context, view: (job: StoredJob) => Job): JobChanges {
  const marked = new Set<string>();
  const tell: Throttled = throttled(changesEveryMs, () => {
    const ids = [...marked].slice(0, jobsPerEvent);
    for (const id of ids) marked.delete(id);
    try {
      const jobs = ids.map((id) => context.store.jobs.get(id)).filter((job) => job !== null);
      context.emit('activity.changed', {
        jobs: jobs.filter((job) => !job.dismissed).map(view),
        counts: context.store.jobs.counts(),
      });
    } catch (error) {
      context.ports.log.error('changes of jobs could not be told', { code: failureOf(error)?.code });
    }
    if (marked.size > 0) tell.request();
  });
  return {
    mark: (jobId) => {
      marked.add(jobId);
      tell.request();
    },
    stop: () => {
      tell.flush();
      tell.stop();
    },
  };
}

/**
 * Writes down how something ended, however long the disk takes: what happened at the service must not be forgotten because the disk is full for
 * a while. Gives up when the program ends; the ledger then says that it left, and the next start calls it in doubt.
 */
export async function writeDown(desk: JobDesk, write: () => void): Promise<void> {
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      const failure = failureOf(error);
      desk.context.ports.log.error('the ledger cannot be written', { code: failure?.code, note: failure?.note });
      if (desk.closing.aborted) return;
      await sleep(2_000, undefined, { signal: desk.closing }).catch(() => undefined);
    }
  }
}
