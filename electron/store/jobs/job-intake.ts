import { randomUUID } from 'node:crypto';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { takeBack } from './job-gates.ts';
import { gateNumber, type NewJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { workKey } from './same-work.ts';

type TakenBackJob = NewJob & { readonly bind: (jobId: string) => boolean };

/** Copies the added jobs into the database file, so that they survive a loss of the write-ahead log. */
const checkpoint = (sql: Sql) => void sql.get('PRAGMA wal_checkpoint(PASSIVE)');

/** Adds jobs to the database. Every function is one transaction, on the disk when it returns. */
export function insertJobs(sql: Sql, run: RunLock) {
  return {
    /** Begins a batch. An incomplete batch is never sent, and is removed at the next start. */
    beginBatch: () => sql.transaction(() => beginBatch(sql, run, 0)),
    add: (batch: StoredBatch, jobs: readonly NewJob[]): void =>
      sql.transaction(() => {
        for (const job of jobs) insert(sql, run, batch, job);
      }),
    /**
     * Adds one job to a complete batch (to a new one if `batchId` is null), in the same transaction as `bind`, which marks the row or draft as sent by this job.
     * Answers the batch's id; null, with nothing written, if `bind` answers false.
     */
    addBound: (batchId: string | null, job: NewJob, bind: (batchId: string) => boolean) => {
      const taken = addBound(sql, run, batchId, job, bind);
      if (batchId === null) checkpoint(sql);
      return taken;
    },
    /** Adds those of these jobs that their row is bound to, cancelled from the first. Answers the batch's id, a new one's if `batchId` is null. */
    addTakenBack: (batchId: string | null, jobs: readonly TakenBackJob[]) =>
      sql.transaction(() => addTakenBack(sql, run, batchId, jobs)),
    completeBatch: ({ seq }: { readonly seq: number }) => {
      sql.run('UPDATE batches SET complete = 1 WHERE seq = ?', seq);
      checkpoint(sql);
    },
    /** Removes an incomplete batch. */
    dropBatch: ({ seq }: { readonly seq: number }) =>
      void sql.run('DELETE FROM batches WHERE complete = 0 AND seq = ?', seq),
  };
}

export interface StoredBatch {
  readonly seq: number;
  readonly id: string;
}

function beginBatch(sql: Sql, run: RunLock, complete: 0 | 1): StoredBatch {
  const values = [randomUUID(), run.runId, complete, new Date().toISOString()];
  const text = 'INSERT INTO batches (id, run_id, complete, created_at) VALUES (?, ?, ?, ?) RETURNING seq, id';
  return sql.get<StoredBatch>(text, ...values) as StoredBatch;
}

/** Call it within a transaction. */
function completeBatch(sql: Sql, run: RunLock, batchId: string | null): StoredBatch {
  if (batchId === null) return beginBatch(sql, run, 1);
  const batch = sql.get<StoredBatch>('SELECT seq, id FROM batches WHERE id = ?', batchId);
  if (!batch) throw new Error('the batch is gone');
  return batch;
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
      const batch = completeBatch(sql, run, batchId);
      insert(sql, run, batch, job);
      // Thrown to roll the transaction back.
      if (!bind(batch.id)) throw new NotBound();
      return batch.id;
    });
  } catch (error) {
    if (error instanceof NotBound) return null;
    throw error;
  }
}

function addTakenBack(sql: Sql, run: RunLock, batchId: string | null, jobs: readonly TakenBackJob[]): string | null {
  const bound = jobs.filter(({ id, bind }) => bind(id));
  if (bound.length === 0) return batchId;
  const batch = completeBatch(sql, run, batchId);
  for (const job of bound) insert(sql, run, batch, job);
  const ids = bound.map(({ id }) => id);
  takeBack(sql, run, ids, []);
  return batch.id;
}

function insert(sql: Sql, run: RunLock, batch: StoredBatch, job: NewJob): void {
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
