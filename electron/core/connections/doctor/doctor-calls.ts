import type { DoctorStep } from '../../../../contract/connections.ts';
import type { Handlers } from '../../../../contract/index.ts';
import { failureOf } from '../../foundation/app-error.ts';
import type { Emit } from '../../foundation/event-emitter.ts';
import type { Ports } from '../../foundation/ports.ts';
import type { Policy } from '../../settings/policy.ts';
import { healthOfReport } from '../connection-health.ts';
import type { Connections } from '../connections.ts';
import { examine } from './doctor.ts';
import { stepLine } from './report-text.ts';

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
        if (service.connection.kind === 'service')
          record(healthOfReport(report), { faultStep: report.steps.find(({ result }) => result === 'failed')?.step });
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
