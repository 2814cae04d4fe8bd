import type { Handlers } from '../../contract/index.ts';
import { failing } from '../core/failing.ts';
import type { Verifications } from '../core/verifying/verifications.ts';

type Names = Extract<keyof Handlers, `verify.${string}` | `audits.${string}`>;

const unbuilt = async () => {
  throw failing('bug', 'under construction');
};

export function verifyCalls(verifications: Verifications): Pick<Handlers, Names> {
  return {
    'verify.estimate': unbuilt,
    'verify.start': ({ connectionId, intakeId }) => verifications.start(connectionId, intakeId),
    'verify.stop': async ({ runId }) => {
      verifications.stop(runId);
      return null;
    },
    'verify.resume': unbuilt,
    'verify.tryAgain': async ({ runId, index }) => {
      verifications.tryAgain(runId, index);
      return null;
    },
    'verify.tryGroupAgain': unbuilt,
    'verify.results': async ({ runId, ...page }) => verifications.results(runId, page),
    'verify.leftOut': unbuilt,
    'verify.runs': unbuilt,
    'verify.forget': unbuilt,
    'verify.story': unbuilt,
    'verify.compare': unbuilt,
    'verify.stopComparing': unbuilt,
    'verify.saveReport': unbuilt,
    'verify.cancelReport': unbuilt,
    'verify.showReport': unbuilt,
    'audits.list': unbuilt,
    'audits.add': unbuilt,
    'audits.plan': unbuilt,
    'audits.remove': unbuilt,
    'audits.estimate': unbuilt,
    'audits.run': unbuilt,
  };
}
