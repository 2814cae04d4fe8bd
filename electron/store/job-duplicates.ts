import type { DuplicateOf, JobState } from '../../contract/activity.ts';
import { holdNumbers, type StoredJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import type { Sql } from './sql.ts';

/** Documents and jobs with the same bytes, and what was decided about them. */
export interface JobDuplicates {
  /**
   * What has these bytes on this connection: a document in the register, else the oldest job that is on its way, in doubt or done. Failed, refused and
   * cancelled ones do not count, nor does `exceptJobId`.
   */
  sameBytes(connectionId: string, sha256: string, exceptJobId?: string): DuplicateOf | null;
  /** True where a document or job of this size could have the same bytes: others need not be read. */
  hasSize(connectionId: string, sizeBytes: number): boolean;
  /**
   * A prepared job of which the bytes are known now goes on to `waiting`, in one step with the look for duplicates: of two jobs with
   * the same bytes the second always sees the first. With the rule `ask` it is held, with `skip` it is cancelled. False where it was
   * no longer prepared.
   */
  admit(job: StoredJob, known: { readonly sizeBytes?: number; readonly sha256?: string }): JobState | false;
  /** A person's decision about a held duplicate; false where the job waits for none. */
  decide(id: string, decision: 'send' | 'skip'): boolean;
}

type Move = (
  id: string,
  from: readonly JobState[],
  to: JobState,
  change: { sizeBytes?: number; sha256?: string; failure: null },
) => boolean;

/** `move`: of the ledger, within a transaction. */
export function jobDuplicates(sql: Sql, move: Move): JobDuplicates {
  const sameBytes: JobDuplicates['sameBytes'] = (connectionId, sha256, exceptJobId = '') =>
    sameDocument(sql, connectionId, sha256, exceptJobId) ?? sameJob(sql, connectionId, sha256, exceptJobId);
  return {
    sameBytes,
    hasSize: (connectionId, sizeBytes) =>
      ['documents', 'jobs'].some(
        (table) =>
          sql.get(
            `SELECT 1 FROM ${table} WHERE connection_id = ? AND size_bytes = ? LIMIT 1`,
            connectionId,
            sizeBytes,
          ) !== undefined,
      ),
    admit: (job, known) =>
      sql.transaction(() => {
        const { id, duplicates: rule } = job;
        // Sent all the same, a registration still says what it repeats. A request on bytes that were sent before is nothing to remark on.
        const looks = rule !== 'send' || job.operation === 'AddNewDocument';
        const same = looks && known.sha256 ? sameBytes(job.connectionId, known.sha256, id) : null;
        const to = same && rule === 'skip' ? 'cancelled' : 'waiting';
        if (!move(id, ['prepared'], to, { ...known, failure: null })) return false;
        if (same) {
          sql.run('UPDATE jobs SET duplicate_of = ? WHERE id = ?', JSON.stringify(same), id);
          // Another hold of a job that does not ask stays; so does that of a ledger that came back, in either case.
          if (rule === 'ask')
            sql.run(
              `UPDATE jobs SET held = ${holdNumbers.duplicate} + iif(held >= ${holdNumbers.restored}, ${holdNumbers.restored}, 0)
               WHERE id = ?`,
              id,
            );
          addStep(sql, id, 'duplicate-found');
        }
        return to;
      }),
    decide: (id, decision) =>
      sql.transaction(() => {
        const asked = `id = ? AND state = 'waiting' AND held = ${holdNumbers.duplicate}`;
        // In a batch that is paused it stays, for that reason.
        const released = sql.run(
          `UPDATE jobs SET held = iif((SELECT held FROM batches AS b WHERE b.seq = batch_seq) = 1, ${holdNumbers.batch}, 0),
             duplicates = 'send', updated_at = ? WHERE ${asked}`,
          new Date().toISOString(),
          id,
        );
        if (released !== 1) return false;
        addStep(sql, id, 'duplicate-decided');
        if (decision === 'skip') move(id, ['waiting'], 'cancelled', { failure: null });
        return true;
      }),
  };
}

interface Found {
  readonly id: string;
  readonly document_id: string | null;
  readonly title: string;
  readonly at: string;
}

function sameDocument(sql: Sql, connectionId: string, sha256: string, exceptJobId: string): DuplicateOf | null {
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

function sameJob(sql: Sql, connectionId: string, sha256: string, exceptJobId: string): DuplicateOf | null {
  const row = sql.get<Found & { state: JobState }>(
    `SELECT id, document_id, title, created_at AS at, state FROM jobs WHERE connection_id = ? AND sha256 = ? AND id <> ?
     AND state IN ('waiting', 'sending', 'in-doubt', 'done') ORDER BY seq LIMIT 1`,
    connectionId,
    sha256,
    exceptJobId,
  );
  if (!row) return null;
  const { id, document_id, title, at, state } = row;
  return { kind: 'job', documentId: document_id, jobId: id, title, state, at };
}
