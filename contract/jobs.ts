import { z } from 'zod';
import type { Answer } from './answers.ts';
import { call, event, repeatable } from './call.ts';
import type { Failure } from './failure.ts';
import type { OperationName } from './operation.ts';
import type { TeamPerson } from './team.ts';
import { documentIdText, localId, page, sought, xmlText } from './text.ts';

/**
 * States of an add operation: prepared (being copied and hashed) → waiting → sending → one of the end states. `in-doubt`: it was sent and no answer
 * came; the program never sends it again by itself. `passed-over`: it was not sent, because the same is there already (`Job.duplicateOf`).
 */
export const jobStates = [
  'prepared',
  'waiting',
  'sending',
  'done',
  'refused',
  'failed',
  'in-doubt',
  'passed-over',
  'cancelled',
] as const;
export type JobState = (typeof jobStates)[number];

/**
 * Why a job that is `prepared` or `waiting` is not sent: a person paused it, its batch or everything; it is a `duplicate` and waits for a person's
 * decision (`jobs.decide`); its `connection` is held, because several consecutive adds got no answer (`HeldConnection`); or the ledger is older than
 * it was, or was taken back, and the job may already have been sent (`restored`: until a person resumes those); it can be taken back until its `countdown`
 * is over; or that was ended by the end of its program or the sleep of the computer, and a person decides (`countdown-stopped`). Jobs that are being sent are
 * not paused: aborting them would leave them in doubt.
 */
export const holds = [
  'job',
  'batch',
  'all',
  'duplicate',
  'connection',
  'restored',
  'countdown',
  'countdown-stopped',
] as const;
export type Hold = (typeof holds)[number];

/** How a document is treated whose bytes the connection already has. `ask`: the job waits for a person (`pausedBy: 'duplicate'`). */
export const duplicateRules = ['ask', 'skip', 'send'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];
/** How a signature request is treated that repeats another with the same people: sent, with `Job.duplicateOf`, passed over, or held for a person (`pausedBy: 'duplicate'`). */
export const repeatRules = ['tell', 'skip', 'ask'] as const;
export type RepeatRule = (typeof repeatRules)[number];

/**
 * The document or job with the same bytes: a document in the register, or a job that is on its way, in doubt or done. For operations without a
 * document: a job with the same content.
 */
export interface DuplicateOf {
  /** `team`: a colleague's claim in the team register; `by` then says whose. */
  readonly kind: 'document' | 'job' | 'team';
  readonly documentId: string | null;
  readonly jobId: string | null;
  /** Title of the document or the job. */
  readonly title: string;
  /** State of the job; `done` for a document. */
  readonly state: JobState;
  /** ISO 8601, UTC: when it was registered or taken into the queue. */
  readonly at: string;
  /** True if a person decided to send it although this exists; a rule that sends duplicates is no such decision. */
  readonly isDecided?: boolean;
  /** True if it was decided to skip it while the colleague's was not over: it is skipped once that is registered, and goes on if it is not. */
  readonly skipsWhenDone?: boolean;
  /** The colleague who has it: always of kind `team`, and of a document that a colleague registered. */
  readonly by?: TeamPerson;
  /** Only of kind `team`: the claim in the team register. `seenAt`: when the colleague's program was last heard of, ISO 8601, UTC. */
  readonly claim?: { readonly claimId: string; readonly seenAt: string };
}

/**
 * Result of asking the service about a job in doubt. `found` without candidates: the service knows the file, and nothing else here or in the team explains that; the
 * document's ID is not known. `not-found`: all questions were asked and nothing matches; this is no proof. `cannot-tell`: the
 * interface offers no way to ask (a document without signers has no list), a list was cut off, or more than one entry matches. `unanswered`: nothing matches, and a
 * question got no answer.
 */
