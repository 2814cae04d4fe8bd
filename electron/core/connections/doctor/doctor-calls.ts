import type { Handlers } from '../../../../contract/index.ts';
import type { Context } from '../../context.ts';
import type { Connections } from '../connections.ts';
import { examine } from './doctor.ts';

/** The connection doctor. */
export function doctorCalls(
  { ports, emit }: Context,
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
