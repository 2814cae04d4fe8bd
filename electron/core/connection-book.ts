import { randomUUID } from 'node:crypto';
import {
  type Connection,
  type ConnectionSettings,
  type ConnectionsState,
  connectionSettings,
} from '../../contract/connections.ts';
import type { Credentials, ServiceTarget, SoapClient } from '../soap/client.ts';
import { createSoapClient } from '../soap/soap-client.ts';
import type { StoredConnection } from '../store/connections.ts';
import type { Store } from '../store/store.ts';
import type { ConnectionBook } from './context.ts';
import type { CredentialBook } from './credentials.ts';
import { failing } from './failing.ts';
import { clientThrough, type KeptClient, keepClient } from './kept-client.ts';
import type { Log, Network } from './ports.ts';
import { practiceId, practiceSettings } from './practice-connection.ts';
import type { PracticeLine } from './practice-line.ts';
import { proxyFor } from './proxies.ts';

/** Nobody has that many; a window gone wild must not fill the disk. */
const maxConnections = 500;

/** In the settings table. */
const currentKey = 'connections.current';

/** A connection made ready for use. */
export interface ReadyService {
  readonly connection: Connection;
  readonly target: ServiceTarget;
  /** Asks the keychain where it must; null where there are none. */
  credentials(): Promise<Credentials | null>;
}

/** The whole book, for the calls about connections; others see the ConnectionBook in it. */
export interface Connections extends ConnectionBook {
  state(): ConnectionsState;
  /** Adds (without id) or changes. Rejects with not-found or bad-input. */
  save(id: string | undefined, settings: ConnectionSettings): Connection;
  remove(id: string): Promise<void>;
  use(id: string): void;
  setCredentials(id: string, credentials: Credentials): Promise<'keychain' | 'this-run'>;
  forgetCredentials(id: string): Promise<void>;
  /** Runs `work` with the connection ready; the practice service stays up that long. */
  reach<T>(id: string, work: (service: ReadyService) => Promise<T>): Promise<T>;
  /** A client for operations that take no credentials. */
  publicClient(id: string): SoapClient;
  close(): void;
}

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings'>;
  readonly credentials: CredentialBook;
  readonly practice: PracticeLine;
  readonly network: Network;
  readonly log: Log;
  /** With the id of the connection whose settings or credentials changed, null where only the choice did. */
  readonly onChange: (id: string | null) => void;
}