export interface Reconciliation {
  readonly verdict: 'found' | 'not-found' | 'cannot-tell' | 'unanswered';
  readonly askedAt: string;
  /** All questions in order, with their results. */
  readonly questions: readonly ReconcileQuestion[];
  /** The best match first, at most 20. */
  readonly candidates: readonly ReconcileCandidate[];
  /** Title of the other document or job that may be why the service knows the file: its answer settles nothing. */
  readonly explainedBy?: string;
  /** A later attempt that found out less because a question got no answer: what was found before stays. */
  readonly unanswered?: Pick<Reconciliation, 'askedAt' | 'questions'>;
}

export interface ReconcileQuestion {
  readonly operation: 'GetESignList' | 'GetDocumentDetails' | 'ValidateDocument';
  /** The name of the list on the connection, the document ID, or the service's answer about the file. */
  readonly about: string;
  /** Number of entries in the list; null for details and for a failed question. */
  readonly entries: number | null;
  /** There may be more: the list has as many entries as were requested, some were empty (nil), or it has entries but none from before the attempt. */
  readonly isCutOff: boolean;
  readonly failure: Failure | null;
}

export const reconcileMarks = ['email', 'document-name', 'time', 'client-reference', 'description'] as const;
export type ReconcileMark = (typeof reconcileMarks)[number];

export interface ReconcileCandidate {
  readonly documentId: string;
  readonly documentName: string | null;
  /** Addresses of all signers in the lists, with commas between. */
  readonly email: string | null;
  readonly name: string | null;
  /** As sent. */
  readonly createdDate: string | null;
  readonly createdAt: string | null;
  readonly clientId: string | null;
  /** Values that agree with the job, and values that differ. */
  readonly fits: readonly ReconcileMark[];
  readonly differs: readonly ReconcileMark[];
  /** People asked whom the lists do not show, where they show others of them and nobody else: a list may end between two signers. */
  readonly unlisted?: readonly string[];
  /** The document is already in the register as that of another job. */
  readonly isTaken: boolean;
}

/** True if what the service says of a document speaks for it, and nothing against it. */
export const speaksForIt = ({ fits, differs }: Pick<ReconcileCandidate, 'fits' | 'differs'>): boolean =>
  fits.length > 0 && differs.length === 0;

/** Kinds of steps in a job's history: the states it reached, and other events. */
export const jobStepKinds = [
  ...jobStates,
  'departed',
  'answer-began',
  'paused',
  'resumed',
  'duplicate-found',
  'duplicate-decided',
  'looked-for',
  /** The look had no answer from the service. */
  'look-unanswered',
  'accepted',
  'unchecked',
  'accept-undone',
  'sent-again',
  'corrected',
  /** What was to be sent again, or its correction, came to nothing. */
  'as-before',
  'sent-without-register',
  'taken-back',
] as const;
export type JobStepKind = (typeof jobStepKinds)[number];

export interface JobStep {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly kind: JobStepKind;
  readonly failure: Failure | null;
}

/** See `jobs.takeBack`. */
export interface TakenBack {
  readonly jobIds: readonly string[];
  readonly wereSentAgain?: true;
}

/**
 * A job that cannot be sent yet because its service is not reachable, or its connection has no credentials, stays `waiting` without a limit of time;
 * `failure` then gives the reason on every waiting job of that connection, and becomes null when sending continues. Nothing of such a job was sent: a
 * host that needs an end (the command line) cancels it and reports the failure. Likewise a job stays `prepared`, with storage-full or
 * storage-unusable as `failure`, while there is no space for its copy or the data folder cannot be used.
 */
