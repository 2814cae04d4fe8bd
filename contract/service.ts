import { z } from 'zod';
import { call, repeatable } from './call.ts';
import type { Job } from './jobs.ts';
import { documentIdText, lineOf, localId, page, xmlText } from './text.ts';

/** A quick note that was given to the queue (`service.addQuickNote`), from the ledger; includes dismissed ones. */
export interface SentNote
  extends Pick<Job, 'connectionId' | 'state' | 'pausedBy' | 'raw' | 'answer' | 'failure' | 'createdAt' | 'at'> {
  readonly jobId: string;
  readonly message: string;
  readonly description: string;
  /** As `Job.isByWord`. */
  readonly isByWord: boolean;
  /** `corrections.open` accepts it: the service did not take it, and it is still on the list. */
  readonly canCorrect: boolean;
}

/** A note that is being written. */
export const unsentNote = z.strictObject({ message: z.string().max(100_000), description: z.string().max(10_000) });
export type UnsentNote = z.output<typeof unsentNote>;

export const notes = {
  /** The note that was being written for a connection when it was last kept; null if there is none. */
  'notes.unsent': call(() => ({ connectionId: localId })).answers<UnsentNote | null>(),
  /** Keeps what is being written, so that it is there after a restart; an empty one is forgotten. */
  'notes.keepUnsent': repeatable(() => unsentNote.extend({ connectionId: localId })).answers<null>(),
  /** Notes, newest first. Changes are published in `jobs.changed`. */
  'notes.list': call(() => ({ connectionId: localId.optional(), ...page })).answers<{
    readonly notes: readonly SentNote[];
    readonly total: number;
  }>(),
};

/** A text that the service answered, as it came; null if the element was absent. */
export interface ServiceText {
  readonly raw: string | null;
  readonly askedAt: string;
}

const onConnection = z.strictObject({ connectionId: localId });

export const service = {
  'service.version': call(() => onConnection).answers<ServiceText>(),
  'service.schedule': call(() => onConnection).answers<ServiceText>(),
  /** GetAuthToken, used to test the credentials. The token itself is not answered. */
  'service.testCredentials': call(() => onConnection).answers<{ readonly accepted: true; readonly askedAt: string }>(),
  /** AddQuickNote: creates one job; may cost a note credit. */
  'service.addQuickNote': call(() => ({
    connectionId: localId,
    message: xmlText(100_000),
    description: xmlText(10_000).optional(),
    /** A note that was not taken (`corrections.open`): the new job replaces it. */
    corrects: localId.optional(),
  })).answers<{ readonly batchId: string; readonly jobId: string }>(),
};

/** Calls for playing the other side on the practice connection; bad-input on others. */
export const practice = {
  /** Signs as one of the signers of a request; lists and statuses follow. If this is not possible, the note holds the `reason` in English. */
  'practice.signAs': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
    email: lineOf(320),
  })).answers<null>(),
};
