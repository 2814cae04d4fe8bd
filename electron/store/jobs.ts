import { randomUUID } from 'node:crypto';
import type { Batch, JobCounts, JobState, JobStep, Look } from '../../contract/activity.ts';
import { adoptDeadRuns } from './adopt-jobs.ts';
import { nextNumber } from './departure-count.ts';
import type { Departed, Departures } from './departures.ts';
import { type NewDocument, putDocument } from './documents.ts';
import { listBatches } from './job-batches.ts';
import { type JobDuplicates, jobDuplicates } from './job-duplicates.ts';
import { type JobIntake, jobIntake } from './job-intake.ts';
import { askingCount, countJobs, type JobQuery, listJobs } from './job-lists.ts';
import { type JobChange, jobMoves, sendAgain } from './job-moves.ts';
import { type JobQueue, jobQueue } from './job-queue.ts';
import { restoredCount, resumeRestored } from './job-restored.ts';
import { type Departure, type JobRow, jobOf, type StoredJob } from './job-rows.ts';
import { addStep, storyOf } from './job-steps.ts';
import type { RunLock } from './run-lock.ts';
import type { Sql } from './sql.ts';

/** The ledger. Every function is one transaction, on the disk when it returns. */
export interface JobTable extends JobIntake, JobQueue, JobDuplicates {
  get(id: string): StoredJob | null;
  /** Moves a job if it is in one of `from`, and writes its story; false where it was not. The job becomes this run's. */
  move(id: string, from: readonly JobState[], to: JobState, change?: JobChange): boolean;
  /** As `move` from sending to done, with the new document in the register. */
  finish(id: string, change: JobChange, document: NewDocument | null): void;
  /** A person decided that this document is what became of a job in doubt; false where it is not in doubt. */
  accept(id: string, documentId: string, document: NewDocument | null): boolean;
  /** Ended jobs of these that are in one of `from` go on once more: a person decided it. Answers which. Only their batch can hold them. */
  sendAgain(ids: readonly string[], from: readonly JobState[], to: 'prepared' | 'waiting'): string[];
  /** As `move`, for many in one transaction. Answers which were moved. */
  moveAll(ids: readonly string[], from: readonly JobState[], to: JobState, change?: JobChange): string[];
  /** What was found when the service was asked about the job. */
  keepLook(id: string, look: Look): void;
  /** From here on an add may have been taken. Written while the first byte waits. */
  depart(id: string, departure: Omit<Departure, 'id'>): void;
  beginAnswer(id: string): void;
  list(query: JobQuery): { readonly jobs: StoredJob[]; readonly total: number };
  counts(): JobCounts;
  /** Jobs that wait for a decision about a duplicate. */
  askingCount(): number;
  batches(page: { readonly offset: number; readonly limit: number }): {
    readonly batches: readonly Batch[];
    readonly total: number;
  };
  /** True where it was there and ended, not in doubt. */
  dismiss(id: string): boolean;
  story(id: string): JobStep[];
  /** Takes over the jobs of runs that are over: departed ones become in doubt, the others wait. Answers how many wait. */
  adopt(): number;
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
    ...jobIntake(sql, run),
    get: (id) => {
      const row = sql.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id);
      return row ? jobOf(row) : null;
    },
    move: (id, from, to, change) => sql.transaction(() => move(id, from, to, change)),
    finish: (id, change, document) =>
      sql.transaction(() => {
        if (move(id, ['sending'], 'done', change) && document) putDocument(sql, document);
      }),
    accept: (id, documentId, document) =>
      sql.transaction(() => {
        if (!move(id, ['in-doubt'], 'done', { documentId, failure: null })) return false;
        addStep(sql, id, 'accepted');
        if (document) putDocument(sql, document);
        return true;
      }),
    sendAgain: (ids, from, to) => sql.transaction(() => ids.filter((id) => sendAgain(sql, move, id, from, to))),
    moveAll: (ids, from, to, change) => sql.transaction(() => ids.filter((id) => move(id, from, to, change))),
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
    list: (query) => listJobs(sql, query),
    counts: () => countJobs(sql),
    askingCount: () => askingCount(sql),
    batches: (page) => listBatches(sql, page),
    dismiss: (id) =>
      sql.run(
        `UPDATE jobs SET dismissed = 1 WHERE id = ? AND dismissed = 0
         AND state IN ('done', 'refused', 'failed', 'cancelled')`,
        id,
      ) === 1,
    story: (id) => storyOf(sql, id),
    adopt: () => adoptDeadRuns(sql, run),
    restoredCount: () => restoredCount(sql),
    resumeRestored: () => sql.transaction(() => resumeRestored(sql)),
  };
}

function writeDeparture(sql: Sql, id: string, departure: Omit<Departure, 'id'>): Departed {
  const departed = { jobId: id, departureId: randomUUID(), at: now(), number: nextNumber(sql) };
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
