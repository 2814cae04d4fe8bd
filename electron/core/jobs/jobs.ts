import type {
  Batch,
  DuplicateRule,
  Job,
  JobState,
  JobStep,
  LedgerJob,
  QueueState,
  Reconciliation,
  SentAgain,
} from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { DocumentRecord, PlainArguments } from '../../store/jobs/job-rows.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { SpoolPart } from './spool.ts';

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

/** A held connection is not paused but released. */
export type ResumeScope =
  | PauseScope
  | { readonly what: 'connection'; readonly connectionId: string }
  | { readonly what: 'restored' };

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
  /**
   * One order as a job of a new batch. `bind` ties it, in the same transaction, to what it was made of, and may name a job that was not taken: that one is then
   * superseded, so that never both are sent. What `bind` throws goes on, and nothing was written. Rejects with not-found (that job is off the list) and bad-input
   * (it is under way or taken, of another kind or connection).
   */
  enqueueOne(
    connectionId: string,
    order: JobOrder,
    bind?: (jobId: string) => string | null,
  ): Promise<{ readonly batchId: string; readonly jobId: string }>;
  /** The queue's own copy of a file of a job; null where there is none. */
  copyOf(jobId: string, part: SpoolPart): Promise<string | null>;
  /** Null where it has none, or it was kept for a run that is over. */
  secretWordOf(jobId: string): Promise<string | null>;
  list(filter: JobFilter): QueueState & { readonly jobs: readonly Job[]; readonly total: number };
  /** These jobs, or a page of a batch, as they stand in the ledger, dismissed ones too. */
  read(
    which:
      | { readonly jobIds: readonly string[] }
      | { readonly batchId: string; readonly offset: number; readonly limit: number },
  ): readonly LedgerJob[];
  /** Goes on with those of these jobs that a program which is over has left. Answers how many. */
  takeOver(jobIds: readonly string[]): number;
  /** This run's jobs of these that have not left are nobody's then: they wait until a program takes them over. Answers how many. */
  release(jobIds: readonly string[]): number;
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
  };
  /** Oldest step first; of dismissed jobs too. Rejects with not-found. */
  history(jobId: string): readonly JobStep[];
  /** Kept over restarts. What is being sent goes on. Rejects with not-found, bad-input for a job that has left. */
  pause(scope: PauseScope): void;
  /** Undoes exactly that pause; lets a held connection go on, one add first, or what may have been sent by a newer ledger. Rejects with not-found, bad-input. */
  resume(scope: ResumeScope): Promise<void>;
  /** What has not left yet becomes cancelled; what has left is broken off and becomes in-doubt. Rejects with not-found, bad-input. */
  cancel(jobId: string): Promise<void>;
  /**
   * A person's decision: once more, for refused, failed, in-doubt and cancelled jobs, unless the same was sent meanwhile: then a person is asked. `secretWord`: in
   * place of one that is not kept any more. Rejects with not-found, bad-input (detail secret-word-missing where one is needed).
   */
  sendAgain(jobId: string, secretWord?: string): Promise<SentAgain>;
  /** As sendAgain, for every job in these states. Never those in doubt. */
  retryAll(states: readonly ('failed' | 'refused' | 'cancelled')[], batchId?: string): Promise<SentAgain>;
  /** Cancels what has not begun to leave, of a batch or connection where given. Answers how many. */
  cancelWaiting(which?: { readonly batchId?: string; readonly connectionId?: string }): Promise<number>;
  /** A person's decision about duplicates that wait for one; others are left alone. */
  decide(jobIds: readonly string[], decision: 'send' | 'skip'): Promise<void>;
  /** Asks the service about a job in doubt, and keeps what was found. Rejects with not-found, bad-input. */
  reconcile(jobId: string, documentId?: string): Promise<Reconciliation>;
  /** A person's decision that this document is what became of a job in doubt. Rejects with not-found, bad-input. */
  accept(jobId: string, documentId: string): Promise<void>;
  /** Takes ended jobs off the list (not those in doubt) and forgets their spooled files and secrets. */
  dismiss(jobIds: readonly string[]): Promise<void>;
  /** Credentials or settings of a connection changed: its waiting jobs are tried at once. */
  wake(connectionId: string): void;
  /** Breaks off what runs, writes down where it stands, and stops. */
  close(): Promise<void>;
}
