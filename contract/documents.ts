import { z } from 'zod';
import { type Answer, type StatusGroup, statusGroups } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import { type DuplicateOf, type DuplicateRule, duplicateRules, type JobStep } from './jobs.ts';
import { documentIdText, localId, xmlText } from './text.ts';

/** A document that was registered or sent from here, or opened by its ID. */
export interface DocumentRow {
  readonly id: string;
  readonly connectionId: string;
  readonly documentId: string;
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  /** Null where the document was opened by ID and its file never was here. */
  readonly fileName: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  /** ISO 8601, UTC: when the service took it, or when it was opened by ID. */
  readonly registeredAt: string;
  /** The last known status word, as sent, with its meaning and the time it was asked. */
  readonly status: DocumentStatus | null;
  /** The job that sent it from here; null where it was opened by ID. A receipt exists only for those with a job. */
  readonly jobId: string | null;
}

export interface DocumentStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  readonly askedAt: string;
}

/** The details record of 2.3, as sent; absent fields are null. */
export interface DocumentDetails {
  readonly documentName: string | null;
  readonly createdDate: string | null;
  readonly description: string | null;
  readonly clientId: string | null;
  readonly pages: string | null;
  readonly originalDocumentName: string | null;
  /** 0 is taken as none; null where the service left it out. */
  readonly errors: number | null;
  /** The whole record as text, for showing as it came. */
  readonly raw: string;
  readonly askedAt: string;
}

export interface Download {
  readonly downloadId: string;
  readonly documentId: string;
  readonly fileName: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly receivedBytes: number;
  /** Of the message; null where the service does not say. */
  readonly totalBytes: number | null;
  readonly sha256: string | null;
  readonly failure: Failure | null;
}

/** A status that was answered from the first to the last time without change. */
export interface KeptStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  readonly firstAskedAt: string;
  readonly lastAskedAt: string;
}

export interface DocumentHistory {
  /** Oldest first. */
  readonly statuses: readonly KeptStatus[];
  /** Of the job that sent it; empty where it was opened by ID. */
  readonly story: readonly JobStep[];
}

/** A file of an intake whose bytes the connection has already, or that is in the intake before. */
export interface Duplicate {
  /** Of the file in the intake. */
  readonly index: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** What has the same bytes; null where only `sameAsIndex` says so. */
  readonly of: DuplicateOf | null;
  /** An earlier file of this intake with the same bytes. */
  readonly sameAsIndex: number | null;
}

/** Reading the files of an intake for duplicates. A file that cannot be read is left to the queue, which will say so. */
export interface DuplicateCheck {
  readonly checkId: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly totalFiles: number;
  readonly readFiles: number;
  readonly totalBytes: number;
  readonly readBytes: number;
  readonly duplicateCount: number;
}

/** Many documents into one folder. Existing files are never replaced: a second `a.pdf` becomes `a (2).pdf`. */
export interface BulkDownload {
  readonly bulkId: string;
  readonly state: 'running' | 'done' | 'stopped';
  /** Name of the folder, without what is above it. */
  readonly folderName: string;
  readonly total: number;
  readonly doneCount: number;
  readonly failedCount: number;
  /** Those that are being fetched now. */
  readonly running: readonly Download[];
  /** The last ones that are there, under their names in the folder; at most 100. */
  readonly saved: readonly Download[];
  /** The last ones, at most 100. */
  readonly failed: readonly Download[];
}

/** Asking the status of many documents, within the connection's call budget. */
export interface StatusRefresh {
  readonly refreshId: string;
  readonly connectionId: string;
  /** `out-of-budget`: ended early; the rest is asked the next time. */
  readonly state: 'running' | 'done' | 'stopped' | 'out-of-budget' | 'failed';
  readonly total: number;
  readonly askedCount: number;
  readonly changedCount: number;
  readonly failedCount: number;
  /** Why it ended, where it failed: the service cannot be reached, say. */
  readonly failure: Failure | null;
}

const index = z.int().min(0).max(10_000_000);
const documentKey = z.strictObject({ connectionId: localId, documentId: documentIdText });
const day = z.iso.datetime({ offset: true }).max(40);

export const documentFilters = z.strictObject({
  /** `none`: its status was never asked. */
  statusGroups: z
    .array(z.enum([...statusGroups, 'none']))
    .max(statusGroups.length + 1)
    .optional(),
  /** Both included, ISO 8601. */
  registeredFrom: day.optional(),
  registeredTo: day.optional(),
  origin: z.enum(['sent', 'opened']).optional(),
});
export type DocumentFilters = z.output<typeof documentFilters>;

