import { z } from 'zod';
import { call, event, type Removed, repeatable } from './call.ts';
import { draftContent, type SentBefore } from './compose.ts';
import type { Failure } from './failure.ts';
import type { Job, JobState } from './jobs.ts';
import { among, language, localId, page, xmlText } from './text.ts';

/** Columns of a table of recipients, by their headings in any of the languages; see `bulk.sample`. */
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

/** Problems of a row. */
export type BulkProblemKind =
  | 'nobody'
  | 'email-invalid'
  | 'email-twice'
  | 'owner-address'
  | 'separator-inside'
  | 'name-missing'
  /** No file, neither for all rows nor in this row. */
  | 'file-none'
  /** The file is named in the row but was not chosen. */
  | 'file-missing'
  | 'file-unusable'
  | 'template-none'
  | 'cell-too-long'
  | 'cell-unusable'
  /** The row has the same people, and the same file or template, as an earlier row: `otherRow`. */
  | 'row-twice'
  | SentBefore['kind'];

export interface BulkProblem extends Partial<Omit<SentBefore, 'kind'>> {
  readonly kind: BulkProblemKind;
  /** A row with an error is not sent. A row with a warning is sent if the person asked for that. */
  readonly severity: 'error' | 'warning';
  readonly column: BulkColumn | null;
  readonly otherRow?: number;
}

/** Which text says it. */
export const bulkProblemText = (kind: Bulk['kind'], problem: BulkProblem) =>
  problem.kind !== 'row-twice' ? problem.kind : kind === 'easy-sign-template' ? 'same-template' : 'same-file';

export interface BulkMend {
  readonly column: BulkColumn;
  readonly was: string;
}

export interface BulkRow extends Pick<Job, 'raw' | 'answer' | 'documentId' | 'failure'> {
  /** Row number as in the spreadsheet, from 1: usually that of the headings. */
  readonly row: number;
  readonly people: readonly { readonly email: string; readonly name: string }[];
  readonly documentName: string;
  /** Name of the file or template. */
  readonly document: string;
  readonly problems: readonly BulkProblem[];
  /** One for each of the bulk's columns; access codes are left out. */
  readonly cells: readonly string[];
  /** It has an access code of its own. */
  readonly hasSecretWord: boolean;
  /** Cells that a person changed in the window, with the value of the spreadsheet; empty for an access code. */
  readonly mended: readonly BulkMend[];
  /** `ready`, `skipped` (because of problems), `cancelled` (taken back), or the state of its job in the ledger. */
  readonly state: 'ready' | 'skipped' | JobState;
  /** A person decides: the same went elsewhere since it came into the queue (`jobs.decide`), or its countdown was stopped. */
  readonly isAsking: boolean;
  readonly jobId: string | null;
  /** `corrections.open` accepts its job: the service did not take it, and it is still on the list. */
  readonly canCorrect: boolean;
}

/** `asking` and `waiting`: in the queue, not ended; a person decides about the former. `before`: rows with warnings of which the same is known to be sent, and those that were passed over; `warnings`: the others with warnings. */
export const bulkFilters = [
  'all',
  'errors',
  'warnings',
  'before',
  'ready',
  'asking',
  'waiting',
  'done',
  'in-doubt',
  'refused',
  'failed',
  'cancelled',
] as const;
export type BulkFilter = (typeof bulkFilters)[number];

