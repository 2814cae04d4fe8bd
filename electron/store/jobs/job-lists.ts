import { sep } from 'node:path';
import type { CallParsed } from '../../../contract/index.ts';
import { type JobCounts, type JobState, jobStates, type ListedJobs } from '../../../contract/jobs.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { byWord, gateIs, holdNumbers, readJob, readJobs, type StoredJob } from './job-rows.ts';
import { attemptsOf } from './job-steps.ts';

/** What a caller asks for, or the core alone by connection. */
export type JobFilter = Partial<Omit<CallParsed<'jobs.list'>, 'states' | 'offset' | 'limit'>> & {
  readonly states?: readonly JobState[] | undefined;
  readonly connectionId?: string | undefined;
};

export interface JobQuery extends JobFilter {
  readonly offset: number;
  readonly limit: number;
}

/** A page of jobs: newest batch first, within a batch in the order of the drop; of what was sent, the last departure first. */
export function listJobs(sql: Sql, query: JobQuery): ListedJobs<StoredJob> {
  const { batchId, states = jobStates, asking, dismissed = false, corrected } = query;
  const jobs = query.sent ? listSent(sql, query) : listPage(sql, query);
  const isAll = asking === undefined && !query.stopped;
  if ((query.search || query.from || query.to || query.sent || dismissed) && isAll) {
    const found = foundCounts(sql, query);
    const ofStates = corrected === 'only' ? 0 : totalOf(found.counts, states);
    const total = dismissed ? found.dismissedCount : ofStates + (corrected ? found.correctedCount : 0);
    return { jobs, total, found };
  }
  if (batchId === undefined && isAll && !corrected) return { jobs, total: totalOf(countJobs(sql), states) };
  return { jobs, total: countWhere(sql, query) };
}

