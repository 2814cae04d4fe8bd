import { type DoctorReport, type DoctorStep, doctorSteps } from '../../../../contract/connections.ts';
import { appError } from '../../foundation/app-error.ts';
import type { Log } from '../../foundation/ports.ts';
import { serviceAddress } from '../service-address.ts';
import type { ReadyService } from '../service-clients.ts';
import { waysOf } from './network-probes.ts';
import { runNetworkSteps } from './network-steps.ts';
import { proposalFor } from './proposals.ts';
import { reportText } from './report-text.ts';
import { runServiceSteps } from './service-steps.ts';
import { createStepRunner, type StepRunner } from './step-runner.ts';

const serviceSteps = doctorSteps.slice(doctorSteps.indexOf('soap'));
/** For one step: a service that starts cold may take a minute. A connection may wait an hour for an answer; the doctor does not. */
const usualStepMs = 120_000;

interface Around {
  readonly log: Log;
  readonly redact: (text: string) => string;
  /** Program version and host, for the report's head. */
  readonly program: string;
  readonly onSteps: (steps: readonly DoctorStep[]) => void;
  /** Limit of one step; two minutes unless given. */
  readonly stepMs?: number;
}

/**
 * Examines a connection step by step. Every question is free of cost and changes nothing at the service. Never rejects
 * for what it finds: that is in the steps.
 */
export async function examine(service: ReadyService, around: Around): Promise<DoctorReport> {
  const { log, redact, program, onSteps, stepMs: limitMs = usualStepMs } = around;
  const { connection, target } = service;
  const url = serviceAddress(target, 'mainPath');
  const ways = waysOf(target.proxy);
  let steps: readonly DoctorStep[] = [];
  const newRunner = () =>
    createStepRunner({
      log,
      redact,
      limitMs,
      proposalFor,
      onStep: (seen) => {
        steps = seen;
        onSteps(seen);
      },
    });
  if (ways.length === 0) await reportNoWay(newRunner());
  for (const [index, way] of ways.entries()) {
    // As the wire does it: the next way of the system's answer is taken where one leads nowhere.
    const runner = newRunner();
    if (await runNetworkSteps(runner, { url, way, target })) {
      await runServiceSteps(runner, { connection, target, credentials: service.credentials });
      break;
    }
    if (index === ways.length - 1) {
      runner.notTried(serviceSteps, 'the service cannot be reached');
    }
  }
  return { steps, text: redact(reportText({ program, connection, target, steps })) };
}

/** The system names proxies of a kind that the wire does not speak (SOCKS). */
async function reportNoWay(runner: StepRunner): Promise<void> {
  runner.notTried(['name-lookup', 'tcp'], 'which way to take is not known');
  await runner.run('proxy', async () => {
    throw appError('service-unreachable', 'no proxy of a kind that can be used', { detail: 'proxy-failed' });
  });
  runner.notTried(['tls', ...serviceSteps], 'the service cannot be reached');
}
