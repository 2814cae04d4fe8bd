import { randomUUID } from 'node:crypto';
import type { Batch, JobCounts, JobState, JobStep, Reconciliation } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { type NewDocument, putDocument } from '../documents/documents.ts';
import { takeOverDeadRuns } from './adopt-jobs.ts';
import { countAnswer, countDoubt } from './connection-breakers.ts';
import { nextNumber } from './departure-count.ts';
import type { Departed, Departures } from './departures.ts';
import { listBatches } from './job-batches.ts';
import { type JobDuplicates, jobDuplicates } from './job-duplicates.ts';
import { type InsertJobs, insertJobs } from './job-intake.ts';
import { askingCount, countJobs, type JobQuery, listJobs, openCount, sourcesBelow } from './job-lists.ts';
import { type JobChange, jobMoves, supersede } from './job-moves.ts';
import { type JobQueue, jobQueue } from './job-queue.ts';
import { restoredCount, resumeRestored } from './job-restored.ts';
import { type Departure, type JobRow, jobOf, type StoredJob } from './job-rows.ts';
import { addStep, historyOf } from './job-steps.ts';
import { type OtherRuns, otherRuns } from './other-runs.ts';

/** What the end of an attempt changes besides its job. */
export interface EndOfAttempt {
  readonly connectionId: string;
  readonly document: NewDocument | null;
  /** Whether the service answered; after so many lost answers in a row the connection is held. Null where it tells nothing of that. */
  readonly answer: 'came' | { readonly lostWithLimit: number } | null;
}

/** The ledger. Every function is one transaction, on the disk when it returns. */
export interface JobTable extends InsertJobs, JobQueue, JobDuplicates, OtherRuns {
  get(id: string): StoredJob | null;
  /** Of a complete batch, in the order of its intake, also what was taken off the list. */
  ofBatch(batchId: string, page: { readonly offset: number; readonly limit: number }): StoredJob[];
  /** Moves a job if it is in one of `from`, and writes its story; false where it was not. The job becomes this run's. */
  move(id: string, from: readonly JobState[], to: JobState, change?: JobChange): boolean;
  /**
   * As `move` from sending to where an attempt ended, in one transaction with what comes of it: the new document in the register, and what the end says
   * about the connection. True where that holds the connection from now on.
   */
  end(id: string, to: JobState, change: JobChange, more: EndOfAttempt): boolean;
  /** A person decided that this document is what became of a job in doubt; false where it is not in doubt. */
  accept(id: string, documentId: string, document: NewDocument | null): boolean;
  /** As `move`, for many in one transaction. Answers which were moved. */
  moveAll(ids: readonly string[], from: readonly JobState[], to: JobState, change?: JobChange): string[];
  /**
   * A job that was not taken gives its place to another one, which was made of it: off the list, and never sent again. Call within the transaction that writes the other.
   * False where the job is under way, taken, or off the list.
   */
  supersede(id: string, by: string): boolean;
  /** What was found when the service was asked about the job. */
  keepLook(id: string, look: Reconciliation): void;
  /** From here on an add may have been taken. Written while the first byte waits. */
  depart(id: string, departure: Omit<Departure, 'id'>): void;
  beginAnswer(id: string): void;
  /** Paths of files below a folder that are the source of a job which may still be sent: of a complete batch, neither done nor taken off the list. */
  sourcesBelow(folder: string): ReadonlySet<string>;
  list(query: JobQuery): { readonly jobs: StoredJob[]; readonly total: number };
  counts(): JobCounts;
  /** Jobs that wait for a decision about a duplicate. */
  askingCount(): number;
  /** Jobs of a connection that have not left. */
  openCount(connectionId: string): number;
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
  };
  /** True where it was there and ended, not in doubt. */
  dismiss(id: string): boolean;
  history(id: string): JobStep[];
  /** Takes over the jobs of runs that are over: departed ones become in doubt, the others wait. Answers how many wait. */
  takeOverDeadRuns(): number;
  /** Jobs that are held because the ledger came back older than it was, or was taken back. */
  restoredCount(): number;
  /** A person lets these go; answers how many. Other pauses hold on. */
  resumeRestored(): number;
}