export interface Job {
  readonly id: string;
  readonly batchId: string;
  readonly connectionId: string;
  readonly operation: OperationName;
  /** File name, template or note, for display. */
  readonly title: string;
  /** Addresses and names of the signers, to tell requests apart; empty if it is no request. */
  readonly sentTo: string;
  /** Size of the document in bytes, 0 if there is none. */
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly state: JobState;
  /** Bytes of the request body that were sent, while sending. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** The service's answer, null if none came. */
  readonly raw: string | null;
  readonly answer: Answer | null;
  /** ID of the new document, if the answer was one. */
  readonly documentId: string | null;
  readonly failure: Failure | null;
  /** Null if the job only waits for its turn. */
  readonly pausedBy: Hold | null;
  /** Time at which the whole request was sent, ISO 8601, while its answer is awaited. Null otherwise, and if another program sends the job. */
  readonly answerAwaitedSince: string | null;
  /** Stays after the decision. */
  readonly duplicateOf: DuplicateOf | null;
  /** The last result of asking the service about the job. */
  readonly look: Reconciliation | null;
  /** When it last left, ISO 8601; absent if it never did. */
  readonly departedAt?: string;
  /** It was taken off the list. */
  readonly isDismissed?: boolean;
  /** What was sent in its place. */
  readonly correction?: { readonly batchId: string; readonly jobId: string };
  /** It is done because a person said so, and nothing that the service answered confirms it. */
  readonly isByWord?: boolean;
  /** It was not sent yet, or not taken, and corrects one in doubt, which may have arrived. */
  readonly isBesideDoubt?: boolean;
  /** Of a registration in doubt: title of the other document or job that may be why the service knows its file, so that asking about that settles nothing. */
  readonly sameFileAs?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** When its last attempt ended, or began if its end was not seen; before the first one, when it last changed. A look for a lost answer does not change it. */
  readonly at: string;
}

/**
 * A job as stored in the ledger, for callers that wait for it; includes jobs taken off the list. `worker`: the program that works on an unfinished
 * job; `nobody` if that program has ended and no other has taken the job over.
 */
export interface LedgerJob extends Job {
  readonly isDismissed: boolean;
  readonly worker: 'this-program' | 'another-program' | 'nobody';
}

/** The jobs of one drop or one request. Counts exclude what is off the list. */
export interface Batch {
  readonly batchId: string;
  readonly connectionId: string;
  /** Title of its first job. */
  readonly title: string;
  /** Operation of its first job: all jobs of a batch have the same. */
  readonly operation: OperationName;
  readonly counts: JobCounts;
  /** Number of its jobs that left and have a correction in their place; in no other count. */
  readonly correctedCount: number;
  readonly totalBytes: number;
  /** Number of its jobs that wait for a decision about a duplicate. */
  readonly askingCount: number;
  /** Number of its jobs that a person paused with the batch. */
  readonly pausedCount: number;
  /** Number of its waiting jobs that need a person's decision, because nobody saw their countdown. */
  readonly stoppedCount: number;
  readonly createdAt: string;
}

/** A connection whose service cannot be reached, or which has no credentials, while it has jobs: they wait and have not failed. */
export interface BackingOff {
  readonly connectionId: string;
  /** Number of its jobs that were not sent and wait for no person; at least one. */
  readonly openJobs: number;
  readonly failure: Failure;
  /** Time of the next automatic try, ISO 8601, UTC; null from then on until it has ended. */
  readonly nextTryAt: string | null;
}

/** The fields of a background task of any kind. The kinds are in tasks.ts. */
export interface TaskOf<K extends string, P> {
  readonly taskId: string;
  readonly kind: K;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** `stopped`: by a person, or because the program ends. */
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed; `cancelled` if it was stopped; otherwise null. */
  readonly failure: Failure | null;
  /** The progress; of an ended task, its result. */
  readonly progress: P;
}

/** Why lasting work does not go on for now, as it will by itself. */
export interface Waiting {
  /** Null if it goes on. */
  readonly waitsFor: Failure | null;
  /** Whose service is away, and the time of the next automatic try, as in BackingOff; null if none is. */
  readonly away: Pick<BackingOff, 'connectionId' | 'nextTryAt'> | null;
}

/**
 * A connection on which `doubtLimit` consecutive adds got no answer. Nothing is sent on it until a person resumes it (`jobs.resume`); then one add is
 * sent first, and the others after it was answered. Kept over restarts, and shared by all programs that use the ledger.
 */
export interface HeldConnection {
  readonly connectionId: string;
  /** Number of consecutive adds without a readable answer. */
  readonly doubtsInRow: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Number of its jobs that were not sent, and wait for nothing else of a person. */
  readonly openJobs: number;
}

