import type { Context } from '../context.ts';
import { type Audits, createAudits } from './audits.ts';
import { type Comparisons, createComparisons } from './comparisons.ts';
import { createEarlierRevisions, type EarlierRevisions } from './earlier-revisions.ts';
import { readKnownSigners } from './known-signer-files.ts';
import { createPdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';
import { createReports, type Reports } from './reports/reports.ts';
import { createVerifications, type Verifications } from './verifications.ts';
import type { VerifyContext } from './verify-context.ts';

/** Everything that verification needs, connected. */
export interface VerifyServices {
  readonly verifications: Verifications;
  readonly comparisons: Comparisons;
  readonly earlier: EarlierRevisions;
  readonly audits: Audits;
  readonly reports: Reports;
  /** Starts no more planned runs. */
  close(): void;
  /** Ends the worker; to be called when no task is left that reads files. */
  release(): Promise<void>;
}

export function createVerify(services: Context, arrivals: VerifyContext['arrivals']): VerifyServices {
  const { policy, ports } = services;
  const signatures = createPdfSignatureReader(ports.log, () =>
    readKnownSigners({ folder: policy.organisation('trustedCertificates'), list: policy.organisation('trustList') }),
  );
  const context = { ...services, arrivals, signatures };
  const verifications = createVerifications(context);
  const comparisons = createComparisons(context, verifications);
  const earlier = createEarlierRevisions(context, verifications);
  const audits = createAudits(context, verifications);
  const reports = createReports(context, verifications);
  return {
    verifications,
    comparisons,
    earlier,
    audits,
    reports,
    close: audits.close,
    release: context.signatures.close,
  };
}
