import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../contract/failure.ts';
import type { Batch, JobCounts, JobState, JobStep, ListedJobs, Reconciliation } from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import { nextNumber } from '../database/departure-count.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import {
  type NewDocument,
  putBackDocument,
  putDocument,
  type ReplacedDocument,
  replaceDocument,
} from '../documents/documents.ts';
import { holdLostProbes, takeOverDeadRuns } from './adopt-jobs.ts';
import { countAnswer, countDoubt, countUnawaited } from './connection-breakers.ts';
import type { Departed, Departures } from './departures.ts';
import { jobDuplicates } from './job-duplicates.ts';
import { jobGates } from './job-gates.ts';
import { insertJobs } from './job-intake.ts';
import {
  askingCount,
  connectionIds,
  countJobs,
  countSent,
  isCorrected,
  isStopped,
  type JobFilter,
  type JobQuery,
  listJobs,
  noJobs,
  onwardCount,
  restoredCount,
  rowsAfter,
  sourcesBelow,
  stoppedCount,
} from './job-lists.ts';
import { isUnsentCorrection, type JobChange, jobMoves, type MoveJob, supersede } from './job-moves.ts';
import { jobQueue } from './job-queue.ts';
import { type Departure, documentOfJob, holdNumbers, readJob, readJobs, type StoredJob } from './job-rows.ts';
import { addStep, attemptsOf, historyOf, now } from './job-steps.ts';
import { resumeRestored } from './older-ledger.ts';
import { otherRuns } from './other-runs.ts';
import { holdIfSentSince } from './same-work.ts';

/** Changes that the end of an attempt makes besides its job. */
export interface EndOfAttempt {
  readonly connectionId: string;
  readonly document: NewDocument | null;
  /** Whether the service answered; after `lostWithLimit` lost answers in a row the connection is held. Null if the end says nothing about that. */
  readonly answer: 'came' | { readonly lostWithLimit: number } | null;
}

/** A job, and the document of its ID, before a person accepted that. */
export interface BeforeAccepted {
  readonly state: 'done' | 'in-doubt';
  readonly failure: Failure | null;
  readonly documentId: string | null;
  readonly document: ReplacedDocument | null;
}

/** The ledger: all jobs and their states. Every function is one transaction, on the disk when it returns. */
export type JobTable = ReturnType<typeof jobTable>;

export function jobTable(sql: Sql, run: RunLock, departures: Departures) {
  const { move, givenBack } = jobMoves(sql, run);
  const changeLook = (id: string, look: Reconciliation) =>
    void sql.run('UPDATE jobs SET look = ? WHERE id = ?', JSON.stringify(look), id);
  return {
    ...jobQueue(sql, run),
    ...jobDuplicates(sql, run, move),
    ...insertJobs(sql, run),
    ...jobGates(sql, run),
    ...otherRuns(sql, run, move),
    ...jobReads(sql),
    ...jobAttempts(sql, move, departures),
    ...acceptances(sql, move),
    /** Moves a job if it is in one of `from`, and adds a step to its history; false if it is in no such state. The job then belongs to this run. */
    move: (id: string, from: readonly JobState[], to: JobState, change?: JobChange) =>
      sql.transaction(() => move(id, from, to, change)),
    /** As `move`, for many in one transaction. Answers the ids of those that were moved. */
    moveAll: (ids: readonly string[], from: readonly JobState[], to: JobState, change?: JobChange) =>
      sql.transaction(() => ids.filter((id) => move(id, from, to, change))),
    /**
     * Replaces a job that the service did not accept by a corrected one: the old job is dismissed and never sent again. Call it within the transaction that writes the
     * new one. False if the job is being sent, done, or dismissed.
     */
    supersede: (id: string, by: string): boolean => supersede(sql, id, by),
    /** Stores the result of asking the service about a job in doubt. */
    keepLook: (id: string, look: Reconciliation) =>
      sql.transaction(() => {
        changeLook(id, look);
        addStep(sql, id, look.verdict === 'unanswered' || look.unanswered ? 'look-unanswered' : 'looked-for');
      }),
    /** Stores that the same answers mean something else now. */
    changeLook,
    /** See jobMoves: since this was last asked. */
    givenBack: () => [...givenBack].filter(([id]) => givenBack.delete(id)),
    /** Takes jobs off the list, all in one step; answers those that exist, have ended, and are not in doubt. */
    dismiss: (ids: readonly string[]) =>
      changed(sql, ids, `dismissed = 1 WHERE dismissed = 0 AND state IN (${endedStates})`),
    /** Puts dismissed jobs back on the list, all in one step; answers those that were on none and were not replaced by others. */
    undismiss: (ids: readonly string[]) =>
      changed(sql, ids, 'dismissed = 0 WHERE dismissed = 1 AND superseded_by IS NULL'),
    /** Takes over the jobs of runs that have ended: departed ones become in doubt, the others wait. Answers how many wait. */
    takeOverDeadRuns: (): number => takeOverDeadRuns(sql, run, move),
    holdLostProbes: () => holdLostProbes(sql, run),
    /** Releases these jobs on a person's decision; answers how many. Other pauses stay in force. */
    resumeRestored: (): number => sql.transaction(() => resumeRestored(sql)),
  };
}

