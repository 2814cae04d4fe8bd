import type { HandlersOf } from '../../../contract/index.ts';
import type { Connections } from './connections.ts';
import { readWsdlFrom, type WsdlSources } from './wsdl-source.ts';

/** Calls about connections and their credentials. No call returns a secret. */
export function connectionCalls(
  { files }: Pick<WsdlSources, 'files'>,
  connections: Connections,
): Omit<HandlersOf<'connections'>, 'connections.doctor'> {
  return {
    'connections.state': async () => connections.state(),
    'connections.save': async ({ id, settings, credentials, ...access }) =>
      connections.save(id, settings, { credentials, access }),
    'connections.findOrAdd': async ({ settings }) => connections.findOrAdd(settings),
    'connections.remove': async ({ id }) => connections.remove(id),
    'connections.use': async ({ id }) => {
      connections.use(id);
      return null;
    },
    'connections.setCredentials': async ({ id, apiKey, apiSig }) => ({
      kept: await connections.setCredentials(id, { apiKey, apiSig }),
    }),
    'connections.setAccess': async ({ id, ...change }) => connections.setAccess(id, change),
    'connections.forgetCredentials': async ({ id }) => {
      await connections.forgetCredentials(id);
      return null;
    },
    'connections.readWsdl': async (from) => readWsdlFrom({ files, way: connections.wsdlWay }, from),
  };
}
