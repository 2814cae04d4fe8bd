import type { PeerCertificate } from 'node:tls';
import { type DoctorReport, type DoctorStep, doctorSteps } from '../../../../contract/connections.ts';
import type { Handlers } from '../../../../contract/index.ts';
import type { PolicyState } from '../../../../contract/settings.ts';
import { linkStages, type SeenTls } from '../../../soap/wire/connect.ts';
import { untrustedDetail } from '../../../soap/wire/connection-failure.ts';
import { createRoute, type Entry, entriesOf, type RouteTarget } from '../../../soap/wire/network-route.ts';
import type { HostPort } from '../../../soap/wire/open-socket.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import type { Emit } from '../../foundation/event-emitter.ts';
import type { Log, Ports } from '../../foundation/ports.ts';
import type { Policy } from '../../settings/policy.ts';
import { healthOfReport } from '../connection-health.ts';
import type { Connections } from '../connections.ts';
import { isLoopback, serviceAddress } from '../service-address.ts';
import type { ReadyService } from '../service-clients.ts';
import { proposalFor, reportText, stepLine } from './judge-reply.ts';
import { runServiceSteps } from './service-steps.ts';
import { createStepRunner, type StepRunner } from './step-runner.ts';

interface Needs {
  readonly ports: Pick<Ports, 'log' | 'version' | 'host'>;
  readonly emit: Emit;
  readonly policy: Pick<Policy, 'state'>;
}

/** The call that runs the connection doctor. */
export function doctorCalls(
  { ports, emit, policy }: Needs,
  connections: Connections,
  redact: (text: string) => string,
): Pick<Handlers, 'connections.doctor'> {
  return {
    'connections.doctor': async ({ id }) =>
      connections.reach(id, async (service) => {
        const record = connections.recorder(id);
        const report = await examine(service, {
          log: ports.log,
          policy: policy.state(),
          redact,
          program: `${ports.version} (${ports.host})`,
          onSteps: (steps) => emit('connections.doctorProgressed', { id, steps }),
        });
        const stepWith = (is: DoctorStep['result']) => report.steps.find(({ result }) => result === is)?.step;
        if (service.connection.kind === 'service')
          record(healthOfReport(report), { faultStep: stepWith('failed') ?? stepWith('unclear') });
        return report;
      }),
  };
}

const mostMs = 30_000;
const stepMs = 10_000;

/** Checks a connection by the doctor's steps, for at most half a minute; answers a line for each step that has ended. Never rejects. */
export function checkBriefly(
  {
    ports,
    policy,
  }: { readonly ports: Pick<Ports, 'log' | 'version' | 'host'>; readonly policy: Pick<Policy, 'state'> },
  connections: Pick<Connections, 'reach'>,
  redact: (text: string) => string,
): (id: string) => Promise<readonly string[]> {
  return async (id) => {
    let steps: readonly DoctorStep[] = [];
    let timer: NodeJS.Timeout | undefined;
    const onSteps = (seen: readonly DoctorStep[]) => {
      steps = seen;
    };
    const checked = connections.reach(id, (service) =>
      examine(service, {
        log: ports.log,
        policy: policy.state(),
        redact,
        program: `${ports.version} (${ports.host})`,
        onSteps,
        stepMs,
      }),
    );
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('not finished in half a minute'), mostMs);
    });
    const end = await Promise.race([checked.then(() => null), late]).catch(
      (error: unknown) => `not possible [${failureOf(error)?.code ?? 'bug'}]`,
    );
    clearTimeout(timer);
    return [...steps.map(stepLine), ...(end === null ? [] : [end])];
  };
}

const serviceSteps = doctorSteps.slice(doctorSteps.indexOf('soap'));
/** Limit of one step: a service that starts cold may take a minute. A connection may wait an hour for an answer; the doctor does not. */
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

/** Examines a connection step by step. Every question is free of cost and changes nothing at the service. Never rejects because of a finding: findings are in the steps. */
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

/** The routes to try. If the system names only proxies of a kind that the SOAP client does not support (SOCKS), the steps report that and the result is empty. */
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

interface Way {
  readonly url: URL;
  /** The route of the PAC answer that is tried. */
  readonly entry: Entry;
  readonly target: RouteTarget;
}

/** Runs the steps from the host name to a connection ready for a request: name-lookup, tcp, proxy, tls. Returns whether all of them worked. Closes the connection again. */
async function runNetworkSteps(runner: StepRunner, { url, entry, target }: Way): Promise<boolean> {
  const stages = linkStages(url, entry, createRoute(target));
  const { service, first } = stages;
  const firstIs = entry.kind === 'DIRECT' ? 'service' : 'proxy';

  const steps = [
    ['name-lookup', async () => ({ note: `${firstIs} ${first.host} is ${(await stages.lookUp()).join(', ')}` })],
    [
      'tcp',
      async () => {
        await stages.connect();
        return { note: `connected to the ${firstIs} at ${textOf(first)}` };
      },
    ],
    [
      'proxy',
      async () => {
        if (entry.kind === 'DIRECT')
          return { note: 'direct connection, no proxy in use', result: 'not-tried' as const };
        if (entry.kind === 'HTTPS') trustedNote(await stages.secureProxy());
        if (url.protocol !== 'https:')
          return { note: `http goes through ${textOf(first)}`, result: 'not-tried' as const };
        await stages.tunnel();
        return { note: `${textOf(first)} connects to ${textOf(service)}` };
      },
    ],
    [
      'tls',
      async () => {
        if (url.protocol !== 'https:') return { note: inClear(service), result: 'not-tried' as const };
        return { note: trustedNote(await stages.secure()) };
      },
    ],
  ] as const;

  try {
    for (const [index, [step, work]] of steps.entries()) {
      if (await runner.run(step, work)) continue;
      const later = steps.slice(index + 1).map(([name]) => name);
      runner.notTried(later, `${step} failed`);
      return false;
    }
    return true;
  } finally {
    stages.close();
  }
}

/** Protocol, issuer and last day of the certificate, in English. Throws tls-untrusted, with the same text in its note, for an untrusted certificate. */
function trustedNote({ protocol, certificate, untrusted }: SeenTls): string {
  const note = [
    protocol ?? 'TLS',
    `certificate for ${nameOf({ CN: certificate.subject?.CN })}`,
    `issued by ${nameOf(certificate.issuer)}`,
    `valid until ${certificate.valid_to ?? 'unknown'}`,
  ].join(', ');
  if (untrusted === null) return note;
  throw appError('service-unreachable', `not trusted: ${untrusted.slice(0, 200)}; ${note}`, {
    detail: untrustedDetail(untrusted),
    retryable: false,
  });
}

function nameOf(name?: Partial<Pick<PeerCertificate['issuer'], 'O' | 'CN'>>): string {
  return [name?.O ?? name?.CN ?? 'unnamed'].flat().join(', ').slice(0, 200);
}

function inClear({ host }: HostPort): string {
  if (isLoopback(host)) return 'http on this computer, nothing is encrypted';
  return 'http: nothing is encrypted, documents and credentials can be read on the way';
}

function textOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
