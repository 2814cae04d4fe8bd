import { z } from 'zod';
import type { Answer } from './answer.ts';
import { call } from './call.ts';
import type { Failure } from './failure.ts';
import type { JobState } from './jobs.ts';
import { localId } from './text.ts';

/** A quick note that was given to the queue (`service.addQuickNote`), from the ledger; includes dismissed ones. */
export interface SentNote {
  readonly jobId: string;
  readonly connectionId: string;
  readonly message: string;
  readonly description: string;
  readonly state: JobState;
  /** The service's answer. */
  readonly raw: string | null;
  readonly answer: Answer | null;
  readonly failure: Failure | null;
  /** `corrections.open` accepts it: the service did not take it, and it is still on the list. */
  readonly canCorrect: boolean;
  readonly createdAt: string;
  /** As `Job.at`. */
  readonly at: string;
}

export const notes = {
  /** Notes, newest first. Changes are published in `jobs.changed`. */
  'notes.list': call(
    z.strictObject({
      connectionId: localId.optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly notes: readonly SentNote[]; readonly total: number }>(),
};