/**
 * The jobs of a batch that can be taken back: they are sent when the countdown is over. `leftMs`: what was left of it when this was published; null where it does
 * not run here, because another program counts, or because nobody does any more (`isStopped`): then a person sends them or takes them back.
 */
export interface Countdown {
  readonly batchId: string;
  readonly connectionId: string;
  /** Of its first job. */
  readonly jobId: string;
  readonly title: string;
  readonly operation: OperationName;
  readonly count: number;
  /** The bulk that the jobs are rows of. */
  readonly bulkId: string | null;
  readonly leftMs: number | null;
  readonly isStopped: boolean;
  /** It corrects a job in doubt, which may have arrived. */
  readonly isBesideDoubt: boolean;
}

/** Result of sending jobs again. */
export interface SentAgain {
  /** Jobs that are sent again. */
  readonly count: number;
  /** Jobs that wait for a decision because the same was sent in the meantime (`pausedBy: 'duplicate'`). */
  readonly asking: number;
  /** Jobs that were passed over for that reason, by their rule to skip. */
  readonly skipped: number;
}

/** What sending jobs again uses, and whom it mails; for the question before it. */
export interface AgainPreview {
  /** Jobs by what they use: documents and plain requests a credit, Easy Sign a request, notes nothing. */
  readonly credits: number;
  readonly requests: number;
  readonly notes: number;
  /** The first people who are mailed, each once; the account owner has neither name nor address if the connection has none. */
  readonly people: readonly { readonly name: string; readonly email: string }[];
  readonly peopleCount: number;
  /** Jobs with prepaid credits, which usually need two each. */
  readonly prepaidCount: number;
  readonly idChecks: number;
}

/** The queue as a whole. */
export interface QueueState {
  readonly counts: JobCounts;
  /** True if everything is paused. Kept over restarts, as the other pauses are. */
  readonly isPaused: boolean;
  /** Number of jobs that wait for a decision about a duplicate. */
  readonly askingCount: number;
  /** Number of waiting jobs whose countdown nobody saw: they need a decision, too. */
  readonly stoppedCount: number;
  /** Number of jobs that are held because a newer version of the ledger may have sent them. */
  readonly restoredCount: number;
  /** Not for what cannot be stored here: see `storage`. */
  readonly backingOff: readonly BackingOff[];
  readonly held: readonly HeldConnection[];
  /** Why copies or answers cannot be stored for now, as they will be by themselves: the disk is full. Null otherwise. */
  readonly storage: Failure | null;
  /** The newest countdowns; `countdownCount` counts all. */
  readonly countdowns: readonly Countdown[];
  readonly countdownCount: number;
}

export type JobCounts = Readonly<Record<JobState, number>>;

const scopes = [
  z.strictObject({ what: z.literal('all') }),
  z.strictObject({ what: z.literal('batch'), batchId: localId }),
  z.strictObject({ what: z.literal('job'), jobId: localId }),
] as const;

/** `isStopped`: those jobs alone whose countdown was stopped, or was not. */
const partOfBatch = { batchId: localId, isStopped: z.boolean().optional() };

/** Which jobs of the log are listed. */
export const jobFilter = {
  batchId: localId.optional(),
  states: z.array(z.enum(jobStates)).max(jobStates.length).optional(),
  /** Only jobs that wait for a decision about a duplicate, or only those that wait for no person. */
  asking: z.boolean().optional(),
  /** Only waiting jobs whose countdown nobody saw. */
  stopped: z.literal(true).optional(),
  /** Only jobs with this text in their title, signers or document ID, in doubt also in one that a look found, that were created in this time. */
  ...sought,
  /**
   * Only what was sent over a connection from then on, also what was taken off the list: a row for each departure, with its time and what became of it, however often a job left or was corrected. The
   * last comes first.
   */
  sent: z.strictObject({ connectionId: localId, from: sought.from.unwrap() }).optional(),
  /** True: those that were taken off the list, in place of the others. */
  dismissed: z.boolean().default(false),
  /** What left and has a correction in its place: besides the others, or in place of them. Of what was `sent` it is always there. */
  corrected: z.enum(['too', 'only']).optional(),
};

