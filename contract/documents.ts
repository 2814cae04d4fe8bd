import { z } from 'zod';
import { type Answer, type StatusGroup, statusGroups } from './answers.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { TaskOf, Waiting } from './jobs.ts';
import { type DuplicateOf, type DuplicateRule, duplicateRules, type JobStep, jobFilter } from './jobs.ts';
import type { TeamPerson } from './team.ts';
import { among, documentIdText, language, localId, page, xmlText } from './text.ts';

/** A document that was registered or sent from here, or opened by its ID. */
export interface DocumentRow {
  readonly id: string;
  readonly connectionId: string;
  /** Null if the service took it and its answer named none: a person may still give it (`jobs.accept`), or a list of the service names it. */
  readonly documentId: string | null;
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  /** Addresses and names of the signers; empty if it was not sent for signature from here. */
  readonly sentTo: string;
  /** Null if the document was opened by ID, without a local file. */
  readonly fileName: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  /** ISO 8601, UTC: when the service took the document, or when it was opened by ID. */
  readonly registeredAt: string;
  /** The last known status word as sent, with its meaning and the time of the call. */
  readonly status: DocumentStatus | null;
  /** The job that sent it; null if it was opened by ID. Only documents with a job have a receipt. */
  readonly jobId: string | null;
  /** The colleague who registered it, from the team register; null if it was registered or opened here. */
  readonly by: TeamPerson | null;
}

export interface DocumentStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  readonly askedAt: string;
}

/** The details record of 2.3 as sent; absent fields are null. */
export interface DocumentDetails {
  readonly documentName: string | null;
  readonly createdDate: string | null;
  readonly description: string | null;
  readonly clientId: string | null;
  readonly pages: string | null;
  readonly originalDocumentName: string | null;
  /** 0 means none; null if the service left it out. */
  readonly errors: number | null;
  /** The whole record as text. */
  readonly raw: string;
  readonly askedAt: string;
}

/** A document that is being downloaded into a file. */
export interface Download {
  readonly documentId: string;
  readonly fileName: string;
  readonly receivedBytes: number;
  /** Size of the message; null if the service does not state it. */
  readonly totalBytes: number | null;
  /** Null until the file is complete. */
  readonly sha256: string | null;
}
export type DownloadTask = TaskOf<'download', Download>;

/** A status that did not change between its first and last answer. */
export interface KeptStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  readonly firstAskedAt: string;
  readonly lastAskedAt: string;
}

export interface DocumentHistory {
  /** Oldest first. */
  readonly statuses: readonly KeptStatus[];
  /** Steps of the job that sent it; empty if it was opened by ID. */
  readonly story: readonly JobStep[];
}

/** `index`: the number of the file in its intake, or in its run; in an audit the same in all its runs. */
export interface NumberedFile {
  readonly index: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
}

/** A file of an intake whose bytes the connection already has, or which equals an earlier file of the intake. */
export interface Duplicate extends NumberedFile {
  readonly sha256: string;
  /** The document or job with the same bytes; null if only `sameAsIndex` applies. */
  readonly of: DuplicateOf | null;
  /** An earlier file of this intake with the same bytes. */
  readonly sameAsIndex: number | null;
}

/** Reads the files of an intake to find duplicates. Unreadable files are left to the queue, which reports them. */
export interface DuplicateCheck {
  readonly totalFiles: number;
  readonly readFiles: number;
  readonly totalBytes: number;
  readonly readBytes: number;
  readonly duplicateCount: number;
}
export type DuplicateCheckTask = TaskOf<'duplicate-check', DuplicateCheck>;

/** Downloads many documents into one folder. Existing files are never replaced: a second `a.pdf` becomes `a (2).pdf`. */
export interface BulkDownload extends Waiting {
  /** Name of the folder, without its path. */
  readonly folderName: string;
  readonly total: number;
  readonly doneCount: number;
  readonly failedCount: number;
  /** Downloads in progress. */
  readonly running: readonly Download[];
  /** The last finished downloads, with their names in the folder; at most 100. */
  readonly saved: readonly SavedDownload[];
  /** The last failed downloads, at most 100. */
  readonly failed: readonly FailedDownload[];
}
export type BulkDownloadTask = TaskOf<'bulk-download', BulkDownload>;

export interface SavedDownload extends Download {
  /** The file that it had before it was resumed, with other bytes by then: that one stays, and this is a new copy. */
  readonly changed?: string;
}

export interface FailedDownload extends Download {
  readonly failure: Failure;
}

/** Asks for the statuses of many documents. */
export interface StatusRefresh {
  readonly connectionId: string;
  readonly total: number;
  readonly askedCount: number;
  /** How many documents got an answer of each kind, also where it is the same as before. */
  readonly answers: Partial<Readonly<Record<StatusGroup, number>>>;
  readonly failedCount: number;
}
export type StatusRefreshTask = TaskOf<'status-refresh', StatusRefresh>;

export const batchListFormats = ['xlsx', 'csv', 'pdf'] as const;
export type BatchListFormat = (typeof batchListFormats)[number];

const index = z.int().min(0).max(10_000_000);
const documentKey = z.strictObject({ connectionId: localId, documentId: documentIdText });
/** Columns that the list of documents can be sorted by. */
export const documentSorts = ['registeredAt', 'name', 'sizeBytes', 'status'] as const;
export type DocumentSort = (typeof documentSorts)[number];
const day = z.iso.datetime({ offset: true }).max(40);

