import type { Batch, JobState } from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { Sql } from '../database/sql.ts';
import { noJobs } from './job-lists.ts';

/** Complete batches with at least one job that is not dismissed, newest first. */
export function listBatches(sql: Sql, page: { readonly offset: number; readonly limit: number }) {
  const shown =
    'FROM batches AS b WHERE complete = 1 AND EXISTS (SELECT 1 FROM jobs WHERE batch_id = b.id AND dismissed = 0)';
  const total = sql.get<{ n: number }>(`SELECT count(*) AS n ${shown}`)?.n ?? 0;
  const rows = sql.all<{ id: string; created_at: string }>(
    `SELECT id, created_at ${shown} ORDER BY seq DESC LIMIT ? OFFSET ?`,
    page.limit,
    page.offset,
  );
  const allDismissed = total === 0 && sql.get('SELECT 1 FROM jobs WHERE dismissed = 1 LIMIT 1') !== undefined;
  return { batches: rows.map((row) => batchOf(sql, row.id, row.created_at)), total, allDismissed };
}

/** The batches of these ids that have jobs that are not dismissed. */
export function readBatches(sql: Sql, ids: readonly string[]): Batch[] {
  const rows = sql.all<{ id: string; created_at: string }>(
    `SELECT id, created_at FROM batches AS b WHERE complete = 1 AND id IN (SELECT value FROM json_each(?))
     AND EXISTS (SELECT 1 FROM jobs WHERE batch_id = b.id AND dismissed = 0)`,
    JSON.stringify(ids),
  );
  return rows.map((row) => batchOf(sql, row.id, row.created_at));
}

function batchOf(sql: Sql, batchId: string, createdAt: string): Batch {
  const counts = noJobs();
  let [totalBytes, pausedCount] = [0, 0];
  for (const row of sql.all<{ state: JobState; jobs: number; bytes: number; paused: number }>(
    `SELECT state, count(*) AS jobs, sum(size_bytes) AS bytes, sum(held = 2) AS paused
     FROM jobs WHERE batch_id = ? AND dismissed = 0 GROUP BY state`,
    batchId,
  )) {
    counts[row.state] = row.jobs;
    totalBytes += row.bytes;
    pausedCount += row.paused;
  }
  const first = sql.get<{ connection_id: string; title: string; operation: OperationName }>(
    'SELECT connection_id, title, operation FROM jobs WHERE batch_id = ? AND dismissed = 0 ORDER BY seq LIMIT 1',
    batchId,
  );
  return {
    batchId,
    connectionId: first?.connection_id ?? '',
    title: first?.title ?? '',
    operation: first?.operation ?? 'AddNewDocument',
    counts,
    totalBytes,
    pausedCount,
    createdAt,
  };
}
