import type { VerdictGroup } from '../../../contract/answers.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { canTryAgain } from '../../../locales/answer-meaning.ts';
import {
  answerOf,
  pendingRank,
  type StoredFile,
  type StoredRun,
  type Tally,
  tallyOf,
} from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { appError, orNotFound } from '../foundation/app-error.ts';
import type { LiveRuns } from './live-runs.ts';
import { askAgain } from './run-record.ts';
import type { Lister } from './run-verification.ts';

/** Asking again in existing runs. Only the latest run of an audit may change; earlier runs are history. */
export type Retries = ReturnType<typeof createRetries>;

export function createRetries(context: Context, runs: LiveRuns) {
  const { verifyRuns, verifyFiles } = context.store;
  const changeable = (runId: string): StoredRun => {
    const run = runs.stored(runId);
    if (!runs.get(runId) && verifyRuns.isWorkedOn(run))
      throw appError('bad-input', 'another program works on this verification');
    if (run.audit_id !== null && verifyRuns.lastOf(run.audit_id)?.seq !== run.seq)
      throw appError('bad-input', 'a later run of this folder is there: ask in that one');
    return run;
  };
  const resuming = new Map<string, Promise<VerifyRun>>();
  const resume: Retries['resume'] = async (runId, list) => {
    const run = changeable(runId);
    await assertAskable(context, run);
    // Whoever resumes one that is just being stopped wants it to go on.
    if (runs.get(runId)?.isStopping) await context.tasks.stop(runId);
    const going = runs.get(runId);
    if (going) return going.view();
    const lister = list(run);
    verifyRuns.take(runId);
    return await runs.go(runs.stored(runId), { list: lister, total: 0, isPlanned: false, trouble: null });
  };
  return {
    /**
     * Continues with the files that have no answer yet; one that is going on stays as it is. `list`: the lister for a run whose files are not all listed. Rejects with
     * not-found or bad-input.
     */
    resume: (runId: string, list: (run: StoredRun) => Lister | null): Promise<VerifyRun> => {
      const begun = resuming.get(runId) ?? resume(runId, list).finally(() => resuming.delete(runId));
      resuming.set(runId, begun);
      return begun;
    },
    /** Verifies one file once more. Rejects with not-found, and with bad-input while the file is being verified. */
    tryAgain: async (runId: string, index: number) => {
      const run = changeable(runId);
      const row = orNotFound(verifyFiles.inRun(run, index), 'no such file in this verification');
      if (row.rank === pendingRank) throw appError('bad-input', 'the file is being asked about');
      await again(context, runs, run, [row]);
    },
    /** Resolves with the number of files. */
    tryGroupAgain: async (runId: string, group: VerdictGroup): Promise<number> => {
      const run = changeable(runId);
      const all = verifyFiles.page(run, { group, offset: 0, limit: Number.MAX_SAFE_INTEGER }).rows;
      const rows = all.filter((row) => {
        const answer = answerOf(row);
        return group !== 'no-answer' || answer === null || canTryAgain(answer);
      });
      if (rows.length > 0) await again(context, runs, run, rows);
      return rows.length;
    },
  };
}

/** Rejects with not-connected: a person who continues wants the service to be asked. */
async function assertAskable(context: Context, { connection_id }: StoredRun): Promise<void> {
  if (connection_id !== '') await context.connections.client(connection_id);
}

/** Verifies these rows once more, in the running run or by starting the run again. */
function again(context: Context, runs: LiveRuns, run: StoredRun, rows: readonly StoredFile[]): Promise<void> {
  return continueWith(context, runs, run, (tally) => askAgain(context, run, tally, rows));
}

/** Changes the rows of a run and verifies those that have no answer, in the running run or by starting the run again. */
export async function continueWith(
  context: Context,
  runs: LiveRuns,
  run: StoredRun,
  change: (tally: Tally) => void,
): Promise<void> {
  await assertAskable(context, run);
  const live = runs.get(run.id);
  if (live) return live.change(change);
  const { verifyRuns } = context.store;
  const tally = tallyOf(run);
  context.store.together(() => {
    change(tally);
    const listing = run.listing === 1;
    verifyRuns.save(
      run.id,
      { state: 'running', listing, trouble: null, activeMs: run.active_ms, endedAt: null },
      tally,
    );
    verifyRuns.take(run.id);
  });
  await runs.go(runs.stored(run.id), { list: null, total: 0, isPlanned: false, trouble: null });
}
