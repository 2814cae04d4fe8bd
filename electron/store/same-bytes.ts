import type { DuplicateOf, JobState } from '../../contract/activity.ts';
import type { Sql } from './sql.ts';

interface Found {
  readonly id: string;
  readonly document_id: string | null;
  readonly title: string;
  readonly at: string;
}

/** The oldest document of the connection with these bytes that is not this job's. */
export function sameDocument(sql: Sql, connectionId: string, sha256: string, exceptJobId: string): DuplicateOf | null {
  const row = sql.get<Found & { job_id: string | null }>(
    `SELECT id, document_id, name AS title, registered_at AS at, job_id FROM documents
     WHERE sha256 = ? AND connection_id = ? AND coalesce(job_id, '') <> ? ORDER BY seq LIMIT 1`,
    sha256,
    connectionId,
    exceptJobId,
  );
  if (!row) return null;
  return {
    kind: 'document',
    documentId: row.document_id,
    jobId: row.job_id,
    title: row.title,
    state: 'done',
    at: row.at,
  };
}

/**
 * A job of the connection with these bytes that is on its way, in doubt or done. Of several the one that is furthest: whoever goes on with one that waits must
 * not pass over one that is done. One in whose place `exceptJobId` was sent does not count.
 */
export function sameJob(sql: Sql, connectionId: string, sha256: string, exceptJobId: string): DuplicateOf | null {
  const row = sql.get<Found & { state: JobState }>(
    `SELECT id, document_id, title, created_at AS at, state FROM jobs WHERE connection_id = ? AND sha256 = ? AND id <> ?
     AND coalesce(superseded_by, '') <> ? AND state IN ('waiting', 'sending', 'in-doubt', 'done')
     ORDER BY CASE state WHEN 'done' THEN 0 WHEN 'in-doubt' THEN 1 WHEN 'sending' THEN 2 ELSE 3 END, seq LIMIT 1`,
    connectionId,
    sha256,
    exceptJobId,
    exceptJobId,
  );
  if (!row) return null;
  const { id, document_id, title, at, state } = row;
  return { kind: 'job', documentId: document_id, jobId: id, title, state, at };
}
