import { createHash } from 'node:crypto';
import { peopleKey } from '../../../contract/email.ts';
import type { DuplicateOf, JobState } from '../../../contract/jobs.ts';
import type { Sql } from '../database/sql.ts';
import { hasNoId } from '../documents/stored-document.ts';
import { holdNumbers, type NewJob, type PlainArguments, readJob, type StoredJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';

/** Jobs and documents that do not count as duplicates. */
interface Except {
  readonly jobId?: string;
  /** The duplicate that a person has already decided about. */
  readonly decided?: DuplicateOf | null;
  /** For who passes over what is there: a doubt about the same goes before all others, and is no "it is registered". */
  readonly doubtFirst?: boolean;
}

/**
 * The document or job with these bytes on this connection: a document in the register, else a job that is done, in doubt, being sent or waiting, in this order: a waiting
 * duplicate must not hide one that is done. Failed, refused, passed-over and cancelled jobs do not count, nor jobs that this job replaced. `people`: only duplicates with these signers, as `peopleKey` writes them.
 */
export function sameBytes(
  sql: Sql,
  connectionId: string,
  sha256: string,
  except: Except = {},
  people: string | null = null,
): DuplicateOf | null {
  const job = sameJob(sql, connectionId, sha256, except, people);
  if (except.doubtFirst && job?.state === 'in-doubt') return job;
  return sameDocument(sql, connectionId, sha256, except, people) ?? job;
}

/**
 * The duplicate that sending this job again would create, other than the one that a person already decided about. One document goes to many people on purpose, so
 * a signature request is a duplicate only with the same signers. A job without a document is compared by its operation and `comparableArgs`.
 */
export function sameWork(sql: Sql, job: StoredJob, sha256: string | null): DuplicateOf | null {
  const { duplicates: rule, duplicateOf } = job;
  const except = { jobId: job.id, decided: rule === 'ask' ? null : duplicateOf, doubtFirst: rule === 'skip' };
  if (job.sourcePath === null) return sameOrder(sql, job, except);
  if (sha256 === null) return null;
  return sameBytes(sql, job.connectionId, sha256, except, job.operation === 'AddNewDocument' ? null : workKey(job));
}

interface Found {
  readonly id: string;
  readonly document_id: string | null;
  readonly title: string;
  readonly at: string;
}

function sameDocument(
  sql: Sql,
  connectionId: string,
  sha256: string,
  { jobId = '', decided }: Except,
  people: string | null,
): DuplicateOf | null {
  const row = sql.get<Found & { job_id: string | null; by_person: string | null; by_computer: string | null }>(
    `SELECT id, document_id, name AS title, registered_at AS at, job_id, by_person, by_computer FROM documents AS d
     WHERE NOT ${hasNoId} AND sha256 = ? AND connection_id = ? AND (job_id IS NULL OR job_id NOT IN (?, ?)) AND document_id <> ?
     ${people === null ? '' : 'AND coalesce(signers_key, signers) = ?'} ORDER BY seq LIMIT 1`,
    sha256,
    connectionId,
    jobId,
    decided?.jobId ?? jobId,
    decided?.documentId ?? '',
    ...(people === null ? [] : [people]),
  );
  if (!row) return null;
  return {
    kind: 'document',
    documentId: row.document_id,
    jobId: row.job_id,
    title: row.title,
    state: 'done',
    at: row.at,
    ...(row.by_person === null ? {} : { by: { person: row.by_person, computer: row.by_computer ?? '' } }),
  };
}

const counts = `state IN ('waiting', 'sending', 'in-doubt', 'done') AND id NOT IN (?, ?)
  AND (document_id IS NULL OR document_id <> ?) AND NOT (state = 'in-doubt' AND superseded_by IS ?)`;
const furthestFirst = `CASE state WHEN 'done' THEN 0 WHEN 'in-doubt' THEN 1 WHEN 'sending' THEN 2 ELSE 3 END, seq`;

type JobFound = Found & { readonly state: JobState };

/** A request of a bulk; `sha256` is null for one of a template. */
interface RowOfBulk extends Pick<StoredJob, 'connectionId' | 'operation' | 'sha256'> {
  readonly workKey: string;
  /** Null before the first row of the bulk. */
  readonly batchId: string | null;
}

/** The same in another batch, later than `after`: two indexes say it, however many requests there are. `which`: a condition more. */
export function inOtherBatch(
  sql: Sql,
  { connectionId, operation, sha256, workKey, batchId }: RowOfBulk,
  after: string,
  except: Except = {},
  which = '',
): DuplicateOf | null {
  const same = sha256 === null ? 'source_path IS NULL AND operation = ?' : 'sha256 = ?';
  return findJob(
    sql,
    connectionId,
    except,
    `WHERE ${same} AND work_key = ? AND batch_id IS NOT ? AND at > ? ${which}`,
    ...[sha256 ?? operation, workKey, batchId, after],
  );
}

/**
 * Holds a row of a bulk that is about to leave for a person's decision, if the same went elsewhere since a person was last told or asked about it, or it came into the queue. What only waits elsewhere
 * is compared when it leaves. Call it in a transaction.
 */
export function holdIfSentSince(sql: Sql, id: string): void {
  const row = sql.get<{ told: string }>(
    `SELECT max(coalesce((SELECT max(value ->> '$.sentAt') FROM json_each(r.problems)), ''), coalesce((SELECT max(at) FROM job_events
       WHERE job_seq = j.seq AND kind IN ('sent-again', 'duplicate-decided')), '')) AS told
     FROM bulk_rows AS r JOIN bulks AS b ON b.seq = r.bulk_seq JOIN jobs AS j ON j.id = r.job_id AND j.batch_id = b.batch_id
     WHERE r.job_id = ? AND j.state = 'waiting' AND j.held = 0`,
    id,
  );
  const job = row && readJob(sql, id);
  if (!row || !job) return;
  const except = { jobId: id, decided: job.duplicateOf };
  const same = inOtherBatch(sql, { ...job, workKey: workKey(job) }, row.told, except, "AND state <> 'waiting'");
  if (same) recordDuplicate(sql, id, same, true);
}

/** A job of the connection with these bytes. */
function sameJob(
  sql: Sql,
  connectionId: string,
  sha256: string,
  except: Except,
  people: string | null,
): DuplicateOf | null {
  if (people === null) return findJob(sql, connectionId, except, 'WHERE sha256 = ?', sha256);
  return findJob(sql, connectionId, except, 'WHERE sha256 = ? AND work_key = ?', sha256, people);
}

function sameOrder(sql: Sql, job: StoredJob, except: Except): DuplicateOf | null {
  const which = 'INDEXED BY jobs_same_order WHERE operation = ? AND source_path IS NULL AND work_key = ?';
  return findJob(sql, job.connectionId, except, which, job.operation, workKey(job));
}

function findJob(
  sql: Sql,
  connectionId: string,
  { jobId = '', decided, doubtFirst }: Except,
  which: string,
  ...values: readonly (string | null)[]
): DuplicateOf | null {
  const row = sql.get<JobFound>(
    `SELECT id, document_id, title, coalesce(departed_at, created_at) AS at, state FROM jobs ${which} AND connection_id = ? AND ${counts}
     ORDER BY ${doubtFirst ? `state <> 'in-doubt', ` : ''}${furthestFirst} LIMIT 1`,
    ...values,
    connectionId,
    jobId,
    decided?.jobId ?? jobId,
    decided?.documentId ?? '',
    jobId,
  );
  return row ? ofJob(row) : null;
}

/**
 * Another job, on any connection, that may have registered these bytes: it was taken, may have been, or has left more often than the service or the program says that
 * nothing came of it. One of which nothing has ever left is none, however long it waits.
 */
export function mayHaveRegistered(sql: Sql, sha256: string, exceptId: string): DuplicateOf | null {
  const row = sql.get<JobFound>(
    `WITH RECURSIVE ids(id) AS (SELECT min(connection_id) FROM jobs
       UNION ALL SELECT (SELECT min(connection_id) FROM jobs WHERE connection_id > ids.id) FROM ids WHERE ids.id IS NOT NULL)
     SELECT id, document_id, title, coalesce(departed_at, created_at) AS at, state FROM jobs
     WHERE connection_id IN (SELECT id FROM ids) AND sha256 = ? AND id <> ? AND (state IN ('sending', 'in-doubt', 'done')
       OR (SELECT count(*) FROM job_events WHERE job_seq = jobs.seq AND kind = 'departed') > (state IN ('refused', 'failed')))
     ORDER BY ${furthestFirst} LIMIT 1`,
    sha256,
    exceptId,
  );
  return row ? ofJob(row) : null;
}

/**
 * What an add repeats besides its bytes, in the form in which it is compared: of a document its people, none for a registration; without a document `comparableArgs`.
 * The ledger has it as a column, because SQLite changes the case of ASCII only.
 */
export function workKey({ sourcePath, record, args }: Pick<NewJob, 'sourcePath' | 'record' | 'args'>): string {
  if (sourcePath !== null) return peopleKey(record?.signers ?? '');
  return createHash('sha256')
    .update(JSON.stringify(comparableArgs(args)))
    .digest('hex');
}

/**
 * What an add without a document sends, as far as it makes another one: of a template who signs it and with what it is filled in, as of a document who signs the same
 * bytes. Its name, description, reference and mail are no difference.
 */
export const comparableArgs = (args: PlainArguments): PlainArguments =>
  args.TemplateID === undefined
    ? args
    : { template: filledTemplate(args), people: peopleKey(String(args.Emails ?? '')) };

/** A template as it is filled in, for comparison. */
export const filledTemplate = ({ TemplateID, XMLData }: PlainArguments): string =>
  `${TemplateID ?? ''}\n${XMLData ?? ''}`;

/** Notes what a job repeats; `asks`: it is held for a person's decision. Call it in a transaction. */
export function recordDuplicate(sql: Sql, id: string, same: DuplicateOf, asks: boolean): void {
  // The hold of a restored database stays in force besides.
  const { duplicate, restored } = holdNumbers;
  const asking = asks ? `, held = ${duplicate} + iif(held >= ${restored}, ${restored}, 0), duplicates = 'ask'` : '';
  sql.run(`UPDATE jobs SET duplicate_of = ?${asking} WHERE id = ?`, JSON.stringify(same), id);
  addStep(sql, id, 'duplicate-found');
}

function ofJob({ id, document_id, title, at, state }: JobFound): DuplicateOf {
  return { kind: 'job', documentId: document_id, jobId: id, title, state, at };
}
