import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { holdNumbers, readJobs, type StoredJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';

export interface Turn {
  readonly order: 'small' | 'old';
  readonly limit: number;
  /** Only jobs up to this size. */
  readonly maxBytes?: number;
  /** Only jobs of batches that a person sends without the team register. */
  readonly withoutTeam?: boolean;
}

export interface PreparedQuery {
  readonly limit: number;
  /** Ids of jobs that are left out. */
  readonly except?: readonly string[];
  /** Only jobs whose files need at most this much space. */
  readonly maxBytes?: number;
  /** Files whose path begins with one of these need no space. */
  readonly ownPrefixes?: readonly string[];
  readonly exceptConnections?: readonly string[];
}

/** The next jobs to copy and to send, and pauses. */
export function jobQueue(sql: Sql, run: RunLock) {
  return {
    /** This run's prepared jobs of complete batches, oldest first. */
    prepared: (query: PreparedQuery) => prepared(sql, run.runId, query),
    /** This run's waiting jobs of a connection, without held ones and those that a countdown keeps back. */
    waiting: (connectionId: string, { order, limit, maxBytes, withoutTeam = false }: Turn) =>
      readJobs(
        sql,
        `WHERE run_id = ? AND state = 'waiting' AND connection_id = ? AND held = 0 AND gate = 0
         ${maxBytes === undefined ? '' : 'AND size_bytes <= ?'}
         ${withoutTeam ? 'AND batch_seq IN (SELECT seq FROM batches WHERE without_team = 1)' : ''}
         ORDER BY ${order === 'small' ? 'size_bytes, seq' : 'seq'} LIMIT ?`,
        ...[run.runId, connectionId, ...(maxBytes === undefined ? [] : [maxBytes]), limit],
      ),
    /** Connections that have waiting jobs of this run. */
    waitingConnections: () =>
      sql
        .all<{ id: string }>(
          "SELECT DISTINCT connection_id AS id FROM jobs WHERE run_id = ? AND state = 'waiting'",
          run.runId,
        )
        .map(({ id }) => id),
    /** Pauses or resumes one job; false if it does not exist, has left already, or is held for another reason. */
    holdJob: (id: string, on: boolean) => sql.transaction(() => holdJob(sql, id, on)),
    /** Pauses or resumes all jobs of a batch that have not left; false if there is no such batch. */
    holdBatch: (batchId: string, on: boolean) => sql.transaction(() => holdBatch(sql, batchId, on)),
  };
}

function prepared(
  sql: Sql,
  runId: string,
  { limit, except = [], maxBytes = Number.POSITIVE_INFINITY, ownPrefixes = [], exceptConnections = [] }: PreparedQuery,
): StoredJob[] {
  const isOwn = (column: string) => ['0', ...ownPrefixes.map(() => `instr(${column}, ?) = 1`)].join(' OR ');
  const isBounded = Number.isFinite(maxBytes);
  const room = `AND iif(${isOwn('source_path')}, 0, size_bytes) + iif(${isOwn('image_path')}, 0, image_bytes) <= ?`;
  const notIn = (column: string) => `AND ${column} NOT IN (SELECT value FROM json_each(?))`;
  return readJobs(
    sql,
    `WHERE run_id = ? AND state = 'prepared' AND (SELECT complete FROM batches AS b WHERE b.seq = batch_seq) = 1
     ${isBounded ? room : ''} ${notIn('id')} ${notIn('connection_id')} ORDER BY seq LIMIT ?`,
    ...[runId, ...(isBounded ? [...ownPrefixes, ...ownPrefixes, Math.floor(maxBytes)] : [])],
    ...[JSON.stringify(except), JSON.stringify(exceptConnections), limit],
  );
}

const notLeft = "state IN ('prepared', 'waiting')";

function holdJob(sql: Sql, id: string, on: boolean): boolean {
  const [from, to] = on ? [0, holdNumbers.job] : [holdNumbers.job, 0];
  const changed =
    sql.run(
      `UPDATE jobs SET held = ?, updated_at = ? WHERE id = ? AND held = ? AND ${notLeft}`,
      to,
      new Date().toISOString(),
      id,
      from,
    ) === 1;
  if (changed) addStep(sql, id, on ? 'paused' : 'resumed');
  return changed;
}

function holdBatch(sql: Sql, batchId: string, on: boolean): boolean {
  const [from, to] = on ? [0, holdNumbers.batch] : [holdNumbers.batch, 0];
  const known = sql.run('UPDATE batches SET held = ? WHERE id = ?', on ? 1 : 0, batchId) === 1;
  if (known)
    sql.run(
      `UPDATE jobs SET held = ? WHERE batch_id = ? AND dismissed = 0 AND held = ? AND ${notLeft}`,
      to,
      batchId,
      from,
    );
  return known;
}
