import { z } from 'zod';
import type { Answer } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { OperationName } from './operation.ts';
import { documentIdText, localId, xmlText } from './text.ts';

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
 * What keeps a job that is `prepared` or `waiting` from being sent: a person paused it, its batch or everything; or it is a `duplicate`
 * and waits for a person's decision (`jobs.decide`); or its `connection` is held, because several adds in a row got no answer (`HeldConnection`);
 * or the ledger came back older than it was, or was taken back, and the job may have been sent since (`restored`: until a person resumes those).
 * What is being sent already is not paused: breaking it off would leave it in doubt.
 */
export const holds = ['job', 'batch', 'all', 'duplicate', 'connection', 'restored'] as const;
export type Hold = (typeof holds)[number];

/** What to do with a document whose bytes the connection has already. `ask`: the job waits for a person (`pausedBy: 'duplicate'`). */
export const duplicateRules = ['ask', 'skip', 'send'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/**
 * What has the same bytes: a document in the register, or a job that is on its way, in doubt or done. Of an operation without a document: a job
 * that says the same.
 */
export interface DuplicateOf {
  readonly kind: 'document' | 'job';
  readonly documentId: string | null;
  readonly jobId: string | null;
  /** Of the document or the job. */
  readonly title: string;
  /** Of the job; `done` for a document. */
  readonly state: JobState;
  /** ISO 8601, UTC: when it was registered or taken into the queue. */
  readonly at: string;
}

/**
 * What was found when the service was asked about a job in doubt. `not-found`: everything that can be asked was asked and nothing fits; that
 * is no proof. `cannot-tell`: the interface offers no way to ask (a document without signers has no list), a question failed, a list
 * was cut off, or more than one fits.
 */
export interface Reconciliation {
  readonly verdict: 'found' | 'not-found' | 'cannot-tell';
  readonly askedAt: string;
  /** Every question, in order, with what came. */
  readonly questions: readonly ReconcileQuestion[];
  /** The best first, at most 20. */
  readonly candidates: readonly ReconcileCandidate[];
}

export interface ReconcileQuestion {
  readonly operation: 'GetESignList' | 'GetDocumentDetails';
  /** The list's name in the connection, or the document ID that was asked about. */
  readonly about: string;
  /** Entries of the list; null for details and where the question failed. */
  readonly entries: number | null;
  /** As many entries came as were asked for, or some showed nothing of themselves (nil): there may be more. */
  readonly isCutOff: boolean;
  readonly failure: Failure | null;
}

export const reconcileMarks = ['email', 'document-name', 'time', 'client-reference'] as const;
export type ReconcileMark = (typeof reconcileMarks)[number];

export interface ReconcileCandidate {
  readonly documentId: string;
  readonly documentName: string | null;
  readonly email: string | null;
  readonly name: string | null;
  /** As sent. */
  readonly createdDate: string | null;
  readonly createdAt: string | null;
  readonly clientId: string | null;
  /** What agrees with the job, and what could be compared and differs. */
  readonly fits: readonly ReconcileMark[];
  readonly differs: readonly ReconcileMark[];
  /** It already stands in the register as another job's document. */
  readonly isTaken: boolean;
}

/** A step of a job's story. States are those it reached; the others happened in between. */
export const jobStepKinds = [
  ...jobStates,
  'departed',
  'answer-began',
  'paused',
  'resumed',
  'duplicate-found',
  'duplicate-decided',
  'looked-for',
  'accepted',
  'sent-again',
  'corrected',
] as const;
export type JobStepKind = (typeof jobStepKinds)[number];

export interface JobStep {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly kind: JobStepKind;
  readonly failure: Failure | null;
}

/**
 * A job that cannot be sent yet because its service is not reachable, or its connection has no credentials, stays `waiting` for as long as
 * it takes; `failure` then says why, on every waiting job of that connection, and is null again when it goes on. Nothing of such
 * a job was sent: a host that needs an end (the command line) cancels it and reports the failure. Likewise a job stays `prepared`, with storage-full or
 * storage-unusable as `failure`, while there is no room for its copy or the data folder cannot be used.
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
  /** Null where nothing but its turn keeps it. */
  readonly pausedBy: Hold | null;
  /** All of it has left and no answer came yet: since when, ISO 8601, UTC. Null in every other moment, and where another program sends it. */
  readonly answerAwaitedSince: string | null;
  /** Kept also after the decision. */
  readonly duplicateOf: DuplicateOf | null;
  /** The last time somebody asked the service about it. */
  readonly look: Reconciliation | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * A job as it stands in the ledger, for whoever waits for it: also one that was taken off the list. `worker`: who works on it while it has not ended; `nobody`
 * where its program is over and no other has taken it over.
 */
export interface LedgerJob extends Job {
  readonly isDismissed: boolean;
  readonly worker: 'this-program' | 'another-program' | 'nobody';
}

/** One drop, or one request. Counts are of its jobs that are not dismissed. */
export interface Batch {
  readonly batchId: string;
  readonly connectionId: string;
  /** Title of its first job. */
  readonly title: string;
  readonly counts: JobCounts;
  readonly totalBytes: number;
  /** Jobs of it that a person paused with the batch. */
  readonly pausedCount: number;
  readonly createdAt: string;
}

/** A connection whose service cannot be reached, or has no credentials: its jobs wait and nothing failed. */
export interface BackingOff {
  readonly connectionId: string;
  readonly failure: Failure;
  /** When the next try is made by itself, ISO 8601, UTC. */
  readonly nextTryAt: string;
}

/**
 * A connection of which as many adds in a row were left without an answer as its `doubtLimit` says. Nothing of it leaves until a person lets it go on
 * (`jobs.resume`); then one add goes first, and the others once that one was answered. Kept over restarts, and shared by all programs on one ledger.
 */
export interface HeldConnection {
  readonly connectionId: string;
  /** Adds in a row of which no answer could be read. */
  readonly doubtsInRow: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Its jobs that have not left. */
  readonly openJobs: number;
}

/** What became of jobs that a person sent again. */
export interface SentAgain {
  /** Go on. */
  readonly count: number;
  /** Wait for a decision: the same was sent meanwhile (`pausedBy: 'duplicate'`). */
  readonly asking: number;
  /** Cancelled for the same reason, by their rule to skip. */
  readonly skipped: number;
}

/** The queue as a whole. */
export interface QueueState {
  readonly counts: JobCounts;
  /** Everything is paused. Kept over restarts, as are the other pauses. */
  readonly isPaused: boolean;
  /** Jobs that wait for a decision about a duplicate. */
  readonly askingCount: number;
  /** Jobs that are held because they may have been sent by a ledger that is newer than this one. */
  readonly restoredCount: number;
  readonly backingOff: readonly BackingOff[];
  readonly held: readonly HeldConnection[];
}

export type JobCounts = Readonly<Record<JobState, number>>;

const scopes = [
  z.strictObject({ what: z.literal('all') }),
  z.strictObject({ what: z.literal('batch'), batchId: localId }),
  z.strictObject({ what: z.literal('job'), jobId: localId }),
] as const;

export const jobs = {
  'jobs.list': call(
    z.strictObject({
      batchId: localId.optional(),
      states: z.array(z.enum(jobStates)).max(jobStates.length).optional(),
      /** True: only those that wait for a decision about a duplicate. */
      asking: z.boolean().default(false),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<QueueState & { readonly jobs: readonly Job[]; readonly total: number }>(),
  /** These jobs, in no order, or those of a batch in the order of its intake. Of jobs that do not exist nothing is answered. */
  'jobs.read': call(
    z.union([
      z.strictObject({ jobIds: z.array(localId).min(1).max(500) }),
      z.strictObject({
        batchId: localId,
        offset: z.int().min(0).default(0),
        limit: z.int().min(1).max(500).default(500),
      }),
    ]),
  ).answers<readonly LedgerJob[]>(),
  /**
   * Goes on with those of these jobs that a program which is over has left: what had left becomes in doubt. A program with a window does so by itself; one that was
   * asked for something else must not. Answers how many; jobs that another program works on are left to it.
   */
  'jobs.takeOver': call(z.strictObject({ jobIds: z.array(localId).min(1).max(500) })).answers<{
    readonly count: number;
  }>(),
  /** Of these jobs those of this program that have not left wait for whoever takes them over. Answers how many. */
  'jobs.release': call(z.strictObject({ jobIds: z.array(localId).min(1).max(500) })).answers<{
    readonly count: number;
  }>(),
  /** Batches with jobs that are not dismissed, the newest first. */
  'jobs.batches': call(
    z.strictObject({ offset: z.int().min(0).default(0), limit: z.int().min(1).max(100).default(20) }),
  ).answers<{ readonly batches: readonly Batch[]; readonly total: number }>(),
  /** Oldest step first. */
  'jobs.history': call(z.strictObject({ jobId: localId })).answers<readonly JobStep[]>(),
  /** Each resume undoes exactly its own pause: a job paused by itself stays so when everything is resumed. */
  'jobs.pause': call(z.discriminatedUnion('what', scopes)).answers<null>(),
  /**
   * `connection`: a person lets a held connection go on (HeldConnection); no failure where nothing holds it. `restored`: what may have been sent by a ledger that is
   * newer than this one.
   */
  'jobs.resume': call(
    z.discriminatedUnion('what', [
      ...scopes,
      z.strictObject({ what: z.literal('connection'), connectionId: localId }),
      z.strictObject({ what: z.literal('restored') }),
    ]),
  ).answers<null>(),
  /** Tries at once what rests because the service could not be reached. */
  'jobs.tryNow': call(z.strictObject({ connectionId: localId })).answers<null>(),
  'jobs.cancel': call(z.strictObject({ jobId: localId })).answers<null>(),
  /**
   * A person's decision, also for a job in doubt: sends it once more. It is looked at for duplicates as a new one is, whatever its rule. `secretWord`: in place
   * of one that is not kept any more; without it such a job is refused (bad-input, detail secret-word-missing).
   */
  'jobs.sendAgain': call(z.strictObject({ jobId: localId, secretWord: xmlText(200).optional() })).answers<SentAgain>(),
  /**
   * Sends again every job in these states. Never those in doubt: each of them is a decision of its own. `failed` ones cost nothing before;
   * `refused` ones were answered by the service and may be refused again.
   */
  'jobs.retryAll': call(
    z.strictObject({
      batchId: localId.optional(),
      states: z
        .array(z.enum(['failed', 'refused', 'cancelled']))
        .min(1)
        .max(3)
        .default(['failed']),
    }),
  ).answers<SentAgain>(),
  /** Cancels everything that has not begun to leave, of one batch or connection where it is given; what is being sent goes on to its end. */
  'jobs.cancelWaiting': call(
    z.strictObject({ batchId: localId.optional(), connectionId: localId.optional() }),
  ).answers<{ readonly count: number }>(),
  /** A person's decision about a duplicate: `skip` cancels the job. */
  'jobs.decide': call(
    z.strictObject({ jobIds: z.array(localId).min(1).max(500), decision: z.enum(['send', 'skip']) }),
  ).answers<null>(),
  /**
   * Asks the service about a job in doubt; reads only. With `documentId` (found in the service's own portal, say) that document is asked
   * about too. The result stays with the job.
   */
  'jobs.reconcile': call(
    z.strictObject({ jobId: localId, documentId: documentIdText.optional() }),
  ).answers<Reconciliation>(),
  /** A person's decision that this document is what became of a job in doubt: the job is done, the document in the register. */
  'jobs.accept': call(z.strictObject({ jobId: localId, documentId: documentIdText })).answers<null>(),
  /** Takes finished jobs (done, refused, failed, cancelled) off the list; the register keeps their documents. */
  'jobs.dismiss': call(z.strictObject({ jobIds: z.array(localId).min(1).max(500) })).answers<null>(),
};

export const jobEvents = {
  /**
   * Told at most ten times a second: the jobs that changed since the last time, and the counts over all. `isIncomplete`: others may have changed as well (a batch was paused, another
   * program has written to the ledger), so what was read of the ledger may be old.
   */
  'jobs.changed': event<QueueState & { readonly jobs: readonly Job[]; readonly isIncomplete: boolean }>(),
};
