import { z } from 'zod';
import type { Answer, VerdictGroup } from './answer.ts';
import { verdictGroups } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import { localId } from './text.ts';

/** What this computer knows of a file, by its SHA-256; null where it knows nothing. */
export interface KnownHere {
  readonly documentId: string;
  readonly name: string;
  readonly clientId: string;
  readonly registeredAt: string;
}

export interface VerifyResult {
  readonly index: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  /** `pending` until asked. */
  readonly state: 'pending' | 'asking' | 'answered';
  readonly answer: Answer<VerdictGroup> | null;
  /** The service's own words. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  readonly askedAt: string | null;
  readonly knownHere: KnownHere | null;
}

export type VerdictCounts = Readonly<Record<VerdictGroup, number>>;

export interface VerifyRun {
  readonly runId: string;
  readonly connectionId: string;
  readonly state: 'running' | 'stopped' | 'finished';
  readonly total: number;
  readonly answered: number;
  readonly counts: VerdictCounts;
  readonly startedAt: string;
}

export const verify = {
  /** Asks ValidateDocument about every file of an intake. Free to repeat. */
  'verify.start': call(z.strictObject({ connectionId: localId, intakeId: localId })).answers<VerifyRun>(),
  'verify.stop': call(z.strictObject({ runId: localId })).answers<null>(),
  'verify.tryAgain': call(z.strictObject({ runId: localId, index: z.int().min(0) })).answers<null>(),
  /** Failures first, then in the order of the drop. */
  'verify.results': call(
    z.strictObject({
      runId: localId,
      group: z.enum(verdictGroups).optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly run: VerifyRun; readonly results: readonly VerifyResult[]; readonly total: number }>(),
};

export const verifyEvents = {
  /** At most ten times a second. `results`: those that changed since the last time. */
  'verify.progressed': event<{ readonly run: VerifyRun; readonly results: readonly VerifyResult[] }>(),
};
