import { randomUUID } from 'node:crypto';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { VerifyResult, VerifyRun } from '../../../contract/verify.ts';
import type { Context } from '../context.ts';
import { failing } from '../failing.ts';
import { runVerification, type Verification } from './run-verification.ts';
import { pageOfResults, viewOfRun } from './verify-results.ts';

/** The oldest runs that have ended are forgotten; their results are in memory only. */
const keptRuns = 20;

/** Runs of ValidateDocument over many files. A read: free to repeat, nothing of it is in the ledger. */
export interface Verifications {
  /** Answers at once; results are told in `verify.progressed`. Rejects with not-found or not-connected. */
  start(connectionId: string, intakeId: string): Promise<VerifyRun>;
  /** What is being asked is broken off and stays without answer; what was not asked stays pending. Rejects with not-found. */
  stop(runId: string): void;
  /** Asks once more about one file. Rejects with not-found, or bad-input while it is being asked. */
  tryAgain(runId: string, index: number): void;
  results(
    runId: string,
    page: { readonly group?: VerdictGroup; readonly offset: number; readonly limit: number },
  ): { readonly run: VerifyRun; readonly results: readonly VerifyResult[]; readonly total: number };
  close(): Promise<void>;
}

export function createVerifications(context: Context): Verifications {
  const runs = new Map<string, Verification>();
  const known = (runId: string): Verification => {
    const run = runs.get(runId);
    if (!run) throw failing('not-found', 'no such verification');
    return run;
  };
  return {
    start: async (connectionId, intakeId) => {
      const files = await context.files.intake(intakeId);
      // Without credentials nothing is begun.
      await context.connections.client(connectionId);
      const { parallel } = await context.connections.get(connectionId);
      forgetOldest(runs);
      const run = runVerification(context, { runId: randomUUID(), connectionId, files, parallel });
      runs.set(run.runId, run);
      return viewOfRun(run);
    },
    stop: (runId) => known(runId).stop(),
    tryAgain: (runId, index) => known(runId).tryAgain(index),
    results: (runId, page) => {
      const run = known(runId);
      return { run: viewOfRun(run), ...pageOfResults(run.results, page) };
    },
    close: async () => {
      for (const run of runs.values()) run.stop();
      await Promise.all([...runs.values()].map((run) => run.idle()));
    },
  };
}

function forgetOldest(runs: Map<string, Verification>): void {
  if (runs.size < keptRuns) return;
  for (const [id, run] of runs) {
    if (run.state() === 'running') continue;
    runs.delete(id);
    return;
  }
}
