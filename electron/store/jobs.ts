import { randomUUID } from 'node:crypto';
import type { JobCounts, JobState } from '../../contract/activity.ts';
import type { Answer } from '../../contract/answer.ts';
import type { Failure } from '../../contract/failure.ts';
import { adoptDeadRuns } from './adopt-jobs.ts';
import { type NewDocument, putDocument } from './documents.ts';
import { countJobs, type JobQuery, listJobs } from './job-lists.ts';
import { type JobRow, jobOf, type NewJob, type StoredJob } from './job-rows.ts';
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

export interface JobStep {
  /** When, ISO 8601, UTC. */
  readonly at: string;
  /** The state that was reached, or `departed`, `answer-began`, `adopted`. */
  readonly kind: string;
  readonly failure: Failure | null;
}

/** The ledger. Every function is one transaction, on the disk when it returns. */
export interface JobTable {
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
  /** From here on an add may have been taken. Written while the first byte waits. */
  depart(id: string): void;
  beginAnswer(id: string): void;
  /** This run's prepared jobs of complete batches, oldest first. */
  prepared(limit: number): StoredJob[];
  /** This run's waiting jobs of a connection, smallest or oldest first. */
  waiting(connectionId: string, order: 'small' | 'old', limit: number): StoredJob[];
  /** Connections that have waiting jobs of this run. */
  waitingConnections(): string[];
  list(query: JobQuery): { readonly jobs: StoredJob[]; readonly total: number };
  counts(): JobCounts;
  /** True where it was there and ended, not in doubt. */
  dismiss(id: string): boolean;
  story(id: string): JobStep[];
  /** Takes over the jobs of runs that are over: departed ones become in doubt, the others wait. Answers how many. */
  adopt(): number;
}

export function jobTable(sql: Sql, run: RunLock): JobTable {
  const tell = (id: string, kind: string, failure: Failure | null = null) => addStep(sql, id, kind, failure);
  const move = (id: string, from: readonly JobState[], to: JobState, change: JobChange = {}) => {
    const moved = update(sql, run, id, from, to, change);
    if (moved) tell(id, to, change.failure);
    return moved;
  };
  return {
    beginBatch: () => sql.transaction(() => beginBatch(sql, run)),
    add: (batch, jobs) =>
      sql.transaction(() => {
        for (const job of jobs) insert(sql, run, batch, job);
      }),
    addBound: (batchId, job, bind) => addBound(sql, run, batchId, job, bind),
    completeBatch: ({ seq }) => void sql.run('UPDATE batches SET complete = 1 WHERE seq = ?', seq),
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
    depart: (id) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET departed_at = ? WHERE id = ?', now(), id);
        tell(id, 'departed');
      }),
    beginAnswer: (id) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET answer_began_at = ? WHERE id = ?', now(), id);
        tell(id, 'answer-began');
      }),
    prepared: (limit) => prepared(sql, run, limit),
    waiting: (connectionId, order, limit) => waiting(sql, run, connectionId, order, limit),
    waitingConnections: () =>
      sql
        .all<{ connection_id: string }>(
          "SELECT DISTINCT connection_id FROM jobs WHERE run_id = ? AND state = 'waiting'",
          run.runId,
        )
        .map((row) => row.connection_id),
    list: (query) => listJobs(sql, query),
    counts: () => countJobs(sql),
    dismiss: (id) =>
      sql.run(
        `UPDATE jobs SET dismissed = 1 WHERE id = ? AND dismissed = 0
         AND state IN ('done', 'refused', 'failed', 'cancelled')`,
        id,
      ) === 1,
    story: (id) => story(sql, id),
    adopt: () => adoptDeadRuns(sql, run),
  };
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
       image_path, image_bytes, has_secret, size_bytes, sha256, state, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'prepared', ?, ?)`,
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
    at,
    at,
  );
  addStep(sql, job.id, 'prepared', null);
}

function addStep(sql: Sql, id: string, kind: string, failure: Failure | null = null): void {
  sql.run(
    'INSERT INTO job_events (job_seq, at, kind, failure) SELECT seq, ?, ?, ? FROM jobs WHERE id = ?',
    now(),
    kind,
    failure ? JSON.stringify(failure) : null,
    id,
  );
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
  const sets = ['state = ?', 'run_id = ?', 'updated_at = ?'];
  const values: SqlValue[] = [to, run.runId, now()];
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

function prepared(sql: Sql, run: RunLock, limit: number): StoredJob[] {
  return sql
    .all<JobRow>(
      `SELECT j.* FROM jobs AS j JOIN batches AS b ON b.seq = j.batch_seq
       WHERE j.run_id = ? AND j.state = 'prepared' AND b.complete = 1 ORDER BY j.seq LIMIT ?`,
      run.runId,
      limit,
    )
    .map(jobOf);
}

function waiting(sql: Sql, run: RunLock, connectionId: string, order: 'small' | 'old', limit: number): StoredJob[] {
  return sql
    .all<JobRow>(
      `SELECT * FROM jobs WHERE run_id = ? AND state = 'waiting' AND connection_id = ?
       ORDER BY ${order === 'small' ? 'size_bytes, seq' : 'seq'} LIMIT ?`,
      run.runId,
      connectionId,
      limit,
    )
    .map(jobOf);
}

function story(sql: Sql, id: string): JobStep[] {
  return sql
    .all<{ at: string; kind: string; failure: string | null }>(
      `SELECT e.at, e.kind, e.failure FROM job_events AS e JOIN jobs AS j ON j.seq = e.job_seq
       WHERE j.id = ? ORDER BY e.seq`,
      id,
    )
    .map((row) => ({ ...row, failure: row.failure ? (JSON.parse(row.failure) as Failure) : null }))
    .map(({ at, kind, failure }) => ({ at, kind, failure }));
}
