import { randomUUID } from 'node:crypto';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import type { NewJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';

/** How jobs come into the ledger. Every function is one transaction, on the disk when it returns. */
export interface InsertJobs {
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
}

/** What was taken in is in the database itself then, should the write-ahead log be lost. */
const checkpoint = (sql: Sql) => void sql.get('PRAGMA wal_checkpoint(PASSIVE)');

export function insertJobs(sql: Sql, run: RunLock): InsertJobs {
  return {
    beginBatch: () => sql.transaction(() => beginBatch(sql, run)),
    add: (batch, jobs) =>
      sql.transaction(() => {
        for (const job of jobs) insert(sql, run, batch, job);
      }),
    addBound: (batchId, job, bind) => {
      const taken = addBound(sql, run, batchId, job, bind);
      if (batchId === null) checkpoint(sql);
      return taken;
    },
    completeBatch: ({ seq }) => {
      sql.run('UPDATE batches SET complete = 1 WHERE seq = ?', seq);
      checkpoint(sql);
    },
    dropBatch: ({ seq }) => void sql.run('DELETE FROM batches WHERE complete = 0 AND seq = ?', seq),
  };
}

function beginBatch(sql: Sql, run: RunLock): { seq: number; id: string } {
  const id = randomUUID();
  const row = sql.get<{ seq: number }>(
    'INSERT INTO batches (id, run_id, complete, created_at) VALUES (?, ?, 0, ?) RETURNING seq',
    id,
    run.runId,
    new Date().toISOString(),
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
        sql.run(
          'INSERT INTO batches (id, run_id, complete, created_at) VALUES (?, ?, 1, ?)',
          id,
          run.runId,
          new Date().toISOString(),
        );
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
  const at = new Date().toISOString();
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
