import type { DuplicateOf, JobState } from '../../../contract/jobs.ts';
import type { Sql } from '../database/sql.ts';
import type { MoveJob } from './job-moves.ts';
import { holdNumbers, type JobRow, jobOf, type StoredJob } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { sameBytes, sameWork } from './same-work.ts';

/** What became of a job that was sent again: it goes on, waits for a person, or was cancelled by its rule to skip duplicates. */
export type AgainEnd = 'goes' | 'asks' | 'skipped';

/** Documents and jobs with the same bytes, what was decided about them, and the two ways into the queue: each looks for them. */
export interface JobDuplicates {
  /**
   * What has these bytes on this connection: a document in the register, else a job that is done, in doubt or on its way, in this order. Failed, refused and
   * cancelled ones do not count, nor does `exceptJobId`, nor those in whose place it was sent.
   */
  sameBytes(connectionId: string, sha256: string, exceptJobId?: string): DuplicateOf | null;
  /** True where a document or job of this size could have the same bytes: others need not be read. */
  hasSize(connectionId: string, sizeBytes: number): boolean;
  /**
   * A prepared job of which the bytes are known now goes on to `waiting`, in one step with the look for duplicates: of two jobs with
   * the same bytes the second always sees the first. With the rule `ask` it is held, with `skip` it is cancelled; one that was sent again is
   * looked at as in `sendAgain`. False where it was no longer prepared.
   */
  admit(id: string, known: { readonly sizeBytes?: number; readonly sha256?: string }): JobState | false;
  /**
   * Ended jobs of these that are in one of `from` go on once more: a person decided it. `waiting` for those whose copies are there, else they are copied anew. Whatever
   * their rule and operation, each is looked at for what would be done twice, in the same transaction: what a person has not decided about yet
   * is asked about. Answers those that moved. Only their batch can hold them besides.
   */
  sendAgain(
    ids: readonly string[],
    from: readonly JobState[],
    to: 'prepared' | 'waiting',
  ): readonly { readonly id: string; readonly end: AgainEnd }[];
  /** A person's decision about a held duplicate; false where the job waits for none. */
  decide(id: string, decision: 'send' | 'skip'): boolean;
}

/** `move`: of the ledger, within a transaction. */
export function jobDuplicates(sql: Sql, move: MoveJob): JobDuplicates {
  return {
    sameBytes: (connectionId, sha256, jobId) => sameBytes(sql, connectionId, sha256, { jobId }),
    hasSize: (connectionId, sizeBytes) =>
      ['documents', 'jobs'].some(
        (table) =>
          sql.get(
            `SELECT 1 FROM ${table} WHERE connection_id = ? AND size_bytes = ? LIMIT 1`,
            connectionId,
            sizeBytes,
          ) !== undefined,
      ),
    admit: (id, known) =>
      sql.transaction(() => {
        const job = read(sql, id);
        if (job?.state !== 'prepared') return false;
        if (wasOnce(sql, id, 'sent-again')) {
          if (!move(id, ['prepared'], 'waiting', { ...known, failure: null })) return false;
          return lookAgain(sql, move, job, known.sha256 ?? job.sha256) === 'skipped' ? 'cancelled' : 'waiting';
        }
        const same = firstLook(sql, job, known.sha256);
        const to = same && job.duplicates === 'skip' ? 'cancelled' : 'waiting';
        if (!move(id, ['prepared'], to, { ...known, failure: null })) return false;
        if (same) keepFound(sql, id, same, job.duplicates === 'ask');
        return to;
      }),
    sendAgain: (ids, from, to) =>
      sql.transaction(() =>
        ids.flatMap((id) => {
          const end = sendAgain(sql, move, id, from, to);
          return end ? [{ id, end }] : [];
        }),
      ),
    decide: (id, decision) =>
      sql.transaction(() => {
        const asked = `id = ? AND state = 'waiting' AND held = ${holdNumbers.duplicate}`;
        // In a batch that is paused it stays, for that reason.
        const released = sql.run(
          `UPDATE jobs SET held = ${heldByBatch}, duplicates = 'send', updated_at = ? WHERE ${asked}`,
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

const heldByBatch = `iif((SELECT held FROM batches AS b WHERE b.seq = batch_seq) = 1, ${holdNumbers.batch}, 0)`;

function read(sql: Sql, id: string): StoredJob | null {
  const row = sql.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id);
  return row ? jobOf(row) : null;
}

/** Sent all the same, a registration still says what it repeats. A request on bytes that were sent before is nothing to remark on. */
function firstLook(sql: Sql, job: StoredJob, sha256: string | undefined): DuplicateOf | null {
  const looks = job.duplicates !== 'send' || job.operation === 'AddNewDocument';
  return looks && sha256 ? sameBytes(sql, job.connectionId, sha256, { jobId: job.id }) : null;
}

/** What an attempt before says no more. */
const afresh = { failure: null, departedAt: null, answerBeganAt: null } as const;

function sendAgain(
  sql: Sql,
  move: MoveJob,
  id: string,
  from: readonly JobState[],
  to: 'prepared' | 'waiting',
): AgainEnd | null {
  // What was never admitted has bytes that nobody has read to their end.
  const isKnown = to === 'waiting' && wasOnce(sql, id, 'waiting');
  if (!move(id, from, isKnown ? 'waiting' : 'prepared', afresh)) return null;
  sql.run(`UPDATE jobs SET held = ${heldByBatch} WHERE id = ?`, id);
  addStep(sql, id, 'sent-again');
  const job = read(sql, id);
  return isKnown && job ? lookAgain(sql, move, job, job.sha256) : 'goes';
}

/** A job that was sent again and waits now: what it would repeat is asked about; by the rule to skip it is cancelled. */
function lookAgain(sql: Sql, move: MoveJob, job: StoredJob, sha256: string | null): AgainEnd {
  const same = sameWork(sql, job, sha256);
  if (!same) return 'goes';
  const skips = job.duplicates === 'skip' && job.duplicateOf === null;
  keepFound(sql, job.id, same, !skips);
  if (!skips) return 'asks';
  move(job.id, ['waiting'], 'cancelled', { failure: null });
  return 'skipped';
}

function keepFound(sql: Sql, id: string, same: DuplicateOf, asks: boolean): void {
  // The hold of a ledger that came back older stays beside it.
  const { duplicate, restored } = holdNumbers;
  const asking = asks ? `, held = ${duplicate} + iif(held >= ${restored}, ${restored}, 0), duplicates = 'ask'` : '';
  sql.run(`UPDATE jobs SET duplicate_of = ?${asking} WHERE id = ?`, JSON.stringify(same), id);
  addStep(sql, id, 'duplicate-found');
}

/** Whether it stands in the job's story. */
function wasOnce(sql: Sql, id: string, kind: 'waiting' | 'sent-again'): boolean {
  const step = sql.get(
    'SELECT 1 FROM job_events WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?) AND kind = ? LIMIT 1',
    id,
    kind,
  );
  return step !== undefined;
}
