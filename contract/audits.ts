import { z } from 'zod';
import { call, event } from './call.ts';
import { localId } from './text.ts';
import type { VerifyEstimate, VerifyRun } from './verify.ts';

/** A folder that is remembered: each run asks only about what is not as it was. Its runs are runs of `verify`. */
export interface Audit {
  readonly auditId: string;
  readonly connectionId: string;
  /** The folder's name, without the folders above. */
  readonly name: string;
  /** Files that the last run found. */
  readonly fileCount: number;
  readonly createdAt: string;
  /**
   * While the program runs: begun this long after the last run began; null for only on demand. Calls of planned runs count against what the
   * program may ask by itself (`budget.state`): where that is used up the run waits, where it is off none begins.
   */
  readonly everyMinutes: number | null;
  /** ISO 8601, UTC; null where nothing is planned. May lie in the past while another run of it goes on. */
  readonly nextAt: string | null;
  readonly lastRun: VerifyRun | null;
}

const everyMinutes = z.int().min(5).max(525_600).nullable();
const asking = {
  auditId: localId,
  /**
   * `changes`: files with the same size and times are taken to be the same; others are hashed, and asked about only where the bytes are
   * others. What has no answer is asked about too. `contents`: every file is hashed. `everything`: every file is asked about.
   */
  ask: z.enum(['changes', 'contents', 'everything']).default('changes'),
};

export const audits = {
  'audits.list': call(z.strictObject({})).answers<readonly Audit[]>(),
  /** Remembers a folder; asks nothing yet. The same folder on the same connection answers the audit that is there. */
  'audits.add': call(
    z.strictObject({ connectionId: localId, token: localId, everyMinutes: everyMinutes.default(null) }),
  ).answers<Audit>(),
  'audits.plan': call(z.strictObject({ auditId: localId, everyMinutes })).answers<Audit>(),
  /** Forgets the folder and all its runs. Rejects with bad-input while one runs. */
  'audits.remove': call(z.strictObject({ auditId: localId })).answers<null>(),
  /** Walks through the folder without reading files: what is counted as a call may turn out to be unchanged. */
  'audits.estimate': call(z.strictObject(asking)).answers<VerifyEstimate>(),
  /** Begins a run; it is told in `verify.progressed` like any other. Rejects with bad-input while one runs. */
  'audits.run': call(z.strictObject(asking)).answers<VerifyRun>(),
};

export const auditEvents = {
  'audits.changed': event<readonly Audit[]>(),
};