export function jobTable(sql: Sql, run: RunLock, departures: Departures): JobTable {
  const move = jobMoves(sql, run);
  return {
    ...jobQueue(sql, run),
    ...jobDuplicates(sql, move),
    ...insertJobs(sql, run),
    ...otherRuns(sql, run),
    get: (id) => {
      const row = sql.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id);
      return row ? jobOf(row) : null;
    },
    ofBatch: (batchId, { offset, limit }) =>
      sql
        .all<JobRow>('SELECT * FROM jobs WHERE batch_id = ? ORDER BY seq LIMIT ? OFFSET ?', batchId, limit, offset)
        .map(jobOf),
    move: (id, from, to, change) => sql.transaction(() => move(id, from, to, change)),
    end: (id, to, change, { connectionId, document, answer }) =>
      sql.transaction(() => {
        if (!move(id, ['sending'], to, change)) return false;
        if (document) putDocument(sql, document);
        if (answer === 'came') countAnswer(sql, connectionId);
        return answer !== null && answer !== 'came' && countDoubt(sql, connectionId, answer.lostWithLimit);
      }),
    accept: (id, documentId, document) =>
      sql.transaction(() => {
        if (!move(id, ['in-doubt'], 'done', { documentId, failure: null })) return false;
        addStep(sql, id, 'accepted');
        if (document) putDocument(sql, document);
        return true;
      }),
    moveAll: (ids, from, to, change) => sql.transaction(() => ids.filter((id) => move(id, from, to, change))),
    supersede: (id, by) => supersede(sql, id, by),
    keepLook: (id, look) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET look = ?, updated_at = ? WHERE id = ?', JSON.stringify(look), now(), id);
        addStep(sql, id, 'looked-for');
      }),
    depart: (id, departure) => {
      const departed = sql.transaction(() => writeDeparture(sql, id, departure));
      try {
        departures.write(departed);
      } catch (error) {
        takeBackDeparture(sql, id);
        throw error;
      }
    },
    beginAnswer: (id) =>
      sql.transaction(() => {
        sql.run('UPDATE jobs SET answer_began_at = ? WHERE id = ?', now(), id);
        addStep(sql, id, 'answer-began');
      }),
    sourcesBelow: (folder) => sourcesBelow(sql, folder),
    list: (query) => listJobs(sql, query),
    counts: () => countJobs(sql),
    askingCount: () => askingCount(sql),
    openCount: (connectionId) => openCount(sql, connectionId),
    batches: (page) => listBatches(sql, page),
    dismiss: (id) =>
      sql.run(
        `UPDATE jobs SET dismissed = 1 WHERE id = ? AND dismissed = 0
         AND state IN ('done', 'refused', 'failed', 'cancelled')`,
        id,
      ) === 1,
    history: (id) => historyOf(sql, id),
    takeOverDeadRuns: () => takeOverDeadRuns(sql, run),
    restoredCount: () => restoredCount(sql),
    resumeRestored: () => sql.transaction(() => resumeRestored(sql)),
  };
}

function writeDeparture(sql: Sql, id: string, departure: Omit<Departure, 'id'>): Departed {
  const sha256 = sql.get<{ sha256: string | null }>('SELECT sha256 FROM jobs WHERE id = ?', id)?.sha256 ?? null;
  const departed = { jobId: id, departureId: randomUUID(), at: now(), number: nextNumber(sql), sha256 };
  const text = JSON.stringify({ id: departed.departureId, ...departure });
  sql.run('UPDATE jobs SET departed_at = ?, departure = ? WHERE id = ?', departed.at, text, id);
  addStep(sql, id, 'departed');
  return departed;
}

/** It did not leave, as the second note of it could not be written. Where this cannot be written either, the ledger says too much: that is safe. */
function takeBackDeparture(sql: Sql, id: string): void {
  try {
    sql.transaction(() => {
      sql.run('UPDATE jobs SET departed_at = NULL, departure = NULL WHERE id = ?', id);
      sql.run(
        `DELETE FROM job_events WHERE seq = (SELECT max(e.seq) FROM job_events AS e JOIN jobs AS j ON j.seq = e.job_seq
         WHERE j.id = ? AND e.kind = 'departed')`,
        id,
      );
    });
  } catch {
    // See above.
  }
}

function now(): string {
  return new Date().toISOString();
}
