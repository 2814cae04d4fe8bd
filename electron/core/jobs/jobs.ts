import type {
  AgainPreview,
  Batch,
  DuplicateRule,
  JobStep,
  LedgerJob,
  ListedJobs,
  QueueState,
  Reconciliation,
  RepeatRule,
  SentAgain,
  TakenBack,
} from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { Gate } from '../../store/jobs/job-gates.ts';
import type { JobQuery } from '../../store/jobs/job-lists.ts';
import type { DocumentRecord, PlainArguments } from '../../store/jobs/job-rows.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { Countdowns } from './countdowns.ts';
import type { SpoolPart } from './spool.ts';

/** One add operation to be carried out exactly once. */
export interface JobOrder {
  readonly operation: OperationName;
  /** How a person recognises the job: file name, template or note. */
  readonly title: string;
  /** Children by the interface's names, without apiKey, apiSig, Document, AdditionalImage and SecretWord. */
  readonly args: PlainArguments;
  /** Sent as Document. */
  readonly file?: LocalFile;
  /** Sent as AdditionalImage. */
  readonly image?: LocalFile;
  /** A secret: sent as SecretWord; kept in the keychain or for this run only. */
  readonly secretWord?: string;
  /**
   * SHA-256 of the file as it was checked, in lower-case hex: another file at the same path is not sent
   * (file-changed).
   */
  readonly expectedSha256?: string;
  /** The same of the image. */
  readonly expectedImageSha256?: string;
  /** Null if the operation makes no document (AddQuickNote). */
  readonly record: DocumentRecord | null;
  /** What to do if a file with the same bytes, or the same request, was sent through the connection before; `send` unless given. */
  readonly duplicates?: DuplicateRule | RepeatRule;
}

/** The part of the queue that is paused or resumed. */
export type PauseScope =
  | { readonly what: 'all' }
  | { readonly what: 'batch'; readonly batchId: string }
  | { readonly what: 'job'; readonly jobId: string };

/** The part of the queue that is resumed. A held connection is not paused: it is released. */
export type ResumeScope =
  | PauseScope
  | { readonly what: 'connection'; readonly connectionId: string }
  | { readonly what: 'restored' };

/** Its secret word is not kept. `bind` ties the row to the job that it becomes, in the transaction that writes it; false if it cannot be taken back any more. */
export type TakenBackOrder = JobOrder & { readonly bind: (jobId: string) => boolean };

/** What is asked about besides the lists. */
export interface LookFor {
  readonly documentId?: string | undefined;
  readonly withFile: boolean;
}

/**
 * The queue of add operations. The program never sends an add a second time once it may have left whole. A job whose
 * service cannot be reached stays `waiting` without a time limit and is tried again after growing pauses (1 s to 60
 * s). Meanwhile every waiting job of that connection has a `failure` (service-unreachable, or not-connected if
 * credentials are missing). A host that must end (the command line) looks for a waiting job with a failure and
 * cancels it: nothing of it was sent.
 */
