import type { Answer } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { DuplicateOf, DuplicateRule, Hold, Job, Reconciliation, RepeatRule } from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { Receipt } from '../../../contract/receipts.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import type { NewDocument } from '../documents/documents.ts';

/** Values for the register, written when the service answers with a document ID. */
export type DocumentRecord = Pick<NewDocument, 'name' | 'description' | 'clientId' | 'signers' | 'fileName'>;

/** Values of child elements by their names in the interface; no document, no credentials, no secret word. */
export type PlainArguments = Readonly<Record<string, string | number | boolean | undefined>>;

/** Circumstances under which a request left, for receipts; no secret. */
export interface Departure extends Pick<Sent, 'certificateFingerprint' | 'certificateIssuer'> {
  /** A new id for each departure of the job; the separate note has it, too (departures.ts). */
  readonly id: string;
  /** Version of the program that sent it. */
  readonly program: string;
  readonly connection: Pick<Sent, 'name' | 'address' | 'namespaceUri' | 'soapVersion'>;
}
type Sent = NonNullable<Receipt['connection']>;

export interface NewJob {
  readonly id: string;
  readonly connectionId: string;
  readonly operation: OperationName;
  readonly title: string;
  readonly args: PlainArguments;
  /** Null if the operation creates no document. */
  readonly record: DocumentRecord | null;
  /** Path of the original file; null if the operation has no document. */
  readonly sourcePath: string | null;
  readonly imagePath: string | null;
  readonly imageBytes: number;
  /** As `modifiedMs`, `identity` and `expectedSha256`, of the image. */
  readonly imageModifiedMs?: number | null;
  readonly imageIdentity?: string | null;
  readonly imageSha256?: string | null;
  readonly hasSecret: boolean;
  readonly sizeBytes: number;
  /** Time of the original's last change when it was chosen, in milliseconds since 1970. */
  readonly modifiedMs?: number | null;
  /** As `LocalFile.identity`. */
  readonly identity?: string | null;
  /** SHA-256 of the document when it was chosen: another file at the same path is not sent. */
  readonly expectedSha256?: string;
  /** Rule for a document whose bytes the connection already has, or for a request that repeats another; `send` by default. */
  readonly duplicates?: DuplicateRule | RepeatRule;
  /** `open` by default. */
  readonly gate?: Gate;
}

export interface StoredJob
  extends Omit<NewJob, 'gate'>,
    Pick<Job, 'batchId' | 'state' | 'sha256' | 'raw' | 'answer' | 'documentId' | 'failure'>,
    Pick<Job, 'duplicateOf' | 'look' | 'createdAt' | 'at'> {
  readonly runId: string;
  readonly modifiedMs: number | null;
  readonly identity: string | null;
  readonly imageModifiedMs: number | null;
  readonly imageIdentity: string | null;
  readonly imageSha256: string | null;
  readonly departedAt: string | null;
  readonly answerBeganAt: string | null;
  readonly dismissed: boolean;
  /** The last of the jobs that were sent in its place; itself where it was taken back for good. Of one in doubt on the list: of those that came to nothing. */
  readonly supersededBy: string | null;
  readonly isByWord: boolean;
  /** It was not sent yet, or not taken, and corrects one in doubt. */
  readonly isBesideDoubt: boolean;
  /** Never `all`, which is a setting and not a property of the job. */
  readonly held: Hold | null;
  /** Whether a countdown keeps it back, or one that was stopped. */
  readonly countdown: 'countdown' | 'countdown-stopped' | null;
  readonly duplicates: DuplicateRule | RepeatRule;
  readonly departure: Departure | null;
  /** When the last attempt was seen to end; null if none has, or the program ended before. */
  readonly attemptEndedAt: string | null;
}

/** Whether a job (a row of `jobs`) corrects one in doubt, by itself or by what it corrects. */
export const isBesideDoubt = "EXISTS (SELECT 1 FROM jobs o WHERE o.superseded_by = jobs.id AND o.state = 'in-doubt')";
/** Whether a job (a row of `jobs`) is done by a person's word alone: each end is a step of its own, and that word follows the last. */
export const byWord = `(state = 'done' AND 'unchecked' IS
  (SELECT kind FROM job_events WHERE job_seq = jobs.seq AND kind IN ('done', 'unchecked') ORDER BY seq DESC LIMIT 1))`;

