import type { Handlers } from '../../../../contract/index.ts';
import type { Emit } from '../../foundation/event-emitter.ts';
import type { Ports } from '../../foundation/ports.ts';
import type { Connections } from '../connections.ts';
import { examine } from './doctor.ts';

interface Needs {
  readonly ports: Pick<Ports, 'log' | 'version' | 'host'>;
  readonly emit: Emit;
}

/** The call that runs the connection doctor. */
export function doctorCalls(
  { ports, emit }: Needs,
  connections: Connections,
  redact: (text: string) => string,
): Pick<Handlers, 'connections.doctor'> {
  return {
    'connections.doctor': async ({ id }) =>
      connections.reach(id, (service) =>
        examine(service, {
          log: ports.log,
          redact,
          program: `${ports.version} (${ports.host})`,
          onSteps: (steps) => emit('connections.doctorProgressed', { id, steps }),
        }),
      ),
  };
}
