import type { Connection, ConnectionSettings, ConnectionsState } from '../../../contract/connections.ts';
import type { Credentials, SoapClient } from '../../soap/client.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Log, Network } from '../foundation/ports.ts';
import type { CredentialStore } from '../secrets/credentials.ts';
import { type ConnectionList, createConnectionList } from './connection-list.ts';
import type { PracticeSupervisor } from './practice-supervisor.ts';
import { createServiceClients, type ServiceClients } from './service-clients.ts';

/** Reads connections and creates clients for them. */
export interface ConnectionRegistry {
  /** Rejects with not-found. */
  get(id: string): Promise<Connection>;
  /**
   * A client with the connection's credentials, proxy and address; for the practice connection the practice service
   * is started first. Rejects with not-connected if credentials are missing. One client per connection is kept until
   * its settings or credentials change.
   */
  client(id: string): Promise<SoapClient>;
}

/**
 * All operations on connections, for the calls about them; other features use ConnectionRegistry only. Unknown ids
 * reject with not-found.
 */
export interface Connections extends ConnectionRegistry, Pick<ServiceClients, 'reach' | 'publicClient' | 'close'> {
  state(): ConnectionsState;
  /** Adds a connection (without id) or changes one. Throws bad-input for a name that is taken. */
  save(id: string | undefined, settings: ConnectionSettings): Connection;
  /** Returns the oldest connection with these settings, ignoring its name, or adds one. Throws as `save` does. */
  findOrAdd(settings: ConnectionSettings): Connection;
  /**
   * Removes a connection and its credentials. Its documents stay in the register. Rejects with bad-input for the
   * practice connection, as do `setCredentials` and `forgetCredentials`.
   */
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
  /** Called with the id of the connection whose settings or credentials changed; with null if something else changed. */
  readonly onChange: (id: string | null) => void;
}

/** Creates the connection services on store, keychain and practice service. */
export function createConnections({ store, credentials, practice, network, log, onChange }: Needs): Connections {
  const list = createConnectionList({ store, whereabouts: credentials.whereabouts, practice: practice.running, log });
  const clients = createServiceClients({
    find: list.find,
    credentials: async (id) => {
      const before = credentials.whereabouts(id);
      const found = await credentials.get(id);
      // The read may show that the keychain entry no longer exists.
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
  const { client, reach, publicClient, close } = clients;
  return {
    client,
    reach,
    publicClient,
    close,
    state: () => ({ connections: list.all(), currentId: list.currentId() }),
    get: async (id) => list.find(id),
    use: (id) => {
      list.choose(id);
      onChange(null);
    },
    ...settingsActions(list, changed),
    ...credentialActions(list, credentials, changed),
  };
}

type Changed = (id: string) => void;

function settingsActions(list: ConnectionList, changed: Changed): Pick<Connections, 'save' | 'findOrAdd'> {
  return {
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
  };
}

function credentialActions(
  list: ConnectionList,
  credentials: CredentialStore,
  changed: Changed,
): Pick<Connections, 'remove' | 'setCredentials' | 'forgetCredentials'> {
  const assertService = (id: string) => {
    if (list.find(id).kind === 'practice') throw appError('bad-input', 'the practice connection looks after itself');
  };
  return {
    remove: async (id) => {
      assertService(id);
      await credentials.forget(id);
      list.remove(id);
      changed(id);
    },
    setCredentials: async (id, given) => {
      assertService(id);
      const where = await credentials.set(id, given);
      changed(id);
      return where;
    },
    forgetCredentials: async (id) => {
      assertService(id);
      await credentials.forget(id);
      changed(id);
    },
  };
}
