import type { Countdown } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { standAsBefore, undoCorrection } from './job-moves.ts';
import { gateIs, gates, holdNumbers, isBesideDoubt } from './job-rows.ts';
import { addStep } from './job-steps.ts';

/** The jobs of a batch that a countdown keeps back, or those whose countdown was stopped. */
export interface GatedBatch extends Omit<Countdown, 'leftMs' | 'isStopped' | 'isBesideDoubt'> {
  readonly isStopped: 0 | 1;
  readonly isBesideDoubt: 0 | 1;
}

const notLeft = "state IN ('prepared', 'waiting')";
const stop = `UPDATE jobs SET gate = gate - gate % ${gates.paced} + ${gates.stopped}`;

/** Countdowns in the ledger. They hold for every program; only the one whose jobs they are counts. */
export function jobGates(sql: Sql, run: RunLock) {
  return {
    /** Batches with jobs that a countdown alone keeps back, at most `limit`, and how many there are: those first that are counted, the newest before others. What asks otherwise does not leave at its end. */
    gated: (limit: number): { readonly batches: readonly GatedBatch[]; readonly total: number } => gated(sql, limit),
    /** Stops the countdowns of this run: their jobs wait for a person. */
    stopCountdowns: (): void => sql.transaction(() => stopCountdown(sql, 'run_id = ?', run.runId)),
    /** Opens the gate of the next row of a bulk whose countdown is over; false if there is none. */
    openNextPaced: (batchId: string): boolean =>
      sql.run(
        `UPDATE jobs SET gate = 0 WHERE seq = (SELECT seq FROM jobs WHERE batch_id = ? AND gate = ${gates.paced} AND run_id = ? ORDER BY seq LIMIT 1)`,
        batchId,
        run.runId,
      ) === 1,
    /** Jobs of the batch that have not ended, and those of them that neither a gate keeps back nor a duplicate for a person's decision. */
    openOf: (batchId: string) =>
      sql.get<{ open: number; moving: number }>(
        `SELECT count(*) AS open, coalesce(sum(gate = 0 AND held <> ${holdNumbers.duplicate}), 0) AS moving FROM jobs
         WHERE batch_id = ? AND state IN ('prepared', 'waiting', 'sending')`,
        batchId,
      ) ?? { open: 0, moving: 0 },
    /**
     * Stops the countdown of a batch that is taken back, and answers what that is about: with `isStopped` what the countdown keeps back, or nobody's does any more, while others of it wait. Else the whole
     * batch: all that a gate keeps back, of a bulk's also those whose turn has come and that never left, and those in `asking`. Nothing is left to send then: the bulk whose rows they are is paused.
     */
    stopBatch: (which: PartOfBatch, asking: readonly string[]) => sql.transaction(() => stopBatch(sql, which, asking)),
    /**
     * Takes back those of these jobs that no program has begun to send; answers their ids. `asking`: those that this program asks the team register about, of which nothing has left. `freedOf`: the bulk of this batch has its rows again.
     * What was a correction gives its place back to the job that it replaced, which stands as it did before, as does what was sent again.
     */
    takeBack: (ids: readonly string[], asking: readonly string[], freedOf: string | null): TakenBackJob[] =>
      sql.transaction(() => {
        const all = takeBack(sql, run, ids, asking);
        if (freedOf !== null) freeRows(sql, freedOf, all);
        return all;
      }),
  };
}

/** A condition on `jobs`, with its value. */
export type OfRunOrJob = readonly [which: 'run_id = ?' | 'id = ?', value: string];

/**
 * Stops the countdowns of jobs whose run ended, or did not see them go on. Call it in a transaction. Also without a countdown what was in doubt is so again, and what corrects one in doubt waits for
 * a person in its place: who wanted it sent beside that is not asked a second time otherwise.
 */
export function stopCountdown(sql: Sql, ...[which, value]: OfRunOrJob): void {
  const doubted = sql.all<{ id: string }>(
    `SELECT id FROM jobs WHERE ${which} AND ${notLeft} AND dismissed = 0
       AND EXISTS (SELECT 1 FROM job_events WHERE job_seq = jobs.seq AND kind = 'in-doubt')`,
    value,
  );
  for (const { id } of doubted) standAsBefore(sql, id, ['in-doubt']);
  sql.run(`${stop} WHERE ${which} AND ${notLeft} AND (${gateIs.counting} OR ${isBesideDoubt})`, value);
}

