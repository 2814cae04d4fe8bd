import { z } from 'zod';
import { call, event } from './call.ts';
import type { Removed } from './removals.ts';
import { localId } from './text.ts';
import type { VerifyRun } from './verify.ts';

/** A remembered folder: each run verifies only files that changed. Its runs are runs of `verify`. */
export interface Audit {
  readonly auditId: string;
  readonly connectionId: string;
  /** The folder's name, without the folders above. */
  readonly name: string;
  /** Number of files in the last run. */
  readonly fileCount: number;
  readonly createdAt: string;
  /**
   * Interval of planned runs in minutes, counted from the start of the last run, while the program is running; null for on demand only. Calls of
   * planned runs count against the budget of automatic calls (`budget.state`): if it is used up, the run waits; if automatic calls are off, no run
   * starts.
   */
  readonly everyMinutes: number | null;
  /** ISO 8601, UTC; null if no run is planned. May be in the past while another run of the audit is going on. */
  readonly nextAt: string | null;
  readonly lastRun: VerifyRun | null;
}

const everyMinutes = z.int().min(5).max(525_600).nullable();
const asking = {
  auditId: localId,
  /**
   * `changes`: files with the same size and times count as unchanged; others are hashed, and verified only if the bytes changed. Files without an
   * answer are verified too. `contents`: every file is hashed. `everything`: every file is verified.
   */
  ask: z.enum(['changes', 'contents', 'everything']).default('changes'),
};

export const audits = {
  'audits.list': call(() => ({})).answers<readonly Audit[]>(),
  /** Remembers a folder without verifying it. If the folder is already remembered for the connection, answers the existing audit. */
  'audits.add': call(() => ({
    connectionId: localId,
    token: localId,
    everyMinutes: everyMinutes.default(null),
  })).answers<Audit>(),
  'audits.plan': call(() => ({ auditId: localId, everyMinutes })).answers<Audit>(),
  /** Removes the audit and all its runs. Rejects with bad-input while one is going on. */
  'audits.remove': call(() => ({ auditId: localId })).answers<Removed>(),
  /** Starts a run, which is a task like any other verification. Rejects with bad-input while one is going on. */
  'audits.run': call(() => asking).answers<VerifyRun>(),
};

export const auditEvents = {
  'audits.changed': event<readonly Audit[]>(),
};
