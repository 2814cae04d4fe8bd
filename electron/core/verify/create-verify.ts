import type { Context } from '../context.ts';
import { createAudits } from './audits.ts';
import { createComparisons } from './comparisons.ts';
import { createEarlierRevisions } from './earlier-revisions.ts';
import { createPdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';
import { createReports } from './reports/reports.ts';
import { createVerifications } from './verifications.ts';
import type { VerifyContext } from './verify-context.ts';

/** Everything that verification needs, connected. */
export type VerifyServices = ReturnType<typeof createVerify>;

export function createVerify(services: Context, arrivals: VerifyContext['arrivals']) {
  const { policy, ports } = services;
  const signatures = createPdfSignatureReader(ports.log, async () => {
    // Reads certificates with all that signatures need; loaded with the first file that is examined.
    const { readKnownSigners } = await import('./known-signer-files.ts');
    const [folder, list] = [policy.organisation('trustedCertificates'), policy.organisation('trustList')];
    return readKnownSigners({ folder, list });
  });
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
    /** Starts no more planned runs. */
    close: audits.close,
    /** Ends the worker; to be called when no task is left that reads files. */
    release: context.signatures.close,
  };
}
