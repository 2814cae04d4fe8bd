import { z } from 'zod';
import type { Answer, StatusGroup } from './answer.ts';
import { call, event } from './call.ts';
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
  readonly failure: import('./failure.ts').Failure | null;
}

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
    }),
  ).answers<{ readonly batchId: string; readonly jobCount: number }>(),
  'documents.list': call(
    z.strictObject({
      connectionId: localId.optional(),
      search: z.string().max(200).default(''),
      sort: z.enum(['registeredAt', 'name', 'sizeBytes', 'status']).default('registeredAt'),
      descending: z.boolean().default(true),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly rows: readonly DocumentRow[]; readonly total: number }>(),
  /** GetDocumentStatus; the answer is also kept with the document, where it is in the register. */
  'documents.status': call(
    z.strictObject({ connectionId: localId, documentId: documentIdText }),
  ).answers<DocumentStatus>(),
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
  /** Shows a finished download in the system's file manager. */
  'documents.showDownload': call(z.strictObject({ downloadId: localId })).answers<null>(),
};

export const documentEvents = {
  'documents.downloadProgressed': event<Download>(),
  /** The register changed: read again what is on screen. */
  'documents.changed': event<{ readonly connectionId: string }>(),
};