/** What the counts of the list have not: what was dismissed, and what left and has a correction in its place. */
export interface OffList {
  readonly dismissedCount: number;
  readonly correctedCount: number;
}

/** Listed jobs: `total` of them. `found`: what a search, or days, find in each state, and of what is off the list, also if that is not listed. */
export interface ListedJobs<J = Job> {
  readonly jobs: readonly J[];
  readonly total: number;
  readonly found?: Pick<QueueState, 'counts' | 'askingCount' | 'stoppedCount'> & OffList;
}

const someIds = z.array(localId).min(1).max(500);

export const jobs = {
  'jobs.list': repeatable(() => ({ ...jobFilter, ...page })).answers<QueueState & ListedJobs>(),
  /** Reads these jobs, in no order, or those of a batch in the order of its intake. Jobs that do not exist are left out. */
  'jobs.read': repeatable(() =>
    z.union([
      z.strictObject({ jobIds: someIds }),
      z.strictObject({ batchId: localId, ...page, limit: z.int().min(1).max(500).default(500) }),
    ]),
  ).answers<readonly LedgerJob[]>(),
  /**
   * Takes over those of these jobs whose program has ended: jobs that had been sent become in doubt. A program with a window does this by itself; a
   * program started for something else must not. Answers the number of jobs; jobs of running programs are left alone.
   */
  'jobs.takeOver': repeatable(() => ({ jobIds: someIds })).answers<{ readonly count: number }>(),
  /**
   * Releases those of these jobs that belong to this program and were not sent, so that another program can take them over. Answers the number of
   * jobs.
   */
  'jobs.release': repeatable(() => ({ jobIds: someIds })).answers<{ readonly count: number }>(),
  /** Batches with jobs that are not dismissed, or that have a correction in their place, newest first; what is off the list of all batches. */
  'jobs.batches': repeatable(() => ({ ...page, limit: z.int().min(1).max(100).default(20) })).answers<
    OffList & { readonly batches: readonly Batch[]; readonly total: number }
  >(),
  /** Steps, oldest first. */
  'jobs.history': repeatable(() => ({ jobId: localId })).answers<readonly JobStep[]>(),
  /** Each resume undoes only its own pause: a job that was paused by itself stays paused when everything is resumed. */
  'jobs.pause': repeatable(() => z.discriminatedUnion('what', scopes)).answers<null>(),
  /**
   * `connection`: a person resumes a held connection (HeldConnection); no failure if it is not held. `restored`: jobs that a newer version of the
   * ledger may have sent.
   */
  'jobs.resume': repeatable(() =>
    z.discriminatedUnion('what', [
      ...scopes,
      z.strictObject({ what: z.literal('connection'), connectionId: localId }),
      z.strictObject({ what: z.literal('restored') }),
    ]),
  ).answers<null>(),
  /** Whatever waits for a service that could not be reached is tried at once, downloads too. */
  'jobs.tryNow': repeatable(() => ({ connectionId: localId })).answers<null>(),
  /**
   * Takes back what has not begun to leave: these jobs, or all of a batch that a countdown keeps back. Answers those that are taken back; what has left goes on.
   * The taken-back jobs are cancelled and can be corrected (`corrections.open`), but for those that were sent again (`wereSentAgain`), which stand as they did before that: in doubt, refused or
   * failed. The rows of a bulk of which then nothing is left to send can be sent with it again.
   */
  'jobs.takeBack': call(() =>
    z.union([z.strictObject({ jobIds: someIds }), z.strictObject(partOfBatch)]),
  ).answers<TakenBack>(),
  /** Ends the countdown of a batch, also one that was stopped or that another program counts. */
  'jobs.sendNow': repeatable(() => partOfBatch).answers<null>(),
  'jobs.cancel': repeatable(() => ({ jobId: localId })).answers<null>(),
  /**
   * A person's decision, also for a job in doubt: sends it once more. It is checked for duplicates as a new job is, independent of its rule.
   * `secretWord`: replaces one that is not kept any more; without it such a job is refused (bad-input, detail secret-word-missing).
   */
  'jobs.sendAgain': call(() => ({ jobId: localId, secretWord: xmlText(200).optional() })).answers<SentAgain>(),
  /** What sending these jobs, or the failed jobs of a batch or of all, again would use, and whom it would mail. Sends nothing. */
  'jobs.previewAgain': repeatable(() =>
    z.union([
      z.strictObject({ jobIds: z.array(localId).min(1).max(5_000) }),
      z.strictObject({ batchId: localId.optional() }),
    ]),
  ).answers<AgainPreview>(),
  /**
   * Sends every job in these states again, but never jobs in doubt: each of them needs its own decision. `failed` ones cost nothing before; `refused`
   * ones were answered by the service and may be refused again.
   */
  'jobs.retryAll': call(() => ({
    batchId: localId.optional(),
    states: z
      .array(z.enum(['failed', 'refused', 'cancelled']))
      .min(1)
      .max(3)
      .default(['failed']),
  })).answers<SentAgain>(),
  /** Cancels everything that is not being sent yet and waits for no person, optionally of one batch or connection; jobs that are being sent continue. */
  'jobs.cancelWaiting': call(() => ({ batchId: localId.optional(), connectionId: localId.optional() })).answers<{
    readonly count: number;
  }>(),
  /** A person's decision about a duplicate: `skip` cancels the job. */
  'jobs.decide': repeatable(() => ({ jobIds: someIds, decision: z.enum(['send', 'skip']) })).answers<null>(),
  /**
   * Asks the service about a job in doubt, with reads only. With `documentId` (for example from the service's portal) that document is asked about
   * too; with `withFile` the service is asked once whether it knows the file (ValidateDocument), for a registration. The result is stored with the job.
   */
  'jobs.reconcile': call(() => ({
    jobId: localId,
    documentId: documentIdText.optional(),
    withFile: z.boolean().default(false),
  })).answers<Reconciliation>(),
  /**
   * A person's decision that a job in doubt became this document: the job is done, the document is added to the register. The ID may stand in braces;
   * bad-input unless it is a GUID or the service's own ID of a candidate of the job's last look, and unless that look speaks for it, or `isUnchecked` says that a person
   * knows better, which the job's history records. Null for a note, which the service lists nowhere: the person's word is recorded likewise; and where that look found that the service knows the file: the job is
   * done without an ID, which a later call may give.
   */
  'jobs.accept': repeatable(() => ({
    jobId: localId,
    documentId: documentIdText.nullable(),
    isUnchecked: z.boolean().optional(),
  })).answers<null>(),
  /** Undoes an acceptance that this program wrote a moment ago: the job is again what it was, its document only if it was there before. bad-input if that is over. */
  'jobs.undoAccept': call(() => ({ jobId: localId })).answers<null>(),
  /** Takes finished jobs (done, refused, failed, passed over, cancelled) off the list; the register keeps their documents. */
  'jobs.dismiss': repeatable(() => ({ jobIds: someIds })).answers<null>(),
  /** Puts jobs back on the list that were dismissed by this program a moment ago; answers how many. */
  'jobs.restoreDismissed': repeatable(() => ({ jobIds: someIds })).answers<{ readonly count: number }>(),
};

export const jobEvents = {
  /**
   * Published at most ten times a second: the jobs that changed since the last event, and the counts over all. `isIncomplete`: others may have
   * changed too (a batch was paused, another program wrote to the ledger), so data read from the ledger may be out of date. `batches`: those of the
   * jobs, so that their counts never lag behind the jobs; empty if only the number of sent bytes changed.
   */
  'jobs.changed': event<
    QueueState & { readonly jobs: readonly Job[]; readonly batches: readonly Batch[]; readonly isIncomplete: boolean }
  >(),
};
