import { type DoctorReport, type DoctorStep, doctorSteps } from '../../../../contract/connections.ts';
import type { PolicyState } from '../../../../contract/settings.ts';
import { type Entry, entriesOf } from '../../../soap/wire/network-route.ts';
import type { Log } from '../../foundation/ports.ts';
import { serviceAddress } from '../service-address.ts';
import type { ReadyService } from '../service-clients.ts';
import { runNetworkSteps } from './network-steps.ts';
import { proposalFor, reportText } from './report-text.ts';
import { runServiceSteps } from './service-steps.ts';
import { createStepRunner, type StepRunner } from './step-runner.ts';

const serviceSteps = doctorSteps.slice(doctorSteps.indexOf('soap'));
/**
 * Limit of one step: a service that starts cold may take a minute. A connection may wait an hour for an answer; the
 * doctor does not.
 */
const usualStepMs = 120_000;

interface Options {
  readonly log: Log;
  readonly policy: PolicyState;
  readonly redact: (text: string) => string;
  /** Program version and host, for the report's head. */
  readonly program: string;
  readonly onSteps: (steps: readonly DoctorStep[]) => void;
  /** Limit of one step in milliseconds; two minutes unless given. */
  readonly stepMs?: number;
}

/**
 * Examines a connection step by step. Every question is free of cost and changes nothing at the service. Never
 * rejects because of a finding: findings are in the steps.
 */
export async function examine(service: ReadyService, options: Options): Promise<DoctorReport> {
  const { log, redact, program, onSteps, stepMs: limitMs = usualStepMs } = options;
  const { connection, target } = service;
  const url = serviceAddress(target, 'mainPath');
  let steps: readonly DoctorStep[] = [];
  let known: readonly DoctorStep[] = [];
  const newRunner = () =>
    createStepRunner({
      log,
      redact,
      limitMs,
      proposalFor,
      onStep: (seen) => {
        steps = [...known, ...seen];
        onSteps(steps);
      },
    });
  await runPolicyStep(newRunner(), options.policy);
  known = steps;
  const entries = await routesOf(target.proxy, newRunner);
  for (const [index, entry] of entries.entries()) {
    // As the SOAP client does: if one route of the system's proxy answer fails, the next one is tried.
    const runner = newRunner();
    if (await runNetworkSteps(runner, { url, entry, target })) {
      await runServiceSteps(runner, { connection, target, credentials: service.credentials });
      break;
    }
    if (index === entries.length - 1) runner.notTried(serviceSteps, 'the service cannot be reached');
  }
  return { steps, text: redact(reportText({ program, connection, target, steps })) };
}

/**
 * The routes to try. If the system names only proxies of a kind that the SOAP client does not support (SOCKS), the
 * steps report that and the result is empty.
 */
async function routesOf(proxy: string, newRunner: () => StepRunner): Promise<readonly Entry[]> {
  try {
    return entriesOf(proxy);
  } catch (error) {
    const runner = newRunner();
    runner.notTried(['name-lookup', 'tcp'], 'which way to take is not known');
    await runner.run('proxy', () => Promise.reject(error));
    runner.notTried(['tls', ...serviceSteps], 'the service cannot be reached');
    return [];
  }
}

/** Reports the organisation's policy, if there is one: what it sets, and what of it cannot be used. */
async function runPolicyStep(runner: StepRunner, { source, isPresent, locked, problems }: PolicyState): Promise<void> {
  if (!isPresent) return;
  const sets = locked.length > 0 ? `sets ${locked.join(', ')}` : 'sets nothing';
  const found = problems.map(({ key, note }) => `${key} ${note}`.trim());
  await runner.run('policy', async () => ({
    note: [`${source} ${sets}`, ...found].join('; '),
    result: problems.length > 0 ? 'unclear' : 'passed',
  }));
}
