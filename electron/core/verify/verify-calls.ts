import type { Handlers } from '../../../contract/index.ts';
import type { Context } from '../context.ts';
import { chooseTarget } from '../files/choose-target.ts';
import type { VerifyServices } from './create-verify.ts';
import { estimateSelection } from './estimate.ts';

type Names = Extract<keyof Handlers, `verify.${string}`>;

/** Verifying files: runs, what is known of one file, reports. */
export function verifyCalls(context: Context, parts: VerifyServices): Pick<Handlers, Names> {
  const { verifications, audits } = parts;
  return {
    'verify.estimate': ({ connectionId, intakeId }) => estimateSelection(context, connectionId, intakeId),
    'verify.start': ({ connectionId, intakeId }) => verifications.start(connectionId, intakeId),
    'verify.stop': async ({ runId }) => {
      await verifications.stop(runId);
      return null;
    },
    'verify.resume': ({ runId }) => verifications.resume(runId, audits.lister),
    'verify.tryAgain': async ({ runId, index }) => {
      await verifications.tryAgain(runId, index);
      return null;
    },
    'verify.tryGroupAgain': async ({ runId, group }) => ({ files: await verifications.tryGroupAgain(runId, group) }),
    'verify.results': async ({ runId, ...page }) => verifications.results(runId, page),
    'verify.leftOut': async ({ runId, ...page }) => verifications.leftOut(runId, page),
    'verify.runs': async (page) => verifications.runs(page),
    'verify.forget': async ({ runId }) => {
      verifications.forget(runId);
      return null;
    },
    ...storyCalls(parts),
    ...reportCalls(context, parts),
  };
}

type StoryNames = 'verify.history' | 'verify.compare' | 'verify.stopComparing';

function storyCalls({ comparisons }: VerifyServices): Pick<Handlers, StoryNames> {
  return {
    'verify.history': async ({ runId, index }) => comparisons.story(runId, index),
    'verify.compare': ({ runId, index, documentId }) => comparisons.start(runId, index, documentId),
    'verify.stopComparing': async ({ runId, index }) => {
      comparisons.stop(runId, index);
      return null;
    },
  };
}

type ReportNames = 'verify.saveReport' | 'verify.cancelReport' | 'verify.showReport';

function reportCalls({ ports }: Context, { reports }: VerifyServices): Pick<Handlers, ReportNames> {
  return {
    'verify.saveReport': async ({ runId, format, language }) => {
      const target = await chooseTarget(ports.dialogs, reports.suggestedName(runId, format));
      return target && (await reports.start(runId, format, target, language));
    },
    'verify.cancelReport': async ({ reportId }) => {
      reports.cancel(reportId);
      return null;
    },
    'verify.showReport': async ({ reportId }) => {
      await ports.desktop.showInFolder(reports.finishedPath(reportId));
      return null;
    },
  };
}