export interface Bulk {
  readonly id: string;
  readonly connectionId: string;
  readonly kind: 'plain' | 'easy-sign' | 'easy-sign-template';
  /** The draft that its rows were made of, as it was when they were checked (`createdAt`); null if there was none. */
  readonly draftId: string | null;
  /** Name of the table's file. */
  readonly fileName: string;
  /**
   * `checked`: rows were checked, nothing was sent. `sending`: rows go to the queue one after the other. `paused`: by a person, after the first row,
   * or by a failure (`failure`). `finished`: every row that can be sent was given to the queue and has ended, or the same is known to be sent.
   */
  readonly state: 'checked' | 'sending' | 'paused' | 'finished';
  /**
   * Recognised and unknown headings: unknown columns are only copied to the results. An empty heading stands for a column without one, or for one that the
   * spreadsheet lacks but a row needs. `partOf`: a first or last name, which is sent as a part of that column.
   */
  readonly columns: readonly {
    readonly heading: string;
    readonly column: BulkColumn | null;
    readonly partOf?: BulkColumn;
  }[];
  readonly rowCount: number;
  readonly counts: {
    /** Rows without problems that were not given to the queue. */
    readonly ready: number;
    readonly withErrors: number;
    /** Rows with warnings that were not given to the queue. */
    readonly withWarnings: number;
    /** Those of them of which the same is known to be sent: they wait for nobody. */
    readonly sentBefore: number;
    /** Rows given to the queue that were not cancelled, and their results. */
    readonly queued: number;
    readonly waiting: number;
    /** Those of them that wait for a person's decision, as the same went elsewhere, or their countdown was stopped. */
    readonly asking: number;
    readonly done: number;
    readonly refused: number;
    readonly failed: number;
    /** By a person, who took them back or cancelled them; in the queue or before. */
    readonly cancelled: number;
    /** In the queue, because the same was there. */
    readonly passedOver: number;
    readonly inDoubt: number;
    /** Rows that the service took within the last minute. */
    readonly sentLastMinute: number;
  };
  /** The failure that paused the bulk in this run; null if a person paused it. */
  readonly failure: Failure | null;
  readonly perMinute: number;
  readonly includeWarnings: boolean;
  /** ID for `jobs.list`, once something was sent. */
  readonly batchId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A text of all rows, or `varies` if the rows have several. */
export type BulkText = { readonly varies: false; readonly text: string } | { readonly varies: true };

/** What sending would do now. */
export interface BulkReview {
  readonly requests: number;
  /** Different signers, by address. */
  readonly people: number;
  /** Signers that are asked without a name; 0 where a request has no names. */
  readonly unnamed: number;
  /** The first of them, by name or else address. */
  readonly first: readonly string[];
  /** Different recipients of copies, by address. */
  readonly copies: number;
  readonly ownerSigns: boolean;
  /** Name of the file, or ID of the template. */
  readonly document: BulkText;
  readonly subject: BulkText;
  readonly message: BulkText;
  /** Name of the kind of credit that each request uses; null where each uses a signature request. */
  readonly credit: string | null;
  /** Columns in which something is filled in that requests of this kind do not have. */
  readonly notSent: readonly BulkColumn[];
  /** Credits of the kind that every request needs two of; null for other kinds. */
  readonly prepaidCredits: number | null;
  readonly idChecks: number;
  /** Requests with a secret word, and those whose word was kept for a run that is over, some of them in their own rows; null where a request can have none. */
  readonly secretWords: { readonly given: number; readonly lost: number; readonly lostInRows: number } | null;
  /** Rows left, included or not, by what is known of the same document to the same people from before. */
  readonly sentBefore: Readonly<Record<SentBefore['kind'], number>>;
}

/** The columns of a table before it is checked. */
export interface BulkColumns {
  /**
   * One for each heading, with what it means (null: nothing) and its first values; several columns may be parts of one name. Every heading is empty if the first row of
   * the spreadsheet holds an address: it is read as the others are.
   */
  readonly columns: readonly {
    readonly heading: string;
    readonly column: BulkColumn | null;
    readonly values: readonly string[];
  }[];
  readonly rowCount: number;
  /** Addresses without a name beside them. */
  readonly unnamed: number;
}

/** What each heading of a table means, in their order. A name may be in several columns, anything else in one. */
const columns = z.array(z.enum(bulkColumns).nullable()).max(100);

const someRows = z.strictObject({ id: localId, rows: z.array(z.int().min(1).max(2_000_000)).min(1).max(10_000) });

export const bulk = {
  /** Writes a table with two example rows into a file that the person chooses; null if cancelled. */
  'bulk.sample': call(() => ({ format: z.enum(['csv', 'xlsx']), language })).answers<{
    readonly fileName: string;
  } | null>(),
  /** Reads a table as `bulk.check` does, and answers its columns as they are said (`columns`), or as their headings say. */
  'bulk.columns': call(() => ({ tableToken: localId, columns: columns.optional() })).answers<BulkColumns>(),
  /**
   * Reads a CSV or XLSX table (at most 20 MB, 10,000 rows, 100 columns) and checks every row; nothing is sent. `content` holds the values for all
   * rows; a filled cell replaces them, and the recipients in `content` are ignored. `intakeId`: the files that the column `file` names. Rejects with
   * bad-input if no heading says e-mail (`fields.tableToken`) or if neither `content` nor any row names a file (`fields.fileToken`), and with
   * file-unreadable.
   */
  'bulk.check': call(() => ({
    connectionId: localId,
    tableToken: localId,
    /** Without it, each heading means what it says. Rejects with bad-input (`fields.columns`) if the table has other columns. */
    columns: columns.optional(),
    intakeId: localId.optional(),
    content: draftContent,
    /** The draft that the content comes from: it is no longer listed once the bulk is finished. */
    draftId: localId.optional(),
    /** For rows that have no secret word of their own: if absent the one that is kept with the draft, if empty none. */
    secretWord: xmlText(200).optional(),
    /** An earlier check of the same spreadsheet: if no row of it was given to the queue, it goes, and its mended cells are mended here. */
    replaces: localId.optional(),
  })).answers<Bulk>(),
  'bulk.list': call(() => ({})).answers<readonly Bulk[]>(),
  'bulk.rows': call(() => ({ id: localId, which: z.enum(bulkFilters).default('all'), ...page, among })).answers<{
    readonly rows: readonly BulkRow[];
    readonly total: number;
  }>(),
  /**
   * Changes a cell of a row that was not sent, and checks the row by the same rules again. The spreadsheet stays as it is. A file is chosen
   * (`fileToken`); any other value is a text. Rejects with bad-input while the bulk is sending, and for a row that was given to the queue.
   */
  'bulk.mend': call(() => ({
    id: localId,
    row: z.int().min(1).max(2_000_000),
    column: z.enum(bulkColumns),
    value: z.string().max(32_767),
    fileToken: localId.optional(),
  })).answers<BulkRow>(),
  /** Warns first of rows that were sent before since the last check: a paused bulk that has no others left is finished. */
  'bulk.review': call(() => ({
    id: localId,
    rows: z.enum(['first', 'all']),
    includeWarnings: z.boolean(),
  })).answers<BulkReview>(),
  /**
   * Sends requests, which costs credits and mails people: the first row that can be sent, or all that are left. No row is ever given to the queue
   * twice, even after a crash; a bulk that was sending continues by itself at the next start of the program.
   */
  'bulk.send': call(() => ({
    id: localId,
    rows: z.enum(['first', 'all']),
    /** Limit of requests per minute. */
    perMinute: z.int().min(1).max(6000).default(60),
    /** With `first` for that row alone. */
    includeWarnings: z.boolean().default(false),
    /** For rows that have none of their own, in place of one that is not kept any more. */
    secretWord: xmlText(200).optional(),
  })).answers<Bulk>(),
  /** Gives no more rows to the queue. Rows that wait there for their countdown or their turn are ready again; the others are sent. `bulk.send` resumes. */
  'bulk.pause': call(() => ({ id: localId })).answers<Bulk>(),
  /**
   * Takes these rows back, as cancelled: they are not sent. Answers those that are taken back; what has left, or has ended, stays. A paused bulk
   * that has nothing else to send is finished.
   */
  'bulk.takeBack': call(() => someRows).answers<{ readonly rows: readonly number[] }>(),
  /** Undoes `bulk.takeBack` for rows that were not sent again since. `bulk.send` sends them. */
  'bulk.putBack': repeatable(() => someRows).answers<null>(),
  /** Removes a bulk; its jobs and documents stay. Rejects with bad-input while it is sending. */
  'bulk.remove': call(() => ({ id: localId })).answers<Removed>(),
  /** Writes the table with state, document ID, answer and time beside each row into a new file that the person chooses; null if cancelled. */
  'bulk.saveResults': call(() => ({
    id: localId,
    format: z.enum(['csv', 'xlsx']),
    language,
  })).answers<{ readonly fileName: string } | null>(),
};

export const bulkEvents = {
  /** At most four times a second per bulk. */
  'bulk.changed': event<Bulk>(),
};
