import { randomUUID } from 'node:crypto';
import type { Batch, JobCounts, JobState, JobStep, Look } from '../../contract/activity.ts';
import type { Answer } from '../../contract/answer.ts';
import type { Failure } from '../../contract/failure.ts';
import { adoptDeadRuns, doubtUnknownDepartures } from './adopt-jobs.ts';
import type { Departures } from './departures.ts';
import { type NewDocument, putDocument } from './documents.ts';
import { listBatches } from './job-batches.ts';
import { type JobDuplicates, jobDuplicates } from './job-duplicates.ts';
import { askingCount, countJobs, type JobQuery, listJobs } from './job-lists.ts';
import { type JobQueue, jobQueue } from './job-queue.ts';
import { type Departure, holdNumbers, type JobRow, jobOf, type NewJob, type StoredJob } from './job-rows.ts';
import { addStep, storyOf } from './job-steps.ts';
import type { RunLock } from './run-lock.ts';
import type { Sql, SqlValue } from './sql.ts';

/** What a change of state may change besides. */
export interface JobChange {
  readonly sizeBytes?: number;
  readonly sha256?: string | null;
  readonly departedAt?: string | null;
  readonly answerBeganAt?: string | null;
  readonly raw?: string | null;
  readonly answer?: Answer | null;
  readonly documentId?: string | null;
  readonly failure?: Failure | null;
}

/** The ledger. Every function is one transaction, on the disk when it returns. */
export interface JobTable extends JobQueue, JobDuplicates {
  /** A batch that is not complete is removed at the next start: nothing of it is sent. */
  beginBatch(): { readonly seq: number; readonly id: string };
  add(batch: { readonly seq: number; readonly id: string }, jobs: readonly NewJob[]): void;
  completeBatch(batch: { readonly seq: number }): void;
  /**
   * Writes one job into a complete batch (a new one where `batchId` is null), in the same transaction as `bind`, which ties it to what it was made of. Where
   * `bind` says false nothing is written, and null is answered; else the batch's id.
   */
  addBound(batchId: string | null, job: NewJob, bind: (batchId: string) => boolean): string | null;
  /** Takes a batch back that is not complete. */
  dropBatch(batch: { readonly seq: number }): void;
  get(id: string): StoredJob | null;
  /** Moves a job if it is in one of `from`, and writes its story; false where it was not. The job becomes this run's. */
  move(id: string, from: readonly JobState[], to: JobState, change?: JobChange): boolean;
  /** As `move` from sending to done, with the new document in the register. */
  finish(id: string, change: JobChange, document: NewDocument | null): void;
  /** A person decided that this document is what became of a job in doubt; false where it is not in doubt. */
  accept(id: string, documentId: string, document: NewDocument | null): boolean;
  /** Ended jobs of these that are in one of `from` go on once more: a person decided it. Answers which. Only their batch can hold them. */
  sendAgain(ids: readonly string[], from: readonly JobState[], to: 'prepared' | 'waiting'): string[];
  /** As `move`, for many in one transaction. Answers which were moved. */
  moveAll(ids: readonly string[], from: readonly JobState[], to: JobState, change?: JobChange): string[];
  /** What was found when the service was asked about the job. */
  keepLook(id: string, look: Look): void;
  /** From here on an add may have been taken. Written while the first byte waits. */
  depart(id: string, departure: Omit<Departure, 'id'>): void;
  beginAnswer(id: string): void;
  list(query: JobQuery): { readonly jobs: StoredJob[]; readonly total: number };
  counts(): JobCounts;
  /** Jobs that wait for a decision about a duplicate. */
  askingCount(): number;
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
  };
  /** True where it was there and ended, not in doubt. */
  dismiss(id: string): boolean;
  story(id: string): JobStep[];
  /**
   * Takes over the jobs of runs that are over: departed ones become in doubt, the others wait. `unknown`: requests that left and of which the
   * database has no job: it came back older than it was.
   */
  adopt(): { readonly adopted: number; readonly doubted: number; readonly unknown: number };
}

export function jobTable(sql: Sql, run: RunLock, departures: Departures): JobTable {
  const move = (id: string, from: readonly JobState[], to: JobState, change: JobChange = {}) => {
    const moved = update(sql, run, id, from, to, change);
    if (moved) addStep(sql, id, to, change.failure);
    return moved;
  };
  return {
    ...jobQueue(sql, run),
    ...jobDuplicates(sql, move),
    beginBatch: () => sql.transaction(() => beginBatch(sql, run)),
    add: (batch, jobs) =>
      sql.transaction(() => {
        for (const job of jobs) insert(sql, run, batch, job);
      }),
    addBound: (batchId, job, bind) => addBound(sql, run, batchId, job, bind),
    completeBatch: ({ seq }) => {
      sql.run('UPDATE batches SET complete = 1 WHERE seq = ?', seq);
      // What was taken in is in the database itself then, should the write-ahead log be lost.
      sql.get('PRAGMA wal_checkpoint(PASSIVE)');
    },
    dropBatch: ({ seq }) => void sql.run('DELETE FROM batches WHERE complete = 0 AND seq = ?', seq),
    get: (id) => {
      const row = sql.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id);
      return row ? jobOf(row) : null;
    },
    move: (id, from, to, change) => sql.transaction(() => move(id, from, to, change)),
    finish: (id, change, document) =>
      sql.transaction(() => {
        if (move(id, ['sending'], 'done', change) && document) putDocument(sql, document);
      }),
    accept: (id, documentId, document) =>
      sql.transaction(() => {
        if (!move(id, ['in-doubt'], 'done', { documentId, failure: null })) return false;
        addStep(sql, id, 'accepted');
        if (document) putDocument(sql, document);
        return true;
      }),
    sendAgain: (ids, from, to) =>
      sql.transaction(() => ids.filter((id) => sendAgain(sql, id, () => move(id, from, to, afresh)))),
    moveAll: (ids, from, to, change) => sql.transaction(() => ids.filter((id) => move(id, from, to, change))),
    keepLook: (id, look) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET look = ?, updated_at = ? WHERE id = ?', JSON.stringify(look), now(), id);
        addStep(sql, id, 'looked-for');
      }),
    depart: (id, departure) => {
      const departed = { jobId: id, departureId: randomUUID(), at: now() };
      const text = JSON.stringify({ id: departed.departureId, ...departure });
      departures.write(departed);
      sql.transaction(() => {
        sql.run('UPDATE jobs SET departed_at = ?, departure = ? WHERE id = ?', departed.at, text, id);
        addStep(sql, id, 'departed');
      });
    },
    beginAnswer: (id) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET answer_began_at = ? WHERE id = ?', now(), id);
        addStep(sql, id, 'answer-began');
      }),
    list: (query) => listJobs(sql, query),
    counts: () => countJobs(sql),
    askingCount: () => askingCount(sql),
    batches: (page) => listBatches(sql, page),
    dismiss: (id) =>
      sql.run(
        `UPDATE jobs SET dismissed = 1 WHERE id = ? AND dismissed = 0
         AND state IN ('done', 'refused', 'failed', 'cancelled')`,
        id,
      ) === 1,
    story: (id) => storyOf(sql, id),
    adopt: () => ({ ...doubtUnknownDepartures(sql, departures), adopted: adoptDeadRuns(sql, run) }),
  };
}

