import type { Handlers } from '../../../../contract/index.ts';
import type { Emit } from '../../foundation/event-emitter.ts';
import type { Ports } from '../../foundation/ports.ts';
import type { Policy } from '../../settings/policy.ts';
import { healthOfReport } from '../connection-health.ts';
import type { Connections } from '../connections.ts';
import { examine } from './doctor.ts';

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
        if (service.connection.kind === 'service') record(healthOfReport(report));
        return report;
      }),
  };
}
