import { sep } from 'node:path';
import { type JobCounts, type JobState, jobStates, type ListedJobs } from '../../../contract/jobs.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { gates } from './job-gates.ts';
import { byWord, holdNumbers, readJobs, type StoredJob } from './job-rows.ts';

export interface JobFilter {
  readonly batchId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** Only jobs that wait for a decision about a duplicate. */
  readonly asking?: boolean;
  readonly search?: string | undefined;
  /** Created between these times, ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** What left over a connection since then, also what was taken off the list. */
  readonly sent?: { readonly connectionId: string; readonly from: string } | undefined;
  /** Those that were taken off the list, in place of the others. */
  readonly dismissed?: boolean;
}

export interface JobQuery extends JobFilter {
  readonly offset: number;
  readonly limit: number;
}

/** A page of jobs: newest batch first, within a batch in the order of the drop. */
export function listJobs(sql: Sql, query: JobQuery): ListedJobs<StoredJob> {
  const { batchId, states = jobStates, asking = false, dismissed = false, offset, limit } = query;
  const { where, values } = whereOf(query);
  const index = asking ? 'jobs_asking' : batchId === undefined ? 'jobs_list' : 'jobs_batch';
  // Few of all jobs, and found by an index of their own.
  const from = query.sent ? 'jobs' : `jobs INDEXED BY ${index}`;
  const order = batchId === undefined ? 'batch_seq DESC, seq' : 'seq';
  const page = `SELECT seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const jobs = readJobs(sql, `WHERE seq IN (${page}) ORDER BY batch_seq DESC, seq`, ...values, limit, offset);
  if ((query.search || query.from || query.to || query.sent || dismissed) && !asking) {
    const found = foundCounts(sql, query);
    return { jobs, total: dismissed ? found.dismissedCount : totalOf(found.counts, states), found };
  }
  if (batchId === undefined && !asking) return { jobs, total: totalOf(countJobs(sql), states) };
  const total = sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${where}`, ...values)?.n ?? 0;
  return { jobs, total };
}

/** Ids of these jobs, oldest first: what is added meanwhile comes last, and nothing comes twice. */
export function idsIn(sql: Sql, filter: JobFilter, page: { readonly afterSeq: number; readonly limit: number }) {
  const { where, values } = whereOf(filter);
  const text = `SELECT id, seq FROM jobs WHERE ${where} AND seq > ? ORDER BY seq LIMIT ?`;
  return sql.all<{ id: string; seq: number }>(text, ...values, page.afterSeq, page.limit);
}

function foundCounts(sql: Sql, { states: _all, ...filter }: JobFilter): NonNullable<ListedJobs['found']> {
  const { where, values } = whereOf({ ...filter, dismissed: false });
  const counts = noJobs();
  let askingCount = 0;
  const text = `SELECT state, count(*) AS jobs, sum(held = ${holdNumbers.duplicate}) AS asking FROM jobs WHERE ${where} GROUP BY state`;
  for (const { state, jobs, asking } of sql.all<{ state: JobState; jobs: number; asking: number }>(text, ...values)) {
    counts[state] = jobs;
    askingCount += asking;
  }
  const off = whereOf({ ...filter, dismissed: true });
  const dismissedCount =
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${off.where}`, ...off.values)?.n ?? 0;
  return { counts, askingCount, dismissedCount };
}

function whereOf({ batchId, connectionId, states, asking = false, search = '', from, to, sent, dismissed }: JobFilter) {
  const values: SqlValue[] = [];
  // Those that others replaced were taken off by nobody, and cannot be put back.
  let where = dismissed ? 'dismissed = 1 AND superseded_by IS NULL' : sent ? 'true' : 'dismissed = 0';
  const add = (text: string, ...more: readonly SqlValue[]) => {
    where += ` AND ${text}`;
    values.push(...more);
  };
  if (batchId !== undefined) add('batch_id = ?', batchId);
  if (connectionId !== undefined) add('connection_id = ?', connectionId);
  if (states) add(`state IN (${states.map(() => '?').join(', ')})`, ...states);
  if (from !== undefined) add('created_at >= ?', new Date(from).toISOString());
  if (to !== undefined) add('created_at <= ?', new Date(to).toISOString());
  if (sent) add(...sentWhere(sent));
  if (asking) add(`held = ${holdNumbers.duplicate}`);
  if (search !== '') {
    const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const texts = ['title', 'document_id', "record ->> 'signers'"].map((text) => `${text} LIKE ? ESCAPE '\\'`);
    add(`(${texts.join(' OR ')})`, part, part, part);
  }
  return { where, values };
}

function totalOf(counts: JobCounts, states: readonly JobState[]): number {
  return [...new Set(states)].reduce((sum, state) => sum + counts[state], 0);
}

/*
 * These counts are part of every published change. Without INDEXED BY, SQLite looks through all jobs that were ever made: it cannot know how few rows
 * the partial indexes have.
 */

const countOf = (sql: Sql, rest: string, ...values: SqlValue[]): number =>
  sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs ${rest} AND dismissed = 0`, ...values)?.n ?? 0;

export const askingCount = (sql: Sql) => countOf(sql, 'INDEXED BY jobs_asking WHERE held = 3');

export const restoredCount = (sql: Sql) =>
  countOf(sql, `INDEXED BY jobs_restored WHERE held >= ${holdNumbers.restored} AND state IN ('prepared', 'waiting')`);

const open = "INDEXED BY jobs_open WHERE state IN ('prepared', 'waiting') AND connection_id = ?";

/** Without those that wait for a person: a duplicate, or a countdown that was stopped. */
export const onwardCount = (sql: Sql, connectionId: string) =>
  countOf(
    sql,
    `${open} AND held <> ${holdNumbers.duplicate} AND gate % ${gates.paced} <> ${gates.stopped}`,
    connectionId,
  );

/** What left over a connection since then, as the contract says it. */
function sentWhere({ connectionId, from }: NonNullable<JobFilter['sent']>) {
  const departures = (job: string) => `SELECT 1 FROM job_events WHERE job_seq = ${job}.seq AND kind = 'departed'`;
  const text = `seq IN (SELECT seq FROM jobs INDEXED BY jobs_departed
    WHERE connection_id = ? AND departed_at >= ? AND departed_at IS NOT NULL
      AND (state = 'in-doubt' OR NOT EXISTS (
        SELECT 1 FROM jobs AS o WHERE o.id = jobs.superseded_by AND o.id <> jobs.id AND EXISTS (${departures('o')})))
    UNION ALL SELECT seq FROM jobs ${open} AND departed_at IS NULL AND EXISTS (${departures('jobs')} AND at >= ?))`;
  return [text, connectionId, from, connectionId, from] as const;
}

export function countSent(sql: Sql, sent: NonNullable<JobFilter['sent']>): { count: number; taken: number } {
  const { counts } = foundCounts(sql, { sent });
  const { where, values } = whereOf({ sent });
  const byWords =
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${where} AND ${byWord}`, ...values)?.n ?? 0;
  return { count: totalOf(counts, jobStates), taken: counts.done - byWords };
}

export function countJobs(sql: Sql): JobCounts {
  const counts = noJobs();
  for (const row of sql.all<{ state: JobState; jobs: number }>('SELECT state, jobs FROM job_counts'))
    counts[row.state] = row.jobs;
  return counts;
}

/** No job in any state. */
export function noJobs(): Record<JobState, number> {
  return Object.fromEntries(jobStates.map((state) => [state, 0])) as Record<JobState, number>;
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
