import type { Context } from '../context.ts';
import { type Audits, createAudits } from './audits.ts';
import { type Comparisons, createComparisons } from './comparisons.ts';
import { createReports, type Reports } from './reports/reports.ts';
import { createVerifications, type Verifications } from './verifications.ts';

/** Everything that verification needs, connected. */
export interface VerifyServices {
  readonly verifications: Verifications;
  readonly comparisons: Comparisons;
  readonly audits: Audits;
  readonly reports: Reports;
  /** Starts no more planned runs. */
  close(): void;
}

export function createVerify(context: Context): VerifyServices {
  const verifications = createVerifications(context);
  const comparisons = createComparisons(context, verifications);
  const audits = createAudits(context, verifications);
  const reports = createReports(context, verifications);
  return {
    verifications,
    comparisons,
    audits,
    reports,
    close: audits.close,
  };
}