function acceptances(sql: Sql, move: MoveJob) {
  return {
    /**
     * A person decided that a job in doubt produced this document (null: whose ID is not known yet), or entered the ID of one that is done without; null if the job is
     * neither, else what was there before, for `undoAccept`. `isWord`: the service does not confirm it.
     */
    accept: (id: string, documentId: string | null, document: NewDocument | null, isWord: boolean) =>
      sql.transaction(() => {
        const hasNoId = sql.get("SELECT 1 FROM jobs WHERE id = ? AND state = 'done' AND document_id IS NULL", id);
        const state = hasNoId && documentId !== null ? 'done' : 'in-doubt';
        const failure = sql.get<{ failure: string | null }>('SELECT failure FROM jobs WHERE id = ?', id)?.failure;
        if (!move(id, [state], 'done', { documentId, failure: null })) return null;
        addStep(sql, id, 'accepted');
        if (isWord) addStep(sql, id, 'unchecked');
        const before = { state, failure: failure ? (JSON.parse(failure) as Failure) : null, documentId } as const;
        if (!document) return { ...before, document: null };
        const replaced = replaceDocument(sql, document);
        return { ...before, document: replaced };
      }),
    /** Puts job and register back to what they were; false if the job changed since. */
    undoAccept: (id: string, { state, failure, documentId, document }: BeforeAccepted) =>
      sql.transaction(() => {
        const isSame = sql.get('SELECT 1 FROM jobs WHERE id = ? AND document_id IS ?', id, documentId) !== undefined;
        if (!isSame || !move(id, ['done'], state, { documentId: null, failure })) return false;
        addStep(sql, id, 'accept-undone');
        if (document) putBackDocument(sql, document);
        const job = state === 'done' ? readJob(sql, id) : null;
        const unnamed = job && documentOfJob(job, null, job.at);
        if (unnamed) putDocument(sql, unnamed);
        return true;
      }),
  };
}

const endedStates = "'done', 'refused', 'failed', 'passed-over', 'cancelled'";

/** Makes one change to these jobs in one transaction; answers those that it fits. */
function changed(sql: Sql, ids: readonly string[], change: string): string[] {
  return sql.transaction(() => ids.filter((id) => sql.run(`UPDATE jobs SET ${change} AND id = ?`, id) === 1));
}