function gated(sql: Sql, limit: number): { batches: GatedBatch[]; total: number } {
  const batches = sql.all<GatedBatch>(
    `WITH kept AS (SELECT batch_id AS batchId, min(seq) AS first, count(*) AS count, ${gateIs.stopped} AS isStopped
       FROM jobs INDEXED BY jobs_gate WHERE gate <> 0 AND gate % ${gates.paced} <> 0
         AND (held = 0 OR ${gateIs.stopped} AND held IN (${holdNumbers.job}, ${holdNumbers.batch})) GROUP BY batchId, isStopped)
     SELECT batchId, connection_id AS connectionId, id AS jobId, title, operation, count, isStopped, ${isBesideDoubt} AS isBesideDoubt,
       (SELECT id FROM bulks WHERE batch_id = batchId) AS bulkId
     FROM kept JOIN jobs ON seq = first ORDER BY isStopped, first DESC`,
  );
  return { batches: batches.slice(0, limit), total: batches.length };
}

/** `isStopped`: those jobs alone whose countdown was stopped, or was not. */
export interface PartOfBatch {
  readonly batchId: string;
  readonly isStopped?: boolean | undefined;
}

/** `corrected`: the job that it was a correction of, and that is on the list again in its place. `wasSentAgain`: it stands as it did before that. */
export interface TakenBackJob {
  readonly id: string;
  readonly corrected: string | null;
  readonly wasSentAgain: boolean;
}

/** See `jobGates`; call it within a transaction. */
export function takeBack(sql: Sql, run: RunLock, ids: readonly string[], asking: readonly string[]): TakenBackJob[] {
  const at = new Date().toISOString();
  const taken = ids.filter(
    (id) =>
      sql.run(
        `UPDATE jobs SET state = 'cancelled', held = 0, gate = 0, run_id = ?, failure = NULL, updated_at = ?
         WHERE id = ? AND dismissed = 0 AND (${notLeft} OR state = 'sending' AND departed_at IS NULL AND ?)`,
        run.runId,
        at,
        id,
        asking.includes(id) ? 1 : 0,
      ) === 1,
  );
  return taken.map((id) => {
    addStep(sql, id, 'taken-back');
    const wasSentAgain = standAsBefore(sql, id, ['in-doubt', 'refused', 'failed']);
    if (!wasSentAgain) addStep(sql, id, 'cancelled');
    return { id, wasSentAgain, corrected: wasSentAgain ? null : undoCorrection(sql, id, 'any') };
  });
}

/** In one transaction, so that none of the rest leaves while one after the other is taken back. */
function stopBatch(sql: Sql, { batchId, isStopped: onlyStopped }: PartOfBatch, asking: readonly string[]) {
  const kept = onlyStopped ? gateIs.stopped : gateIs.counting;
  const all = `gate <> 0 OR ${notLeft} AND EXISTS (SELECT 1 FROM bulks WHERE bulks.batch_id = jobs.batch_id)
    AND NOT EXISTS (SELECT 1 FROM job_events WHERE job_seq = jobs.seq AND kind = 'departed')
    OR state = 'sending' AND id IN (SELECT value FROM json_each(?))`;
  const ofBatch = `FROM jobs WHERE batch_id = ? AND dismissed = 0`;
  const isPart =
    onlyStopped !== undefined &&
    sql.get(`SELECT 1 ${ofBatch} AND ${notLeft} AND NOT (${kept}) LIMIT 1`, batchId) !== undefined;
  const values = [batchId, ...(isPart ? [] : [JSON.stringify(asking)])];
  const rows = sql.all<{ id: string }>(`SELECT id ${ofBatch} AND (${isPart ? kept : all}) ORDER BY seq`, ...values);
  if (!(isPart && onlyStopped)) sql.run(`${stop} WHERE batch_id = ? AND gate <> 0 AND ${gateIs.counting}`, batchId);
  if (!isPart) sql.run("UPDATE bulks SET state = 'paused' WHERE batch_id = ? AND state = 'sending'", batchId);
  return { jobIds: rows.map(({ id }) => id), freedOf: isPart ? null : batchId };
}

/** Rows of a bulk that was taken back as a whole can be sent with it again; their jobs never: they are off the list, and count as replaced by themselves. */
function freeRows(sql: Sql, batchId: string, taken: readonly TakenBackJob[]): void {
  const freed =
    'UPDATE bulk_rows SET job_id = NULL WHERE job_id = ? AND bulk_seq = (SELECT seq FROM bulks WHERE batch_id = ?)';
  const off = 'UPDATE jobs SET dismissed = 1, superseded_by = id WHERE id = ?';
  for (const { id, wasSentAgain } of taken) {
    if (!wasSentAgain && sql.run(freed, id, batchId) === 1) sql.run(off, id);
  }
}