export const documents = {
  /**
   * Registers every file of an intake (AddNewDocument): one job, one credit each. `name` may hold the patterns
   * {name} (file name without its ending), {file}, {folder} and {n} (1, 2, 3 …); so may `clientId` and `description`.
   */
  'documents.register': call(
    z.strictObject({
      connectionId: localId,
      intakeId: localId,
      creditType: z.int().min(-2147483648).max(2147483647),
      name: xmlText(1000).default('{name}'),
      description: xmlText(10_000).optional(),
      clientId: xmlText(1000).optional(),
      /**
       * What to do with files whose bytes the connection has already: by index in the intake, and for all others. Checked again in the queue,
       * whatever `documents.checkDuplicates` said before.
       */
      duplicates: z
        .strictObject({
          otherwise: z.enum(duplicateRules).default('ask'),
          skip: z.array(index).max(100_000).default([]),
          send: z.array(index).max(100_000).default([]),
        })
        .default({ otherwise: 'ask' satisfies DuplicateRule, skip: [], send: [] }),
      /**
       * A job that was not taken (`corrections.open`): the intake has one file, the texts are taken as they are, without patterns, and the new job takes the old
       * one's place. Rejects with not-found and bad-input where that job cannot be corrected (any more).
       */
      corrects: localId.optional(),
    }),
  ).answers<{ readonly batchId: string; readonly jobCount: number }>(),
  /** Reads every file of an intake and looks for its bytes. Answers at once; progress by event. */
  'documents.checkDuplicates': call(
    z.strictObject({
      connectionId: localId,
      intakeId: localId,
      /** The job that is corrected: it is no duplicate of itself. */
      corrects: localId.optional(),
    }),
  ).answers<DuplicateCheck>(),
  'documents.cancelCheck': call(z.strictObject({ checkId: localId })).answers<null>(),
  /** What was found so far, in the order of the intake. */
  'documents.duplicates': call(
    z.strictObject({
      checkId: localId,
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly check: DuplicateCheck; readonly duplicates: readonly Duplicate[] }>(),
  'documents.list': call(
    z.strictObject({
      connectionId: localId.optional(),
      search: z.string().max(200).default(''),
      sort: z.enum(['registeredAt', 'name', 'sizeBytes', 'status']).default('registeredAt'),
      descending: z.boolean().default(true),
      filters: documentFilters.default({}),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly rows: readonly DocumentRow[]; readonly total: number }>(),
  /** GetDocumentStatus; the answer is also kept with the document, where it is in the register. */
  'documents.status': call(
    z.strictObject({ connectionId: localId, documentId: documentIdText }),
  ).answers<DocumentStatus>(),
  'documents.history': call(documentKey).answers<DocumentHistory>(),
  /**
   * GetDocumentStatus of these documents (without `documentIds`: of all that are not completed, the longest unasked first), as far as the
   * call budget allows. Answers at once; progress by event. One at a time per connection: a running one is answered.
   */
  'documents.refreshStatuses': call(
    z.strictObject({ connectionId: localId, documentIds: z.array(documentIdText).min(1).max(500).optional() }),
  ).answers<StatusRefresh>(),
  'documents.stopRefresh': call(z.strictObject({ refreshId: localId })).answers<null>(),
  /** GetDocumentDetails. */
  'documents.details': call(
    z.strictObject({ connectionId: localId, documentId: documentIdText }),
  ).answers<DocumentDetails>(),
  /** Puts a document that was not sent from here into the register, after asking the service for its details. */
  'documents.openById': call(
    z.strictObject({ connectionId: localId, documentId: documentIdText }),
  ).answers<DocumentRow>(),
  /** GetDocument into a file that the person chooses. Null when the person cancelled. Progress by event. */
  'documents.download': call(
    z.strictObject({
      connectionId: localId,
      documentId: documentIdText,
      suggestedName: z.string().max(300).default(''),
    }),
  ).answers<{ readonly downloadId: string } | null>(),
  'documents.cancelDownload': call(z.strictObject({ downloadId: localId })).answers<null>(),
  /** GetDocument of each into a folder that the person chooses. Null when the person cancelled. Progress by event. */
  'documents.downloadAll': call(
    z.strictObject({ documents: z.array(documentKey).min(1).max(10_000) }),
  ).answers<BulkDownload | null>(),
  'documents.stopDownloadAll': call(z.strictObject({ bulkId: localId })).answers<null>(),
  /** Shows the folder of a bulk download in the system's file manager. */
  'documents.showDownloadFolder': call(z.strictObject({ bulkId: localId })).answers<null>(),
  /** Shows a finished download in the system's file manager. */
  'documents.showDownload': call(z.strictObject({ downloadId: localId })).answers<null>(),
};

export const documentEvents = {
  /** At most ten times a second, as are the two below. */
  'documents.duplicatesChecked': event<DuplicateCheck>(),
  'documents.bulkDownloadProgressed': event<BulkDownload>(),
  'documents.statusesRefreshed': event<StatusRefresh>(),
  'documents.downloadProgressed': event<Download>(),
  /** The register changed: read again what is on screen. */
  'documents.changed': event<{ readonly connectionId: string }>(),
};