/** What an attempt before says no more. */
const afresh: JobChange = { failure: null, departedAt: null, answerBeganAt: null };

function sendAgain(sql: Sql, id: string, move: () => boolean): boolean {
  if (!move()) return false;
  sql.run(
    `UPDATE jobs SET held = iif((SELECT held FROM batches AS b WHERE b.seq = batch_seq) = 1, ${holdNumbers.batch}, 0),
       duplicates = iif(duplicate_of IS NULL, duplicates, 'send') WHERE id = ?`,
    id,
  );
  addStep(sql, id, 'sent-again');
  return true;
}

function now(): string {
  return new Date().toISOString();
}

function beginBatch(sql: Sql, run: RunLock): { seq: number; id: string } {
  const id = randomUUID();
  const row = sql.get<{ seq: number }>(
    'INSERT INTO batches (id, run_id, complete, created_at) VALUES (?, ?, 0, ?) RETURNING seq',
    id,
    run.runId,
    now(),
  );
  return { seq: row?.seq ?? 0, id };
}

class NotBound extends Error {}

function addBound(
  sql: Sql,
  run: RunLock,
  batchId: string | null,
  job: NewJob,
  bind: (batchId: string) => boolean,
): string | null {
  try {
    return sql.transaction(() => {
      const id = batchId ?? randomUUID();
      if (batchId === null)
        sql.run('INSERT INTO batches (id, run_id, complete, created_at) VALUES (?, ?, 1, ?)', id, run.runId, now());
      const batch = sql.get<{ seq: number; id: string }>('SELECT seq, id FROM batches WHERE id = ?', id);
      if (!batch) throw new Error('the batch is gone');
      insert(sql, run, batch, job);
      // Thrown, so that the job is taken back.
      if (!bind(id)) throw new NotBound();
      return id;
    });
  } catch (error) {
    if (error instanceof NotBound) return null;
    throw error;
  }
}

function insert(sql: Sql, run: RunLock, batch: { readonly seq: number; readonly id: string }, job: NewJob): void {
  const at = now();
  sql.run(
    `INSERT INTO jobs (id, batch_seq, batch_id, run_id, connection_id, operation, title, args, record, source_path,
       image_path, image_bytes, has_secret, size_bytes, sha256, duplicates, state, created_at,
       updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'prepared', ?, ?)`,
    job.id,
    batch.seq,
    batch.id,
    run.runId,
    job.connectionId,
    job.operation,
    job.title,
    JSON.stringify(job.args),
    JSON.stringify(job.record),
    job.sourcePath,
    job.imagePath,
    job.imageBytes,
    job.hasSecret ? 1 : 0,
    job.sizeBytes,
    job.expectedSha256 ?? null,
    job.duplicates ?? 'send',
    at,
    at,
  );
  addStep(sql, job.id, 'prepared', null);
}

const columns: Record<keyof JobChange, string> = {
  sizeBytes: 'size_bytes',
  sha256: 'sha256',
  departedAt: 'departed_at',
  answerBeganAt: 'answer_began_at',
  raw: 'raw',
  answer: 'answer',
  documentId: 'document_id',
  failure: 'failure',
};

function update(
  sql: Sql,
  run: RunLock,
  id: string,
  from: readonly JobState[],
  to: JobState,
  change: JobChange,
): boolean {
  // Nothing holds a job that is over or under way.
  const sets = ['state = ?', "held = iif(? IN ('prepared', 'waiting'), held, 0)", 'run_id = ?', 'updated_at = ?'];
  const values: SqlValue[] = [to, to, run.runId, now()];
  for (const [key, value] of Object.entries(change) as [keyof JobChange, unknown][]) {
    if (value === undefined) continue;
    sets.push(`${columns[key]} = ?`);
    values.push(value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue));
  }
  const states = from.map(() => '?').join(', ');
  return (
    sql.run(
      `UPDATE jobs SET ${sets.join(', ')} WHERE id = ? AND dismissed = 0 AND state IN (${states})`,
      ...values,
      id,
      ...from,
    ) === 1
  );
}