export function createConnections(needs: Needs): Connections {
  const { credentials, practice, onChange } = needs;
  const { connections: rows, settings } = needs.store;
  const kept = new Map<string, { readonly form: string; readonly client: KeptClient }>();

  const all = (): readonly Connection[] => {
    const stored = readable(rows.all(), needs.log);
    const own = stored.find((row) => row.id === practiceId)?.settings;
    return [
      {
        ...practiceSettings(own, practice.running()),
        id: practiceId,
        kind: 'practice',
        credentials: 'this-run',
      },
      ...stored
        .filter((row) => row.id !== practiceId)
        .map((row) => ({
          ...row.settings,
          id: row.id,
          kind: 'service' as const,
          credentials: credentials.whereabouts(row.id),
        })),
    ];
  };

  const find = (id: string): Connection => {
    const connection = all().find((one) => one.id === id);
    if (!connection) throw failing('not-found', 'no such connection');
    return connection;
  };

  const retire = (id: string) => {
    kept.get(id)?.client.retire();
    kept.delete(id);
  };

  const ready = async (connection: Connection, own: () => Promise<Credentials | null>): Promise<ReadyService> => {
    const isPractice = connection.kind === 'practice';
    const proxy = isPractice
      ? 'DIRECT'
      : await proxyFor(connection.proxy, connection.baseUrl, needs.network, needs.log);
    return { connection, target: targetOf(connection, proxy), credentials: own };
  };

  /** What the keychain holds may turn out to be gone. */
  const held = async (id: string) => {
    const before = credentials.whereabouts(id);
    const found = await credentials.get(id);
    if (credentials.whereabouts(id) !== before) onChange(null);
    return found;
  };

  const reach = async <T>(id: string, work: (service: ReadyService) => Promise<T>): Promise<T> => {
    if (find(id).kind === 'service') return work(await ready(find(id), () => held(id)));
    return practice.use(async ({ apiKey, apiSig }) => work(await ready(find(id), async () => ({ apiKey, apiSig }))));
  };

  /** The kept client, or a new one where anything that it was made from has changed. */
  const clientOf = async ({ connection, target, credentials: own }: ReadyService): Promise<SoapClient> => {
    const form = JSON.stringify(target);
    const known = kept.get(connection.id);
    if (known?.form === form) return known.client.client;
    const pair = await own();
    if (!pair) throw failing('not-connected', 'the connection has no credentials');
    retire(connection.id);
    const client = keepClient(createSoapClient(target, pair));
    kept.set(connection.id, { form, client });
    return client.client;
  };

  return {
    state: () => ({ connections: all(), currentId: currentId(all(), settings.get(currentKey)) }),
    get: async (id) => find(id),
    save: (id, given) => {
      if (id !== undefined) find(id);
      else if (rows.all().length >= maxConnections) throw failing('bad-input', 'there are too many connections');
      if (all().some((one) => one.name === given.name && one.id !== id)) {
        throw failing('bad-input', 'the name is taken', { fields: { 'settings.name': 'is taken' } });
      }
      const key = id ?? randomUUID();
      rows.put({ id: key, kind: key === practiceId ? 'practice' : 'service', settings: given });
      retire(key);
      onChange(key);
      return find(key);
    },
    remove: async (id) => {
      refusePractice(find(id), 'the practice connection cannot be removed');
      await credentials.forget(id);
      rows.remove(id);
      retire(id);
      if (settings.get(currentKey) === id) settings.remove(currentKey);
      onChange(id);
    },
    use: (id) => {
      settings.put(currentKey, find(id).id);
      onChange(null);
    },
    setCredentials: async (id, given) => {
      refusePractice(find(id), 'the practice connection makes its own credentials');
      const where = await credentials.set(id, given);
      retire(id);
      onChange(id);
      return where;
    },
    forgetCredentials: async (id) => {
      refusePractice(find(id), 'the practice connection makes its own credentials');
      await credentials.forget(id);
      retire(id);
      onChange(id);
    },
    reach,
    client: async (id) => {
      if (find(id).kind === 'service') return reach(id, clientOf);
      // Made ready per call: the practice service may have ended and come back elsewhere meanwhile.
      return clientThrough((work) => reach(id, async (service) => work(await clientOf(service))));
    },
    publicClient: (id) =>
      clientThrough((work) =>
        reach(id, async ({ target }) => {
          const client = createSoapClient(target, null);
          return await work(client).finally(() => client.close());
        }),
      ),
    close: () => {
      for (const id of [...kept.keys()]) retire(id);
    },
  };
}

function currentId(all: readonly Connection[], wanted: string | null): string {
  return all.find((one) => one.id === wanted)?.id ?? practiceId;
}

/** Rows of an older or newer program: defaults are filled in; what cannot be understood stays in the database, unseen. */
function readable(rows: readonly StoredConnection[], log: Log): StoredConnection[] {
  return rows.flatMap((row) => {
    const parsed = connectionSettings.safeParse(row.settings);
    if (parsed.success) return [{ ...row, settings: parsed.data }];
    log.error('a connection in the database is not readable', { connectionId: row.id });
    return [];
  });
}

function refusePractice(connection: Connection, why: string): void {
  if (connection.kind === 'practice') throw failing('bad-input', why);
}

function targetOf(connection: Connection, proxy: string): ServiceTarget {
  const { baseUrl, mainPath, easySignPath, namespaceUri, soapVersion, elementNames, extraCa, timeouts } = connection;
  return { baseUrl, mainPath, easySignPath, namespaceUri, soapVersion, elementNames, extraCa, timeouts, proxy };
}
