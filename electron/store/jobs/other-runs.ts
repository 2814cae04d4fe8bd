import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { takeOverJobs } from './adopt-jobs.ts';
import type { MoveJob } from './job-moves.ts';

/** A run id that no program has: its jobs are treated like those of an ended run. */
const noRun = 'none';
const unfinished = "state IN ('prepared', 'waiting', 'sending')";

/** Jobs and changes of other programs on the same database. */
export function otherRuns(sql: Sql, run: RunLock, move: MoveJob) {
  const over = new Set<string>();
  const isWorking = (runId: string) => {
    if (over.has(runId)) return false;
    if (run.isAlive(runId)) return true;
    over.add(runId);
    return false;
  };
  return {
    /** True if the run's program still works. An ended run is remembered, as it never comes back. */
    isWorking,
    /** A number that changes after another program has written. Costs microseconds. */
    changeToken: (): number => sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0,
    /** True if a run that has ended left unfinished jobs. */
    haveLeftJobs: (): boolean => {
      const others = sql.get<{ n: number }>(
        `SELECT coalesce((SELECT sum(jobs) FROM job_counts WHERE ${unfinished}), 0)
           - (SELECT count(*) FROM jobs WHERE run_id = ? AND ${unfinished}) AS n`,
        run.runId,
      );
      if ((others?.n ?? 0) <= 0) return false;
      const runs = sql.all<{ run_id: string }>(`SELECT DISTINCT run_id FROM jobs WHERE ${unfinished}`);
      return runs.some(({ run_id }) => !run.isAlive(run_id));
    },
    /** Gives up those of these jobs that are this run's and have not left, so that any run can take them over. Answers their ids. */
    release: (ids: readonly string[]): string[] =>
      sql.transaction(() =>
        ids.filter(
          (id) =>
            sql.run(
              "UPDATE jobs SET run_id = ? WHERE id = ? AND run_id = ? AND state IN ('prepared', 'waiting')",
              noRun,
              id,
              run.runId,
            ) === 1,
        ),
      ),
    /**
     * Takes over those of these jobs that belong to ended runs: departed jobs become in doubt, the others become this run's. Answers the ids of both
     * kinds. An incomplete batch of an ended run is removed with its jobs, as at the start of the window: nobody was told that they would be sent.
     */
    takeOver: (ids: readonly string[]): string[] =>
      sql.transaction(() =>
        ids.filter(
          (id) => !dropIncomplete(sql, run, { id, isWorking }) && takeOverJob(sql, run, move, { id, isWorking }),
        ),
      ),
  };
}

interface Candidate {
  readonly id: string;
  readonly isWorking: (runId: string) => boolean;
}

/** Removes the job's batch if its run ended before the batch was complete. Answers whether the job went with it. */
function dropIncomplete(sql: Sql, run: RunLock, { id, isWorking }: Candidate): boolean {
  const batch = sql.get<{ seq: number; run_id: string }>(
    'SELECT b.seq, b.run_id FROM jobs AS j JOIN batches AS b ON b.seq = j.batch_seq WHERE j.id = ? AND b.complete = 0',
    id,
  );
  if (!batch || batch.run_id === run.runId || isWorking(batch.run_id)) return false;
  sql.run('DELETE FROM batches WHERE seq = ?', batch.seq);
  return true;
}

function takeOverJob(sql: Sql, run: RunLock, move: MoveJob, job: Candidate): boolean {
  // Jobs of an incomplete batch are never sent.
  const left = sql.get<{ run_id: string }>(
    `SELECT j.run_id FROM jobs AS j JOIN batches AS b ON b.seq = j.batch_seq
     WHERE j.id = ? AND b.complete = 1 AND j.${unfinished}`,
    job.id,
  );
  if (!left || left.run_id === run.runId || job.isWorking(left.run_id)) return false;
  takeOverJobs(sql, run, move, 'id = ?', job.id);
  return true;
}
