import { extname } from 'node:path';
import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import type { VerifyEstimate } from '../../../contract/verify.ts';
import { keepReporter, reporterOf } from '../../store/settings/key-values.ts';
import type { Context } from '../context.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import type { Desktop } from '../foundation/ports.ts';
import { type Audits, createAudits } from './audits.ts';
import { createComparisons, createEarlierRevisions } from './comparisons.ts';
import { createPdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';
import type { Previews } from './previews.ts';
import { createReports } from './reports/reports.ts';
import { createVerifications } from './verifications.ts';
import type { VerifyContext } from './verify-file.ts';

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

/** Calls about verification: runs, single files, reports. */
export function verifyCalls(context: Context, parts: VerifyServices): HandlersOf<'verify'> {
  const { verifications, audits } = parts;
  return {
    'verify.estimate': ({ connectionId, intakeId }) => estimate(context, connectionId, intakeId),
    'verify.start': ({ connectionId, intakeId }) => verifications.start(connectionId, intakeId),
    'verify.add': ({ runId, intakeId }) => verifications.add(runId, intakeId),
    'verify.resume': ({ runId }) => verifications.resume(runId, audits.lister),
    'verify.tryAgain': ({ runId, index }) => verifications.tryAgain(runId, index),
    'verify.tryGroupAgain': async ({ runId, group }) => ({ files: await verifications.tryGroupAgain(runId, group) }),
    'verify.results': async ({ runId, ...page }) => verifications.results(runId, page),
    'verify.leftOut': async ({ runId, ...page }) => verifications.leftOut(runId, page),
    'verify.runs': async (page) => verifications.runs(page),
    'verify.forget': async ({ runId }) => verifications.forget(runId),
    ...fileCalls(parts),
    ...reportCalls(context, parts),
  };
}

function fileCalls({ comparisons, earlier }: VerifyServices) {
  return {
    'verify.history': async ({ runId, index }) => comparisons.history(runId, index),
    'verify.compare': ({ runId, index, documentId }) => comparisons.start(runId, index, documentId),
    'verify.saveEarlier': ({ runId, index }) => earlier.save(runId, index),
    'verify.askEarlier': ({ runId, index }) => earlier.ask(runId, index),
    'verify.unlock': ({ runId, index, password }) => earlier.unlock(runId, index, password),
  } satisfies Partial<Handlers>;
}

function reportCalls({ ports, store }: Context, { reports }: VerifyServices) {
  return {
    'verify.saveReport': async ({ runId, format, language }) => {
      const target = await chooseTarget(ports.dialogs, await reports.suggestedName(runId, format, language));
      return target && (await reports.start(runId, format, target, language));
    },
    'verify.reporter': async () => reporterOf(store.settings),
    'verify.setReporter': async (reporter) => keepReporter(store.settings, reporter),
    'verify.showReport': ({ taskId }) => ports.desktop.showInFolder(reports.finishedPath(taskId)),
  } satisfies Partial<Handlers>;
}

/** Calls about audits: remembered folders that are verified repeatedly. */
export function auditCalls(audits: Audits): HandlersOf<'audits'> {
  return {
    'audits.list': async () => audits.list(),
    'audits.add': ({ connectionId, token, everyMinutes }) => audits.add(connectionId, token, everyMinutes),
    'audits.plan': async ({ auditId, everyMinutes }) => audits.plan(auditId, everyMinutes),
    'audits.remove': async ({ auditId }) => audits.remove(auditId),
    'audits.run': ({ auditId, ask }) => audits.run(auditId, ask),
  };
}

/** What verifying all files of an intake takes. Rejects with not-found. */
async function estimate(
  { connections, files: chosen, store }: Context,
  connectionId: string | null,
  intakeId: string,
): Promise<VerifyEstimate> {
  const intake = await chosen.intake(intakeId);
  const files = intake.length;
  const totalBytes = intake.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const notPdf = intake.filter(({ isPdf }) => isPdf === false).length;
  if (connectionId === null) return { files, notPdf, totalBytes, calls: 0, seconds: null };
  const { verifyPerMinute } = await connections.get(connectionId);
  const last = store.verifyRuns.lastPaced(connectionId);
  const byPace = last ? (last.active_ms / last.calls / 1000) * files : null;
  const byLimit = verifyPerMinute === undefined ? null : (files / verifyPerMinute) * 60;
  const isKnown = byPace !== null || byLimit !== null;
  const seconds = isKnown ? Math.ceil(Math.max(byPace ?? 0, byLimit ?? 0)) : null;
  return { files, notPdf, totalBytes, calls: files, seconds };
}

/** Calls for viewing a file, in this or another program. */
export function previewCalls(previews: Previews, desktop: Desktop): HandlersOf<'preview'> {
  return {
    'preview.open': ({ file }) => previews.open(file),
    'preview.close': async ({ token }) => previews.close(token),
    'preview.openOutside': async ({ file }) => {
      const path = await previews.pdfPath(file);
      // The system chooses the program by the extension: a PDF called x.desktop would be run, not shown.
      if (extname(path).toLowerCase() !== '.pdf')
        throw appError('file-unreadable', 'the name does not end in .pdf', { detail: 'file-not-pdf' });
      await desktop.openFile(path);
    },
    'preview.showInFolder': async ({ file }) => desktop.showInFolder(await previews.path(file)),
  };
}
