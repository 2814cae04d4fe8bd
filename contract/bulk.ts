import { z } from 'zod';
import type { Answer } from './answer.ts';
import { call, event } from './call.ts';
import { draftContent } from './compose.ts';
import type { Failure } from './failure.ts';
import type { JobState } from './jobs.ts';
import { localId } from './text.ts';

/** Columns that a table of recipients may have, by their English and German headings; see `bulk.sample`. */
export const bulkColumns = [
  'email1',
  'name1',
  'email2',
  'name2',
  'email3',
  'name3',
  'cc',
  'file',
  'templateId',
  'documentName',
  'description',
  'clientId',
  'message',
  'subject',
  'uniqueId',
  'secretWord',
] as const;
export type BulkColumn = (typeof bulkColumns)[number];

/** What may be wrong with a row. */
export const bulkProblems = [
  'nobody',
  'email-invalid',
  'email-twice',
  'owner-address',
  'separator-inside',
  'name-missing',
  /** No file: neither for all nor in this row. */
  'file-none',
  /** Named in the row and not among the chosen files. */
  'file-missing',
  'file-unusable',
  'template-none',
  'cell-too-long',
  'cell-unusable',
  /** The same people and the same document as in an earlier row: `otherRow`. */
  'row-twice',
  /** The same document went to the same people from here before: `sentAt`. */
  'already-sent',
] as const;
export type BulkProblemKind = (typeof bulkProblems)[number];

export interface BulkProblem {
  readonly kind: BulkProblemKind;
  /** A row with an error is not sent. One with a warning is, where the person asked for that. */
  readonly severity: 'error' | 'warning';
  readonly column: BulkColumn | null;
  readonly otherRow?: number;
  readonly sentAt?: string;
}

export interface BulkRow {
  /** As in the spreadsheet: the row of the headings is 1. */
  readonly row: number;
  readonly people: readonly { readonly email: string; readonly name: string }[];
  readonly documentName: string;
  /** File or template. */
  readonly document: string;
  readonly problems: readonly BulkProblem[];
  /** `ready`, `skipped` (problems), or what the ledger says of its job. */
  readonly state: 'ready' | 'skipped' | JobState;
  readonly jobId: string | null;
  readonly raw: string | null;
  readonly answer: Answer | null;
  readonly documentId: string | null;
  readonly failure: Failure | null;
  /** `corrections.open` takes its job: it was not taken, and is still on the list. */
  readonly canCorrect: boolean;
}

export interface Bulk {
  readonly id: string;
  readonly connectionId: string;
  readonly kind: 'plain' | 'easy-sign' | 'easy-sign-template';
  /** Of the table. */
  readonly fileName: string;
  /**
   * `checked`: looked through, nothing sent. `sending`: rows go to the queue one after the other. `paused`: by a person, after the first one, or by itself (`failure`).
   * `finished`: every row that can be sent has been given to the queue and has ended.
   */
  readonly state: 'checked' | 'sending' | 'paused' | 'finished';
  /** Headings that were understood, and those that were not: these are only copied to the results. */
  readonly columns: readonly { readonly heading: string; readonly column: BulkColumn | null }[];
  readonly rowCount: number;
  readonly counts: {
    readonly ready: number;
    readonly withErrors: number;
    readonly withWarnings: number;
    /** Given to the queue, and how they ended. */
    readonly queued: number;
    readonly done: number;
    readonly refused: number;
    readonly failed: number;
    readonly inDoubt: number;
  };
  /** Why it paused by itself in this run; null where a person did it. */
  readonly failure: Failure | null;
  readonly perMinute: number;
  readonly includeWarnings: boolean;
  /** In `jobs.list`, once something was sent. */
  readonly batchId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const bulk = {
  /** A table to fill in, with two example rows, into a file that the person chooses; null when cancelled. */
  'bulk.sample': call(
    z.strictObject({ format: z.enum(['csv', 'xlsx']), language: z.enum(['en', 'de']).default('en') }),
  ).answers<{ readonly fileName: string } | null>(),
  /**
   * Reads a CSV or XLSX table (at most 20 MB, 10,000 rows, 100 columns) and looks every row through: nothing is sent. `content` holds what is the same for all
   * rows; a filled cell goes before it, its recipients are ignored. `intakeId`: the files that the column `file` names. Rejects with bad-input (`fields.tableToken`)
   * where there is no heading that says e-mail, and with file-unreadable.
   */
  'bulk.check': call(
    z.strictObject({
      connectionId: localId,
      tableToken: localId,
      intakeId: localId.optional(),
      content: draftContent,
      /** For rows without one of their own. */
      secretWord: z.string().max(200).optional(),
    }),
  ).answers<Bulk>(),
  'bulk.list': call(z.strictObject({})).answers<readonly Bulk[]>(),
  'bulk.get': call(z.strictObject({ id: localId })).answers<Bulk>(),
  'bulk.rows': call(
    z.strictObject({
      id: localId,
      which: z.enum(['all', 'errors', 'warnings', 'ready', 'queued', 'not-done']).default('all'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly rows: readonly BulkRow[]; readonly total: number }>(),
  /**
   * Sends, and costs, and mails people: the first row that can be sent, or all that are left. No row is ever given to the queue twice, also not after a crash; a bulk that
   * was sending goes on by itself at the next start of the program.
   */
  'bulk.send': call(
    z.strictObject({
      id: localId,
      rows: z.enum(['first', 'all']),
      /** Requests a minute. */
      perMinute: z.int().min(1).max(6000).default(60),
      includeWarnings: z.boolean().default(false),
    }),
  ).answers<Bulk>(),
  /** No further row goes to the queue; what is in the queue goes on there. `bulk.send` resumes. */
  'bulk.pause': call(z.strictObject({ id: localId })).answers<Bulk>(),
  /** Rejects with bad-input while it sends. Its jobs and documents stay. */
  'bulk.remove': call(z.strictObject({ id: localId })).answers<null>(),
  /** The table again with state, document ID, answer and time beside each row, into a new file that the person chooses; null when cancelled. */
  'bulk.saveResults': call(
    z.strictObject({
      id: localId,
      format: z.enum(['csv', 'xlsx']),
      language: z.enum(['en', 'de']).default('en'),
    }),
  ).answers<{ readonly fileName: string } | null>(),
};

export const bulkEvents = {
  /** At most four times a second each. */
  'bulk.changed': event<Bulk>(),
};
