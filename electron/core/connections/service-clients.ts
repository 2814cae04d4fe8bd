import type { Connection } from '../../../contract/connections.ts';
import type { Credentials, ServiceTarget, SoapClient } from '../../soap/client.ts';
import { createSoapClient } from '../../soap/soap-client.ts';
import { appError } from '../foundation/app-error.ts';
import type { Log, Network } from '../foundation/ports.ts';
import type { PracticeSupervisor } from './practice-supervisor.ts';
import { proxyFor } from './proxies.ts';
import { clientThrough, type RefCountedClient, refCountedClient } from './ref-counted-client.ts';

/** A connection made ready for use. */
export interface ReadyService {
  readonly connection: Connection;
  readonly target: ServiceTarget;
  /** Asks the keychain where it must; null where there are none. */
  credentials(): Promise<Credentials | null>;
}

/** Ways to speak through a connection. Every function rejects with not-found for an id that nobody has. */
export interface ServiceClients {
  /** Runs `work` with the connection ready; the practice service stays up that long. */
  reach<T>(id: string, work: (service: ReadyService) => Promise<T>): Promise<T>;
  /** See ConnectionRegistry. */
  client(id: string): Promise<SoapClient>;
  /** A client for operations that take no credentials: it asks no keychain. */
  publicClient(id: string): SoapClient;
  /** The kept client of a connection was made from what no longer holds. */
  retire(id: string): void;
  close(): void;
}

interface Needs {
  readonly find: (id: string) => Connection;
  readonly credentials: (id: string) => Promise<Credentials | null>;
  readonly practice: PracticeSupervisor;
  readonly network: Network;
  readonly log: Log;
}

export function createServiceClients({ find, credentials, practice, network, log }: Needs): ServiceClients {
  const keep = createCache();

  const reach: ServiceClients['reach'] = async (id, work) => {
    const connection = find(id);
    if (connection.kind === 'service') {
      const proxy = await proxyFor(connection.proxy, connection.baseUrl, network, log);
      return work({ connection, target: targetOf(connection, proxy), credentials: () => credentials(id) });
    }
    return practice.use(async ({ apiKey, apiSig }) => {
      // Read again: now it has its address.
      const running = find(id);
      return work({
        connection: running,
        target: targetOf(running, 'DIRECT'),
        credentials: async () => ({ apiKey, apiSig }),
      });
    });
  };

  return {
    reach,
    client: async (id) => {
      if (find(id).kind === 'service') return reach(id, keep.clientOf);
      // Made ready per call: the practice service may have ended and come back elsewhere meanwhile.
      return clientThrough((work) => reach(id, async (service) => work(await keep.clientOf(service))));
    },
    publicClient: (id) =>
      clientThrough((work) =>
        reach(id, async ({ target }) => {
          const client = createSoapClient(target, null);
          return await work(client).finally(() => client.close());
        }),
      ),
    retire: keep.retire,
    close: keep.close,
  };
}

/** One client a connection, as long as nothing changes that it was made from. */
function createCache() {
  const kept = new Map<string, { readonly form: string; readonly client: RefCountedClient }>();
  let changes = 0;
  const drop = (id: string) => {
    kept.get(id)?.client.retire();
    kept.delete(id);
  };
  const retire = (id: string) => {
    changes += 1;
    drop(id);
  };
  /** Asked again where they were changed while the keychain took its time: a client with the old ones would stay. */
  const latest = async (credentials: ReadyService['credentials']): Promise<Credentials | null> => {
    const before = changes;
    const pair = await credentials();
    return before === changes ? pair : await latest(credentials);
  };
  return {
    retire,
    clientOf: async ({ connection, target, credentials }: ReadyService): Promise<SoapClient> => {
      const form = JSON.stringify(target);
      const known = kept.get(connection.id);
      if (known?.form === form) return known.client.client;
      const pair = await latest(credentials);
      if (!pair) throw appError('not-connected', 'the connection has no credentials');
      drop(connection.id);
      const client = refCountedClient(createSoapClient(target, pair));
      kept.set(connection.id, { form, client });
      return client.client;
    },
    close: () => {
      for (const id of [...kept.keys()]) drop(id);
    },
  };
}

function targetOf(connection: Connection, proxy: string): ServiceTarget {
  const { baseUrl, mainPath, easySignPath, namespaceUri, elementNames, extraCa, timeouts } = connection;
  const { soapVersion, easySignSoapVersion, soapAction12, sendFalse } = connection;
  const wording = { soapVersion, easySignSoapVersion, soapAction12, sendFalse };
  return { baseUrl, mainPath, easySignPath, namespaceUri, ...wording, elementNames, extraCa, timeouts, proxy };
}
