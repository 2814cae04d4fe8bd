import { sep } from 'node:path';
import { type JobCounts, type JobState, jobStates } from '../../../contract/jobs.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { holdNumbers, readJobs, type StoredJob } from './job-rows.ts';

export interface JobQuery {
  readonly batchId?: string;
  readonly states?: readonly JobState[];
  /** Only jobs that wait for a decision about a duplicate. */
  readonly asking?: boolean;
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of jobs: newest batch first, within a batch in the order of the drop. Without dismissed jobs. */
export function listJobs(sql: Sql, query: JobQuery): { jobs: StoredJob[]; total: number } {
  const { batchId, states, asking = false, search = '', offset, limit } = query;
  const values: SqlValue[] = [];
  let where = 'dismissed = 0';
  if (batchId !== undefined) {
    where += ' AND batch_id = ?';
    values.push(batchId);
  }
  if (states) {
    where += ` AND state IN (${states.map(() => '?').join(', ')})`;
    values.push(...states);
  }
  if (asking) where += ' AND held = 3';
  if (search !== '') {
    where += ` AND (${['title', 'document_id', "record ->> 'signers'"].map((text) => `${text} LIKE ? ESCAPE '\\'`).join(' OR ')})`;
    const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    values.push(part, part, part);
  }
  const index = asking ? 'jobs_asking' : batchId === undefined ? 'jobs_list' : 'jobs_batch';
  const order = batchId === undefined ? 'batch_seq DESC, seq' : 'seq';
  const total =
    batchId === undefined && !asking && search === ''
      ? totalOf(countJobs(sql), states ?? jobStates)
      : (sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${where}`, ...values)?.n ?? 0);
  const page = `SELECT seq FROM jobs INDEXED BY ${index} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const jobs = readJobs(sql, `WHERE seq IN (${page}) ORDER BY batch_seq DESC, seq`, ...values, limit, offset);
  return { jobs, total };
}

function totalOf(counts: JobCounts, states: readonly JobState[]): number {
  return [...new Set(states)].reduce((sum, state) => sum + counts[state], 0);
}

/*
 * These counts are part of every published change. Without INDEXED BY, SQLite looks through all jobs that were ever made: it cannot know how few rows
 * the partial indexes have.
 */

export function askingCount(sql: Sql): number {
  return (
    sql.get<{ n: number }>('SELECT count(*) AS n FROM jobs INDEXED BY jobs_asking WHERE held = 3 AND dismissed = 0')
      ?.n ?? 0
  );
}

export function restoredCount(sql: Sql): number {
  const restored = `held >= ${holdNumbers.restored} AND state IN ('prepared', 'waiting') AND dismissed = 0`;
  return sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs INDEXED BY jobs_restored WHERE ${restored}`)?.n ?? 0;
}

export function openCount(sql: Sql, connectionId: string): number {
  const open = "state IN ('prepared', 'waiting') AND connection_id = ? AND dismissed = 0";
  return (
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs INDEXED BY jobs_open WHERE ${open}`, connectionId)?.n ?? 0
  );
}

export function leftSince(sql: Sql, connectionId: string, since: string): { count: number; taken: number } {
  const left = 'connection_id = ? AND departed_at >= ? AND departed_at IS NOT NULL AND superseded_by IS NULL';
  const text = `SELECT count(*) AS count, count(*) FILTER (WHERE state = 'done') AS taken FROM jobs INDEXED BY jobs_departed WHERE ${left}`;
  const row = sql.get<{ count: number; taken: number }>(text, connectionId, since);
  return { count: row?.count ?? 0, taken: row?.taken ?? 0 };
}

export function countJobs(sql: Sql): JobCounts {
  const counts = Object.fromEntries(jobStates.map((state) => [state, 0])) as Record<JobState, number>;
  for (const row of sql.all<{ state: JobState; jobs: number }>('SELECT state, jobs FROM job_counts'))
    counts[row.state] = row.jobs;
  return counts;
}

/** See JobTable. */
export function sourcesBelow(sql: Sql, folder: string): ReadonlySet<string> {
  const rows = sql.all<{ path: string }>(
    ['source_path', 'image_path']
      .map(
        (column) =>
          `SELECT j.${column} AS path FROM jobs AS j JOIN batches AS b ON b.seq = j.batch_seq
           WHERE b.complete = 1 AND j.dismissed = 0 AND j.state <> 'done' AND instr(j.${column}, ?) = 1`,
      )
      .join(' UNION '),
    folder + sep,
    folder + sep,
  );
  return new Set(rows.map(({ path }) => path));
}