function jobReads(sql: Sql) {
  return {
    get: (id: string): StoredJob | null => readJob(sql, id),
    /** Jobs of a complete batch in the order in which they were added, including dismissed ones. */
    ofBatch: (batchId: string, { offset, limit }: { readonly offset: number; readonly limit: number }) =>
      readJobs(sql, 'WHERE batch_id = ? ORDER BY seq LIMIT ? OFFSET ?', batchId, limit, offset),
    /** Paths of files below a folder that are the source of a job which may still be sent: of a complete batch, neither done nor dismissed. */
    sourcesBelow: (folder: string): ReadonlySet<string> => sourcesBelow(sql, folder),
    list: (query: JobQuery): ListedJobs<StoredJob> => listJobs(sql, query),
    rowsAfter: (filter: JobFilter, page: { readonly afterSeq: number; readonly limit: number }) =>
      rowsAfter(sql, filter, page),
    counts: (): JobCounts => countJobs(sql),
    /** Jobs that wait for a decision about a duplicate. */
    askingCount: (): number => askingCount(sql),
    stoppedCount: (): number => stoppedCount(sql),
    /** Jobs of a connection that have not been sent, without those that wait for a person. */
    onwardCount: (connectionId: string): number => onwardCount(sql, connectionId),
    /** What left over a connection since a time, each departure by itself, also of dismissed jobs; `taken`: those that the service said it has. */
    countSent: (sent: NonNullable<JobFilter['sent']>) => countSent(sql, sent),
    /** True for a correction of which nothing has left: without it what it corrects, a doubt or a refusal, is a person's again. */
    isUnsentCorrection: (id: string): boolean => isUnsentCorrection(sql, id),
    /** The connections of these jobs, also removed ones. */
    connectionIds: (filter: JobFilter): readonly string[] => connectionIds(sql, filter),
    /** True before the first job. */
    isEmpty: (): boolean => sql.get('SELECT 1 FROM jobs LIMIT 1') === undefined,
    batches: (page: { readonly offset: number; readonly limit: number }) => listBatches(sql, page),
    /** The batches of these ids, without those of which nothing is listed. */
    batchesOf: (ids: readonly string[]): Batch[] =>
      readBatches(sql, 'AND id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)),
    history: (id: string): JobStep[] => historyOf(sql, id),
    attempts: (id: string) => attemptsOf(sql, id),
    /** Jobs that are held because the database was replaced by an older copy, or was restored from the set-aside ones. */
    restoredCount: (): number => restoredCount(sql),
  };
}

/** The steps of one attempt to send a job. */
function jobAttempts(sql: Sql, move: MoveJob, departures: Departures) {
  return {
    /**
     * Moves a waiting job to sending. False if another program has just paused or cancelled it, or it is a row of a bulk of which the same went elsewhere meanwhile: it must not be sent.
     * On the disk with its departure: before, nothing has left.
     */
    claim: (id: string): boolean =>
      sql.unsynced(() => {
        holdIfSentSince(sql, id);
        return move(id, ['waiting'], 'sending', freshStart);
      }),
    /**
     * As `move` from sending to the state in which the attempt ended, in one transaction with its results: the new document in the register, and the count of
     * lost answers of the connection. True if that holds the connection from now on.
     */
    end: (id: string, to: JobState, change: JobChange, { connectionId, document, answer }: EndOfAttempt) =>
      sql.transaction(() => {
        if (!move(id, ['sending'], to, change)) return false;
        if (document) putDocument(sql, document);
        if (answer === 'came') countAnswer(sql, connectionId);
        if (answer === null) return to === 'in-doubt' && countUnawaited(sql, connectionId);
        return answer !== 'came' && countDoubt(sql, connectionId, answer.lostWithLimit);
      }),
    /** Notes that a request leaves, on the disk when it resolves: from here on the service may have accepted it. Nothing that could be a whole request may be sent before. */
    depart: async (id: string, departure: Omit<Departure, 'id'>) => {
      const departed = await sql.grouped(() => writeDeparture(sql, id, departure));
      try {
        await departures.write(departed);
      } catch (error) {
        takeBackDeparture(sql, id);
        throw error;
      }
    },
  };
}

const freshStart = { departedAt: null, answerBeganAt: null, raw: null, answer: null, documentId: null, failure: null };

function writeDeparture(sql: Sql, id: string, departure: Omit<Departure, 'id'>): Departed {
  const sha256 = sql.get<{ sha256: string | null }>('SELECT sha256 FROM jobs WHERE id = ?', id)?.sha256 ?? null;
  const departed = { jobId: id, departureId: randomUUID(), at: now(), number: nextNumber(sql), sha256 };
  const text = JSON.stringify({ id: departed.departureId, ...departure });
  // A look for the answer of an earlier attempt says nothing about this one.
  sql.run('UPDATE jobs SET departed_at = ?, departure = ?, look = NULL WHERE id = ?', departed.at, text, id);
  // The same time: by it the row of a job speaks of one of its departures.
  addStep(sql, id, 'departed', null, departed.at);
  return departed;
}

/**
 * Undoes `writeDeparture`: the job did not leave, as the second note of it could not be written. If the undo fails, too, the ledger says that a job may have left
 * that did not: that is safe.
 */
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
    // Ignored, see above.
  }
}