/** Fields of a job that are columns of its row, in the words of the columns: `batchId` is batch_id. */
const fields =
  'id batchId runId connectionId operation title args record sourcePath imagePath imageBytes imageModifiedMs imageIdentity imageSha256 hasSecret sizeBytes modifiedMs identity sha256 state departedAt answerBeganAt raw answer documentId failure dismissed supersededBy held gate duplicates duplicateOf look departure createdAt attemptEndedAt at';

const jobColumns = fields
  .replaceAll(/\w+/g, (field) => `${field.replaceAll(/[A-Z]/g, '_$&')} AS ${field},`)
  .concat(`${byWord} AS isByWord, state NOT IN ('sending', 'in-doubt', 'done') AND ${isBesideDoubt} AS isBesideDoubt`);

type JsonField = 'args' | 'record' | 'answer' | 'failure' | 'duplicateOf' | 'look' | 'departure';
type NumberField = 'hasSecret' | 'dismissed' | 'isByWord' | 'isBesideDoubt' | 'held' | 'gate';
type JobRow = Omit<StoredJob, JsonField | NumberField | 'countdown'> &
  Readonly<Record<JsonField, string | null> & Record<NumberField, number>>;

/** Jobs by the end of a query: what follows FROM jobs. */
export function readJobs(sql: Sql, end: string, ...values: SqlValue[]): StoredJob[] {
  return sql.all<JobRow>(`SELECT ${jobColumns} FROM jobs ${end}`, ...values).map(jobOf);
}

export function readJob(sql: Sql, id: string): StoredJob | null {
  const row = sql.get<JobRow>(`SELECT ${jobColumns} FROM jobs WHERE id = ?`, id);
  return row ? jobOf(row) : null;
}

/**
 * Values of the column `gate`: 0 lets a job be sent. `counting`: its program counts down; `stopped`: nobody counts any more, and a person decides. `paced` is added
 * for a row of a bulk, which opens the gates of its rows one after the other once the countdown is over.
 */
export const gates = { open: 0, counting: 1, stopped: 2, paced: 10 } as const;
/** Conditions on a job. */
export const gateIs = {
  counting: `gate % ${gates.paced} = ${gates.counting}`,
  stopped: `gate % ${gates.paced} = ${gates.stopped}`,
} as const;

/** How a job enters the queue: at once, after a countdown, or as a row of a bulk after one, or after a person's decision, and then at its pace. */
export type Gate = 'open' | 'counting' | 'counting-paced' | 'stopped-paced';

export function gateNumber(gate: Gate): number {
  const { open, counting, stopped, paced } = gates;
  return { open, counting, 'counting-paced': counting + paced, 'stopped-paced': stopped + paced }[gate];
}

/** Values of the column `held`. `restored` is added to the number of any other hold. */
export const holdNumbers = { job: 1, batch: 2, duplicate: 3, restored: 100 } as const;
const holdNames: Readonly<Record<number, Hold>> = { 1: 'job', 2: 'batch', 3: 'duplicate' };

function countdownOf(gate: number): StoredJob['countdown'] {
  const { counting, stopped, paced } = gates;
  if (gate % paced === counting) return 'countdown';
  return gate % paced === stopped ? 'countdown-stopped' : null;
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

function jobOf({ gate, ...row }: JobRow): StoredJob {
  return {
    ...row,
    args: parsed<PlainArguments>(row.args) ?? {},
    record: parsed<DocumentRecord>(row.record),
    hasSecret: row.hasSecret === 1,
    answer: parsed<Answer>(row.answer),
    failure: parsed<Failure>(row.failure),
    dismissed: row.dismissed === 1,
    isByWord: row.isByWord === 1,
    isBesideDoubt: row.isBesideDoubt === 1,
    held: row.held >= holdNumbers.restored ? 'restored' : (holdNames[row.held] ?? null),
    countdown: countdownOf(gate),
    duplicateOf: parsed<DuplicateOf>(row.duplicateOf),
    look: parsed<Reconciliation>(row.look),
    departure: parsed<Departure>(row.departure),
  };
}

/** The document for a job that made this document; null if it made none. */
export function documentOfJob(
  job: StoredJob,
  documentId: string | null,
  registeredAt = new Date().toISOString(),
): NewDocument | null {
  if (job.record === null) return null;
  const isFile = job.sourcePath !== null;
  return {
    connectionId: job.connectionId,
    documentId: documentId ?? job.id,
    jobId: job.id,
    ...job.record,
    sizeBytes: isFile ? job.sizeBytes : null,
    sha256: job.sha256,
    registeredAt,
  };
}
