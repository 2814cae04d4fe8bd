import type { Connection, ConnectionSettings, ConnectionsState } from '../../../contract/connections.ts';
import type { Credentials } from '../../soap/client.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Log, Network } from '../foundation/ports.ts';
import type { CredentialStore } from '../secrets/credentials.ts';
import type { ConnectionRegistry } from './connection-access.ts';
import { createConnectionList } from './connection-list.ts';
import type { PracticeSupervisor } from './practice-supervisor.ts';
import { createServiceClients, type ServiceClients } from './service-clients.ts';

/** All of them, for the calls about connections; others see the ConnectionRegistry in it. Ids nobody has reject with not-found. */
export interface Connections extends ConnectionRegistry, Pick<ServiceClients, 'reach' | 'publicClient' | 'close'> {
  state(): ConnectionsState;
  /** Adds (without id) or changes. Throws bad-input for a name that is taken. */
  save(id: string | undefined, settings: ConnectionSettings): Connection;
  /** The oldest connection with these settings, whatever its name; else a new one. Throws as `save` does. */
  findOrAdd(settings: ConnectionSettings): Connection;
  /** With its credentials. Its documents stay in the register. Rejects with bad-input for the practice connection, as do the two below. */
  remove(id: string): Promise<void>;
  setCredentials(id: string, credentials: Credentials): Promise<'keychain' | 'this-run'>;
  forgetCredentials(id: string): Promise<void>;
  use(id: string): void;
}

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings' | 'together'>;
  readonly credentials: CredentialStore;
  readonly practice: PracticeSupervisor;
  readonly network: Network;
  readonly log: Log;
  /** With the id of the connection whose settings or credentials changed, null where only something else did. */
  readonly onChange: (id: string | null) => void;
}

export function createConnections({ store, credentials, practice, network, log, onChange }: Needs): Connections {
  const list = createConnectionList({
    store,
    whereabouts: credentials.whereabouts,
    practice: practice.running,
    log,
  });
  const clients = createServiceClients({
    find: list.find,
    credentials: async (id) => {
      const before = credentials.whereabouts(id);
      const found = await credentials.get(id);
      // What the keychain held may turn out to be gone.
      if (credentials.whereabouts(id) !== before) onChange(null);
      return found;
    },
    practice,
    network,
    log,
  });
  const changed = (id: string) => {
    clients.retire(id);
    onChange(id);
  };
  const ownService = (id: string) => {
    if (list.find(id).kind === 'practice') throw appError('bad-input', 'the practice connection looks after itself');
  };

  return {
    state: () => ({ connections: list.all(), currentId: list.currentId() }),
    get: async (id) => list.find(id),
    save: (given, settings) => {
      const id = list.put(given, settings);
      changed(id);
      return list.find(id);
    },
    findOrAdd: (settings) => {
      const { id, isNew } = list.findOrPut(settings);
      if (isNew) changed(id);
      return list.find(id);
    },
    remove: async (id) => {
      ownService(id);
      await credentials.forget(id);
      list.remove(id);
      changed(id);
    },
    use: (id) => {
      list.choose(id);
      onChange(null);
    },
    setCredentials: async (id, given) => {
      ownService(id);
      const where = await credentials.set(id, given);
      changed(id);
      return where;
    },
    forgetCredentials: async (id) => {
      ownService(id);
      await credentials.forget(id);
      changed(id);
    },
    client: clients.client,
    reach: clients.reach,
    publicClient: clients.publicClient,
    close: clients.close,
  };
}
