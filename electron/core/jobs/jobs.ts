import type { Batch, DuplicateRule, Job, JobState, JobStep, Look, QueueState } from '../../../contract/activity.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { DocumentRecord, PlainArguments } from '../../store/job-rows.ts';
import type { LocalFile } from '../context.ts';

/** One add operation to be carried out exactly once. */
export interface JobOrder {
  readonly operation: OperationName;
  /** File name, template or note: what a person calls it. */
  readonly title: string;
  /** Children by the interface's names, without apiKey, apiSig, Document, AdditionalImage and SecretWord. */
  readonly args: PlainArguments;
  /** Goes out as Document. */
  readonly file?: LocalFile;
  /** Goes out as AdditionalImage. */
  readonly image?: LocalFile;
  /** A secret: goes out as SecretWord; kept in the keychain or for the run only. */
  readonly secretWord?: string;
  /** Of the file as it was looked at, lower-case hex: another one at the same place is not sent (file-changed). */
  readonly expectedSha256?: string;
  /** Null where the operation makes no document (AddQuickNote). */
  readonly record: DocumentRecord | null;
  /** What to do where the connection has the file's bytes already; `send` unless given. */
  readonly duplicates?: DuplicateRule;
}

/** What is paused or resumed. */
export type PauseScope =
  | { readonly what: 'all' }
  | { readonly what: 'batch'; readonly batchId: string }
  | { readonly what: 'job'; readonly jobId: string };

export interface JobFilter {
  readonly batchId?: string;
  readonly states?: readonly JobState[];
  readonly asking?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The queue of add operations. No add is ever sent a second time by the program once a byte of it has left.
 *
 * A job whose service cannot be reached stays `waiting`, for as long as it takes, and is tried again with growing pauses (1 s to 60 s). Meanwhile
 * every waiting job of that connection carries `failure` (service-unreachable, or not-connected where credentials are missing). A
 * host that needs an end (the command line) looks for a waiting job with a failure and cancels it: nothing of it was sent.
 */
export interface Jobs {
  /** Answers when all orders are in the ledger as `prepared`; copying and sending go on behind. `jobIds` in the order given. */
  enqueue(
    connectionId: string,
    orders: Iterable<JobOrder>,
  ): Promise<{ readonly batchId: string; readonly jobIds: readonly string[] }>;
  /**
   * One order as a job of a batch (null: of a new one), in the same transaction as `bind`, which ties it to the row it was made of. Null where `bind` said that the
   * row has become a job already: then nothing was written.
   */
  enqueueBound(
    connectionId: string,
    order: JobOrder,
    batchId: string | null,
    bind: (jobId: string, batchId: string) => boolean,
  ): Promise<{ readonly batchId: string; readonly jobId: string } | null>;
  list(filter: JobFilter): QueueState & { readonly jobs: readonly Job[]; readonly total: number };
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
  };
  /** Oldest step first; of dismissed jobs too. Rejects with not-found. */
  story(jobId: string): readonly JobStep[];
  /** Kept over restarts. What is being sent goes on. Rejects with not-found, bad-input for a job that has left. */
  pause(scope: PauseScope): void;
  /** Undoes exactly that pause. Rejects with not-found, bad-input. */
  resume(scope: PauseScope | { readonly what: 'restored' }): void;
  /** What has not left yet becomes cancelled; what has left is broken off and becomes in-doubt. Rejects with not-found, bad-input. */
  cancel(jobId: string): Promise<void>;
  /** A person's decision: once more, for refused, failed, in-doubt and cancelled jobs. Rejects with not-found, bad-input. */
  sendAgain(jobId: string): Promise<void>;
  /** As sendAgain, for every job in these states. Never those in doubt. Answers how many. */
  retryAll(states: readonly ('failed' | 'refused' | 'cancelled')[], batchId?: string): Promise<number>;
  /** Cancels what has not begun to leave. Answers how many. */
  cancelWaiting(batchId?: string): Promise<number>;
  /** A person's decision about duplicates that wait for one; others are left alone. */
  decide(jobIds: readonly string[], decision: 'send' | 'skip'): Promise<void>;
  /** Asks the service about a job in doubt, and keeps what was found. Rejects with not-found, bad-input. */
  lookFor(jobId: string, documentId?: string): Promise<Look>;
  /** A person's decision that this document is what became of a job in doubt. Rejects with not-found, bad-input. */
  accept(jobId: string, documentId: string): Promise<void>;
  /** Takes ended jobs off the list (not those in doubt) and forgets their spooled files and secrets. */
  dismiss(jobIds: readonly string[]): Promise<void>;
  /** Credentials or settings of a connection changed: its waiting jobs are tried at once. */
  wake(connectionId: string): void;
  /** Breaks off what runs, writes down where it stands, and stops. */
  close(): Promise<void>;
}