export interface Jobs {
  /**
   * Resolves when all orders are in the ledger as `prepared`; copying and sending continue in the background.
   * `jobIds` has the order of `orders`.
   */
  enqueue(
    connectionId: string,
    orders: Iterable<JobOrder>,
  ): Promise<{ readonly batchId: string; readonly jobIds: readonly string[] }>;
  /**
   * Adds one order as a job of a batch (null: of a new batch), in the same transaction as `bind`, which ties the job
   * to the row it was made from. Null if the row already became a job: then nothing was written. `gate`: whether it
   * joins the countdown of its batch, which begins anew.
   */
  enqueueBound(
    connectionId: string,
    order: JobOrder,
    how: { readonly batchId: string | null; readonly gate: Gate },
    bind: (jobId: string, batchId: string) => boolean,
  ): Promise<{ readonly batchId: string; readonly jobId: string } | null>;
  /** Adds orders to a batch (null: a new one) that a person took back before they were in the queue, so that they are in the log; resolves with the batch. */
  addTakenBack(connectionId: string, orders: readonly TakenBackOrder[], batchId: string | null): Promise<string | null>;
  /**
   * Adds one order as a job of a new batch. `bind` ties the job, in the same transaction, to its source, and may
   * return the id of a job that was not accepted: that job is then superseded, so that never both are sent. If `bind`
   * throws, its error is passed on and nothing was written. Rejects with not-found (the superseded job is off the
   * list) and bad-input (it is under way or accepted, or of another kind or connection).
   */
  enqueueOne(
    connectionId: string,
    order: JobOrder,
    bind?: (jobId: string) => string | null,
  ): Promise<{ readonly batchId: string; readonly jobId: string }>;
  /** Path of the queue's own copy of a job's file; null if there is none. */
  copyOf(jobId: string, part: SpoolPart): Promise<string | null>;
  /** Null if the job has no secret word, or the word was kept for a run that is over. */
  secretWordOf(jobId: string): Promise<string | null>;
  list(query: JobQuery): QueueState & ListedJobs;
  /** Reads these jobs, or a page of a batch, from the ledger, including dismissed ones. */
  read(
    which:
      | { readonly jobIds: readonly string[] }
      | { readonly batchId: string; readonly offset: number; readonly limit: number },
  ): readonly LedgerJob[];
  /** Takes over those of these jobs whose program has ended. Returns how many. */
  takeOver(jobIds: readonly string[]): number;
  /**
   * Gives up this run's share of these jobs, except those that have left: they wait until a program takes them over.
   * Returns how many.
   */
  release(jobIds: readonly string[]): number;
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
    readonly dismissedCount: number;
  };
  /** The steps of a job, oldest first; also of dismissed jobs. Rejects with not-found. */
  history(jobId: string): readonly JobStep[];
  /**
   * Pauses; kept over restarts. Jobs that are being sent continue. Rejects with not-found, and with bad-input for a
   * job that has left.
   */
  pause(scope: PauseScope): void;
  /**
   * Undoes exactly that pause. Releases a held connection (one add is sent first), or the jobs that a newer ledger
   * may already have sent. Rejects with not-found, bad-input.
   */
  resume(scope: ResumeScope): Promise<void>;
  /**
   * Cancels a job that has not left; aborts one that has left, which becomes in-doubt. Rejects with not-found,
   * bad-input.
   */
  cancel(jobId: string): Promise<void>;
  /** What sending these jobs, or the failed ones of a batch or of all, again would use, and whom it would mail. */
  previewAgain(
    which: { readonly jobIds: readonly string[] } | { readonly batchId?: string | undefined },
  ): Promise<AgainPreview>;
  /**
   * Sends a refused, failed, in-doubt or cancelled job again, by a person's decision. If the same content was sent
   * meanwhile, a person is asked first. `secretWord` replaces one that is no longer available. Rejects with
   * not-found, bad-input (detail secret-word-missing if one is needed).
   */
  sendAgain(jobId: string, secretWord?: string): Promise<SentAgain>;
  /** Sends every job in these states again, as `sendAgain` does. Never jobs in doubt. */
  retryAll(states: readonly ('failed' | 'refused' | 'cancelled')[], batchId?: string): Promise<SentAgain>;
  /**
   * Takes back what has not begun to leave: these jobs, or those of a batch that a countdown or the pace of a bulk
   * keeps back. Answers the ids of those that were.
   */
  takeBack(which: { readonly jobIds: readonly string[] } | { readonly batchId: string }): Promise<TakenBack>;
  readonly countdowns: Pick<Countdowns, 'secondsOf' | 'isRunning' | 'sendNow' | 'openNext'>;
  /** Cancels all jobs that have not begun to leave, of a batch or connection if given. Returns how many. */
  cancelWaiting(which?: { readonly batchId?: string; readonly connectionId?: string }): Promise<number>;
  /** Applies a person's decision to those of these jobs that wait for one as duplicates. */
  decide(jobIds: readonly string[], decision: 'send' | 'skip'): Promise<void>;
  /** Asks the service about a job in doubt and stores the result with the job. Rejects with not-found, bad-input. */
  reconcile(jobId: string, how: LookFor): Promise<Reconciliation>;
  /** Records a person's decision that a job in doubt made this document. Rejects with not-found, bad-input. */
  accept(jobId: string, documentId: string | null, isUnchecked: boolean): Promise<void>;
  /** Undoes that for a while. Rejects with bad-input if it is over. */
  undoAccept(jobId: string): void;
  /** Takes ended jobs off the list (not those in doubt) and removes their secret words, and after a while their copies. */
  dismiss(jobIds: readonly string[]): Promise<void>;
  /** Puts dismissed jobs back on the list whose copies are still there; answers how many. */
  restoreDismissed(jobIds: readonly string[]): number;
  /** Tries the waiting jobs of a connection at once, because its credentials or settings changed. */
  wake(connectionId: string): void;
  /** Tries one of them, because a person wants to know whether the service is back. */
  tryNow(connectionId: string): void;
  /** Aborts running work, records its state, and stops the queue. */
  close(): Promise<void>;
}
