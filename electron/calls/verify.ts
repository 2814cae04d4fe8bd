import type { Handlers } from '../../contract/index.ts';
import type { Verifications } from '../core/verifying/verifications.ts';

type Names = 'verify.start' | 'verify.stop' | 'verify.tryAgain' | 'verify.results';

export function verifyCalls(verifications: Verifications): Pick<Handlers, Names> {
  return {
    'verify.start': ({ connectionId, intakeId }) => verifications.start(connectionId, intakeId),
    'verify.stop': async ({ runId }) => {
      verifications.stop(runId);
      return null;
    },
    'verify.tryAgain': async ({ runId, index }) => {
      verifications.tryAgain(runId, index);
      return null;
    },
    'verify.results': async ({ runId, ...page }) => verifications.results(runId, page),
  };
}
