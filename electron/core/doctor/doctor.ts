import type { DoctorReport, DoctorStep } from '../../../contract/connections.ts';

import type { Log } from '../ports.ts';
import { serviceAddress } from '../service-address.ts';
import type { ReadyService } from '../service-clients.ts';
import { waysOf } from './network-probes.ts';
import { runNetworkSteps } from './network-steps.ts';
import { reportText } from './report-text.ts';
import { runServiceSteps } from './service-steps.ts';
import { createStepRunner } from './step-runner.ts';

interface Around {
  readonly log: Log;
  readonly redact: (text: string) => string;
  /** Program version and host, for the report's head. */
  readonly program: string;
  readonly onSteps: (steps: readonly DoctorStep[]) => void;
}

/**
 * Examines a connection step by step. Every question is free of cost and changes nothing at the service. Never rejects
 * for what it finds: that is in the steps.
 */
export async function examine(service: ReadyService, { log, redact, program, onSteps }: Around): Promise<DoctorReport> {
  const { connection, target } = service;
  const url = serviceAddress(target, 'mainPath');
  const ways = waysOf(target.proxy);
  let steps: readonly DoctorStep[] = [];
  for (const [index, way] of ways.entries()) {
    // As the wire does it: the next way of the system's answer is taken where one leads nowhere.
    const runner = createStepRunner(log, redact, (seen) => {
      steps = seen;
      onSteps(seen);
    });
    if (await runNetworkSteps(runner, { url, way, target })) {
      await runServiceSteps(runner, { target, credentials: service.credentials });
      break;
    }
    if (index === ways.length - 1) {
      runner.skip(['soap', 'version', 'schedule', 'credentials', 'easy-sign'], 'the service cannot be reached');
    }
  }
  return { steps, text: redact(reportText({ program, connection, target, steps })) };
}
