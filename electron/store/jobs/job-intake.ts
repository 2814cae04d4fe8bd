import { randomUUID } from 'node:crypto';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { gateNumber } from './job-gates.ts';
import type { NewJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { workKey } from './same-work.ts';

/** Adds jobs to the database. Every function is one transaction, on the disk when it returns. */
export interface InsertJobs {
  /** Begins a batch. An incomplete batch is never sent, and is removed at the next start. */
  beginBatch(): { readonly seq: number; readonly id: string };
  add(batch: { readonly seq: number; readonly id: string }, jobs: readonly NewJob[]): void;
  completeBatch(batch: { readonly seq: number }): void;
  /**
   * Adds one job to a complete batch (to a new one if `batchId` is null), in the same transaction as `bind`, which marks the row or draft as sent by this job.
   * Answers the batch's id; null, with nothing written, if `bind` answers false.
   */
  addBound(batchId: string | null, job: NewJob, bind: (batchId: string) => boolean): string | null;
  /** Removes an incomplete batch. */
  dropBatch(batch: { readonly seq: number }): void;
}

/** Copies the added jobs into the database file, so that they survive a loss of the write-ahead log. */
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
      // Thrown to roll the transaction back.
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
       image_path, image_bytes, image_modified_ms, image_identity, image_sha256, has_secret, size_bytes, modified_ms, identity, sha256, duplicates, state, created_at,
       updated_at, gate, work_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'prepared', ?, ?, ?, ?)`,
    ...[job.id, batch.seq, batch.id, run.runId, job.connectionId, job.operation, job.title],
    ...[JSON.stringify(job.args), JSON.stringify(job.record), job.sourcePath, job.imagePath, job.imageBytes],
    ...[job.imageModifiedMs ?? null, job.imageIdentity ?? null, job.imageSha256 ?? null, job.hasSecret ? 1 : 0],
    ...[job.sizeBytes, job.modifiedMs ?? null, job.identity ?? null, job.expectedSha256 ?? null],
    ...[job.duplicates ?? 'send', at, at, gateNumber(job.gate ?? 'open'), workKey(job)],
  );
  addStep(sql, job.id, 'prepared', null);
}
