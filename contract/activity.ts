import { z } from 'zod';
import type { Answer } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { OperationName } from './operation.ts';
import { localId } from './text.ts';

/**
 * The life of an add operation: prepared (being copied and hashed) → waiting → sending → one of the ends.
 * `in-doubt`: it left this computer and no answer came; the program never sends it again by itself.
 */
export const jobStates = [
  'prepared',
  'waiting',
  'sending',
  'done',
  'refused',
  'failed',
  'in-doubt',
  'cancelled',
] as const;
export type JobState = (typeof jobStates)[number];

/**
 * A job that cannot be sent yet because its service is not reachable, or its connection has no credentials, stays `waiting` for as long as
 * it takes; `failure` then says why, on every waiting job of that connection, and is null again when it goes on. Nothing of such
 * a job was sent: a host that needs an end (the command line) cancels it and reports the failure.
 */
export interface Job {
  readonly id: string;
  readonly batchId: string;
  readonly connectionId: string;
  readonly operation: OperationName;
  /** File name, template or note: what a person calls it. */
  readonly title: string;
  /** Size of the document, 0 where there is none. */
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly state: JobState;
  /** Bytes of the request body that have left, while sending. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** The service's own words, null where none came. */
  readonly raw: string | null;
  readonly answer: Answer | null;
  /** ID of the new document, where the answer was one. */
  readonly documentId: string | null;
  readonly failure: Failure | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type JobCounts = Readonly<Record<JobState, number>>;

export const activity = {
  'activity.list': call(
    z.strictObject({
      batchId: localId.optional(),
      states: z.array(z.enum(jobStates)).max(jobStates.length).optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly jobs: readonly Job[]; readonly total: number; readonly counts: JobCounts }>(),
  'activity.cancel': call(z.strictObject({ jobId: localId })).answers<null>(),
  /** A person's decision, also for a job in doubt: sends it once more. */
  'activity.sendAgain': call(z.strictObject({ jobId: localId })).answers<null>(),
  /** Takes finished jobs (done, refused, failed, cancelled) off the list; the register keeps their documents. */
  'activity.dismiss': call(z.strictObject({ jobIds: z.array(localId).min(1).max(500) })).answers<null>(),
};

export const activityEvents = {
  /** Told at most ten times a second: the jobs that changed since the last time, and the counts over all. */
  'activity.changed': event<{ readonly jobs: readonly Job[]; readonly counts: JobCounts }>(),
};