function listPage(sql: Sql, query: JobQuery): StoredJob[] {
  const { batchId, asking, corrected, limit, offset } = query;
  const { where, values } = whereOf(query);
  const index = asking ? 'jobs_asking' : batchId === undefined ? 'jobs_list' : 'jobs_batch';
  const from = corrected ? 'jobs' : `jobs INDEXED BY ${index}`;
  const order = batchId === undefined ? 'batch_seq DESC, seq' : 'seq';
  const page = `SELECT seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return readJobs(sql, `WHERE seq IN (${page}) ORDER BY batch_seq DESC, seq`, ...values, limit, offset);
}

function listSent(sql: Sql, query: JobQuery): StoredJob[] {
  const { where, values, from } = whereOf(query);
  const page = `SELECT e.seq FROM ${from} WHERE ${where} ORDER BY e.seq DESC LIMIT ? OFFSET ?`;
  const rows = sql.all<{ seq: number }>(page, ...values, query.limit, query.offset);
  return rows.map(({ seq }) => readSent(sql, seq)).filter((job) => job !== null);
}

/** A departure, by the number of its step: its job, with what became of this sending. */
function readSent(sql: Sql, seq: number): StoredJob | null {
  const left = sql.get<{ job: number; at: string }>('SELECT job_seq AS job, at FROM job_events WHERE seq = ?', seq);
  const [job] = left ? readJobs(sql, 'WHERE seq = ?', left.job) : [];
  if (!left || !job || job.departedAt === left.at) return job ?? null;
  const end = attemptsOf(sql, job.id).find(({ departedAt }) => departedAt === left.at);
  return {
    ...job,
    state: (end?.kind ?? 'in-doubt') as JobState,
    failure: end?.failure ?? null,
    departedAt: left.at,
    answerBeganAt: end?.answerBeganAt ?? null,
    attemptEndedAt: end?.endedAt ?? null,
    at: end?.endedAt ?? left.at,
    // All that is known of another sending.
    raw: null,
    answer: null,
    documentId: null,
    duplicateOf: null,
    look: null,
    isByWord: false,
  };
}

/** These jobs, or departures, oldest first: what is added meanwhile comes last, and nothing comes twice. Each is read when it is asked for. */
export function rowsAfter(sql: Sql, filter: JobFilter, page: { readonly afterSeq: number; readonly limit: number }) {
  const { where, values, from } = whereOf(filter);
  const seq = filter.sent ? 'e.seq' : 'seq';
  const text = `SELECT id, ${seq} AS seq FROM ${from} WHERE ${where} AND ${seq} > ? ORDER BY ${seq} LIMIT ?`;
  const rows = sql.all<{ id: string; seq: number }>(text, ...values, page.afterSeq, page.limit);
  return rows.map(({ id, seq }) => ({ seq, read: () => (filter.sent ? readSent(sql, seq) : readJob(sql, id)) }));
}

function foundCounts(sql: Sql, { states: _all, ...filter }: JobFilter): NonNullable<ListedJobs['found']> {
  const listed = { ...filter, dismissed: false, corrected: undefined };
  const { where, values, from, state } = whereOf(listed);
  const counts = noJobs();
  let [askingCount, stoppedCount] = [0, 0];
  type Row = Record<'jobs' | 'asking' | 'stopped', number> & { readonly became: JobState };
  const text = `SELECT ${state} AS became, count(*) AS jobs, sum(${isAsking}) AS asking, sum(${isStopped}) AS stopped FROM ${from} WHERE ${where} GROUP BY became`;
  for (const { became, jobs, asking, stopped } of sql.all<Row>(text, ...values)) {
    counts[became] = jobs;
    askingCount += asking;
    stoppedCount += stopped;
  }
  return {
    counts,
    askingCount,
    stoppedCount,
    dismissedCount: countWhere(sql, { ...listed, dismissed: true }),
    // What was sent has them among the others.
    correctedCount: filter.sent ? 0 : countWhere(sql, { ...listed, corrected: 'only' }),
  };
}

export function connectionIds(sql: Sql, filter: JobFilter): readonly string[] {
  const { where, values, from } = whereOf(filter);
  const text = `SELECT DISTINCT connection_id AS id FROM ${from} WHERE ${where}`;
  return sql.all<{ id: string }>(text, ...values).map(({ id }) => id);
}

function countWhere(sql: Sql, filter: JobFilter): number {
  const { where, values, from } = whereOf(filter);
  return sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...values)?.n ?? 0;
}

function whereOf(filter: JobFilter) {
  const { batchId, connectionId, states, asking, stopped, search = '', from, to, sent, dismissed, corrected } = filter;
  const values: SqlValue[] = [];
  const state = sent ? becameOfIt : 'state';
  // Those that others replaced were taken off by nobody, and cannot be put back.
  let where = dismissed ? 'dismissed = 1 AND superseded_by IS NULL' : sent ? 'true' : 'dismissed = 0';
  if (corrected && !sent) where = corrected === 'only' ? isCorrected : `(dismissed = 0 OR ${isCorrected})`;
  const add = (text: string, ...more: readonly SqlValue[]) => {
    where += ` AND ${text}`;
    values.push(...more);
  };
  if (batchId !== undefined) add('batch_id = ?', batchId);
  if (connectionId !== undefined) add('connection_id = ?', connectionId);
  if (states) add(`${state} IN (${states.map(() => '?').join(', ')})`, ...states);
  if (from !== undefined) add('created_at >= ?', new Date(from).toISOString());
  if (to !== undefined) add('created_at <= ?', new Date(to).toISOString());
  if (sent) add(`${isDeparture} AND e.at >= ? AND connection_id = ?`, sent.from, sent.connectionId);
  if (asking !== undefined) add(asking ? isAsking : goesOn);
  if (stopped) add(isStopped);
  if (search !== '') {
    const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const fits = (text: string) => `${text} LIKE ? ESCAPE '\\'`;
    const texts = ['title', 'document_id', "record ->> 'signers'"].map(fits);
    // As Signatures and the palette do: a look found it, and a person is asked about it.
    const found = `state = 'in-doubt' AND EXISTS (SELECT 1 FROM json_each(look, '$.candidates') AS c WHERE ${fits("c.value ->> '$.documentId'")})`;
    add(`(${texts.join(' OR ')} OR ${found})`, part, part, part, part);
  }
  return { where, values, from: sent ? departures : 'jobs', state };
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

const isAsking = `held = ${holdNumbers.duplicate}`;
/** Of a waiting job whose countdown nobody saw, and which asks nothing else. */
export const isStopped = `(${gateIs.stopped} AND state = 'waiting' AND NOT ${isAsking})`;
/** Of what waits for a person's decision. */
export const needsDecision = `(${isAsking} OR ${isStopped})`;
/** Not of what waits for a person: a duplicate, or a countdown that was stopped, also of what is still prepared. */
export const goesOn = `(NOT ${isAsking} AND NOT ${gateIs.stopped})`;

export const askingCount = (sql: Sql) => countOf(sql, `INDEXED BY jobs_asking WHERE ${isAsking}`);

export const stoppedCount = (sql: Sql) => countOf(sql, `INDEXED BY jobs_gate WHERE gate <> 0 AND ${isStopped}`);

export const restoredCount = (sql: Sql) =>
  countOf(sql, `INDEXED BY jobs_restored WHERE held >= ${holdNumbers.restored} AND state IN ('prepared', 'waiting')`);

const open = "INDEXED BY jobs_open WHERE state IN ('prepared', 'waiting') AND connection_id = ?";

export const onwardCount = (sql: Sql, connectionId: string) => countOf(sql, `${open} AND ${goesOn}`, connectionId);

/** The steps that Home counts have an index of their own. */
const counted = "kind IN ('departed', 'unchecked')";
const isDeparture = `e.${counted} AND e.kind = 'departed'`;
const departures = 'job_events AS e INDEXED BY job_events_counted CROSS JOIN jobs ON jobs.seq = e.job_seq';
/** The row of a job speaks of one of its departures; what became of the others its steps say. */
const becameOfIt = `iif(departed_at = e.at, state, coalesce((SELECT kind FROM job_events AS o WHERE o.job_seq = e.job_seq AND o.seq > e.seq
  AND o.kind IN ('in-doubt', 'refused', 'failed', 'cancelled') ORDER BY o.seq LIMIT 1), 'in-doubt'))`;

/** Whether a job has left, and a correction is in its place. */
export const isCorrected = `(dismissed = 1 AND superseded_by IS NOT NULL AND superseded_by <> id
  AND EXISTS (SELECT 1 FROM job_events WHERE job_seq = jobs.seq AND kind = 'departed'))`;

export function countSent(sql: Sql, { connectionId, from }: NonNullable<JobFilter['sent']>) {
  // Few words are given: only of those jobs the steps are read.
  const words = `SELECT job_seq FROM job_events INDEXED BY job_events_counted WHERE ${counted} AND kind = 'unchecked' AND at >= ?1`;
  const taken = `CASE WHEN departed_at IS NOT e.at OR state <> 'done' THEN 0 WHEN jobs.seq NOT IN (${words}) THEN 1 ELSE NOT ${byWord} END`;
  const text = `SELECT count(*) AS count, coalesce(sum(${taken}), 0) AS taken FROM ${departures} WHERE ${isDeparture} AND e.at >= ?1 AND connection_id = ?2`;
  return sql.get<{ count: number; taken: number }>(text, from, connectionId) ?? { count: 0, taken: 0 };
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