export const documentFilters = z.strictObject({
  /** `none`: the status was never asked for. */
  statusGroups: z
    .array(z.enum([...statusGroups, 'none']))
    .max(statusGroups.length + 1)
    .optional(),
  /** Both days included, ISO 8601. */
  registeredFrom: day.optional(),
  registeredTo: day.optional(),
  origin: z.enum(['sent', 'opened']).optional(),
  /** `mine`: without those that colleagues registered. */
  by: z.enum(['mine', 'everyone']).optional(),
});
export type DocumentFilters = z.output<typeof documentFilters>;

export const documents = {
  /**
   * Registers every file of an intake (AddNewDocument): one job, one credit each. `name` may hold the patterns
   * {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); so may `clientId` and `description`.
   */
  'documents.register': call(() => ({
    connectionId: localId,
    intakeId: localId,
    creditType: z.int().min(-2147483648).max(2147483647),
    name: xmlText(1000).default('{name}'),
    description: xmlText(10_000).optional(),
    clientId: xmlText(1000).optional(),
    /**
     * How files are treated whose bytes the connection already has: by index in the intake, and for all others. The queue checks again, independent
     * of `documents.checkDuplicates`.
     */
    duplicates: z
      .strictObject({
        otherwise: z.enum(duplicateRules).default('ask'),
        skip: z.array(index).max(100_000).default([]),
        send: z.array(index).max(100_000).default([]),
      })
      .default({ otherwise: 'ask' satisfies DuplicateRule, skip: [], send: [] }),
    /**
     * A job that was not taken (`corrections.open`): the intake has one file, the texts are used as they are, without patterns, and the new job
     * replaces the old one. Rejects with not-found, and with bad-input if that job cannot be corrected (any more).
     */
    corrects: localId.optional(),
  })).answers<{ readonly batchId: string; readonly jobCount: number }>(),
  /** Reads every file of an intake and searches for its bytes, as a task. */
  'documents.checkDuplicates': call(() => ({
    connectionId: localId,
    intakeId: localId,
    /** The job that is being corrected is not a duplicate of itself. */
    corrects: localId.optional(),
  })).answers<DuplicateCheckTask>(),
  /** The duplicates found so far, in the order of the intake. */
  'documents.duplicates': call(() => ({ taskId: localId, ...page })).answers<{
    readonly check: DuplicateCheckTask;
    readonly duplicates: readonly Duplicate[];
  }>(),
  /**
   * Saves what was sent, in one batch or at all, as a list, in a file that the person chooses: the jobs that `jobs.list` lists; those without a document are in
   * it with their state. `rowCount`: how many they are. Null if the person cancelled.
   */
  'documents.saveBatch': call(() => ({ ...jobFilter, format: z.enum(batchListFormats), language: language })).answers<{
    readonly fileName: string;
    readonly rowCount: number;
  } | null>(),
  'documents.list': call(() => ({
    connectionId: localId.optional(),
    search: z.string().max(200).default(''),
    sort: z.enum(documentSorts).default('registeredAt'),
    descending: z.boolean().default(true),
    filters: documentFilters.default({}),
    ...page,
    among,
  })).answers<{ readonly rows: readonly DocumentRow[]; readonly total: number }>(),
  /**
   * A document of the register, and its index in the list with this scope and order, without a search; null if the list does not have it.
   */
  'documents.place': call(() => ({
    of: documentKey,
    /** Only documents of this connection are listed. */
    connectionId: localId.optional(),
    sort: z.enum(documentSorts),
    descending: z.boolean(),
  })).answers<{ readonly row: DocumentRow; readonly index: number } | null>(),
  /** GetDocumentStatus; the answer is stored with the document if it is in the register. */
  'documents.status': call(() => ({ connectionId: localId, documentId: documentIdText })).answers<DocumentStatus>(),
  'documents.history': call(() => documentKey).answers<DocumentHistory>(),
  /**
   * GetDocumentStatus of these documents, as a task. Without `documentIds`: all that are not completed, those asked longest ago first. One task per connection: a running one is answered, with these documents.
   */
  'documents.refreshStatuses': call(() => ({
    connectionId: localId,
    documentIds: z.array(documentIdText).min(1).max(500).optional(),
  })).answers<StatusRefreshTask>(),
  /** GetDocumentDetails. */
  'documents.details': call(() => ({ connectionId: localId, documentId: documentIdText })).answers<DocumentDetails>(),
  /** Adds a document that was not sent from here to the register, after asking the service for its details. */
  'documents.openById': call(() => ({ connectionId: localId, documentId: documentIdText })).answers<DocumentRow>(),
  /** GetDocument into a file that the person chooses, as a task. Null if the person cancelled. */
  'documents.download': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
    suggestedName: z.string().max(300).default(''),
  })).answers<DownloadTask | null>(),
  /** GetDocument of each document, or (`restOf`) of those that an ended one has left, into a folder that the person chooses, as one task. Null if the person cancelled. */
  'documents.downloadAll': call(() =>
    z.union([
      z.strictObject({ documents: z.array(documentKey).min(1).max(10_000) }),
      z.strictObject({ restOf: localId }),
    ]),
  ).answers<BulkDownloadTask | null>(),
  /** Shows the folder of a bulk download in the system's file manager. */
  'documents.showDownloadFolder': call(() => ({ taskId: localId })).answers<null>(),
  /** Shows a finished download in the system's file manager. */
  'documents.showDownload': call(() => ({ taskId: localId })).answers<null>(),
};

export const documentEvents = {
  /** The register changed: what is on screen is to be read again. Null: another program wrote, perhaps about several connections. */
  'documents.changed': event<{ readonly connectionId: string | null }>(),
};