const isCorrectedOf = (batchId: string) => `batch_id = ${batchId} AND ${isCorrected}`;
const shownBatches = `FROM batches AS b
  WHERE complete = 1 AND (EXISTS (SELECT 1 FROM jobs WHERE batch_id = b.id AND dismissed = 0) OR EXISTS (SELECT 1 FROM jobs WHERE ${isCorrectedOf('b.id')}))`;

/** Complete batches with at least one job that is not dismissed, or that left before its correction, newest first. */
function listBatches(sql: Sql, { limit, offset }: { readonly offset: number; readonly limit: number }) {
  const count = (what: string) => sql.get<{ n: number }>(`SELECT count(*) AS n ${what}`)?.n ?? 0;
  return {
    batches: readBatches(sql, 'ORDER BY seq DESC LIMIT ? OFFSET ?', limit, offset),
    total: count(shownBatches),
    dismissedCount: count('FROM jobs WHERE dismissed = 1 AND superseded_by IS NULL'),
    correctedCount: count(`FROM jobs WHERE ${isCorrected}`),
  };
}

function readBatches(sql: Sql, which: string, ...values: readonly (string | number)[]): Batch[] {
  const rows = sql.all<{ id: string; created_at: string }>(`SELECT id, created_at ${shownBatches} ${which}`, ...values);
  return rows.map((row) => batchOf(sql, row.id, row.created_at));
}

function batchOf(sql: Sql, batchId: string, createdAt: string): Batch {
  const counts = noJobs();
  let [totalBytes, pausedCount, askingCount, stoppedCount] = [0, 0, 0, 0];
  type Row = Record<'jobs' | 'bytes' | 'paused' | 'asking' | 'stopped', number> & { readonly state: JobState };
  for (const row of sql.all<Row>(
    `SELECT state, count(*) AS jobs, sum(size_bytes) AS bytes, sum(held = ${holdNumbers.batch}) AS paused, sum(held = ${holdNumbers.duplicate}) AS asking,
       sum(${isStopped}) AS stopped
     FROM jobs WHERE batch_id = ? AND dismissed = 0 GROUP BY state`,
    batchId,
  )) {
    counts[row.state] = row.jobs;
    totalBytes += row.bytes;
    pausedCount += row.paused;
    askingCount += row.asking;
    stoppedCount += row.stopped;
  }
  const first = sql.get<{ connection_id: string; title: string; operation: OperationName }>(
    'SELECT connection_id, title, operation FROM jobs WHERE batch_id = ? ORDER BY dismissed, seq LIMIT 1',
    batchId,
  );
  return {
    batchId,
    correctedCount:
      sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${isCorrectedOf('?')}`, batchId)?.n ?? 0,
    connectionId: first?.connection_id ?? '',
    title: first?.title ?? '',
    operation: first?.operation ?? 'AddNewDocument',
    counts,
    totalBytes,
    pausedCount,
    askingCount,
    stoppedCount,
    createdAt,
  };
}
