import type { Connection, ConnectionSettings } from '../../../contract/connections.ts';
import type { Credentials, ReplyRemark, ServiceTarget, SoapClient } from '../../soap/service/client.ts';
import { createSoapClient } from '../../soap/soap-client.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { LeveledLog, Log, Network } from '../foundation/ports.ts';
import { type Access, noAccess, withoutAuthorities } from './access.ts';
import { type ConnectionHealthStore, type HealthRecorder, healthOfFailure, healthOfText } from './connection-health.ts';
import type { PracticeSupervisor } from './practice-supervisor.ts';
import { leadsElsewhere } from './service-address.ts';

/** A connection with its resolved target and its credentials. */
export interface ReadyService {
  readonly connection: Connection;
  readonly target: ServiceTarget;
  /** Reads the keychain if necessary; null if there are no credentials. */
  credentials(): Promise<Credentials | null>;
}

/** Creates and keeps the SOAP clients of connections. Every function rejects with not-found for an unknown id. */
export interface ServiceClients {
  /** Runs `work` with the connection ready for use; the practice service is not closed before `work` has ended. */
  reach<T>(id: string, work: (service: ReadyService) => Promise<T>): Promise<T>;
  /** See ConnectionRegistry. */
  client(id: string): Promise<SoapClient>;
  /** A client for operations without credentials: it does not read them. */
  publicClient(id: string): SoapClient;
  /** Drops the kept client of a connection, because settings or credentials that it was made from have changed. */
  retire(id: string): void;
  /** The PAC answer of a proxy setting for an address. Never rejects. */
  proxyOf(setting: ConnectionSettings['proxy'], url: string): Promise<string>;
  close(): void;
}

interface Needs {
  readonly find: (id: string) => Connection;
  /** Throws if nothing may be sent over the connection. */
  readonly assertUsable: (connection: Connection) => void;
  readonly credentials: (id: string) => Promise<Credentials | null>;
  readonly practice: PracticeSupervisor;
  readonly health: Pick<ConnectionHealthStore, 'recorder'>;
  /** Login at the proxy and client certificate of a connection. */
  readonly access: (id: string) => Promise<Access>;
  readonly proxyOf: ServiceClients['proxyOf'];
  /** The language of faults, where a service has several. */
  readonly language: () => string;
  readonly log: LeveledLog;
  /** Removes the secrets of this run from a text. */
  readonly redact: (text: string) => string;
  /** Takes what was odd about a reply of a connection that was read all the same. */
  readonly onRemark: (connection: Connection, remark: ReplyRemark) => void;
}

/** Creates the clients of connections, with an empty cache. */
export function createServiceClients(needs: Needs): ServiceClients {
  const { find, assertUsable, credentials, practice, health, access, proxyOf, language, log, redact, onRemark } = needs;
  const clientFor = (connection: Connection, target: ServiceTarget, pair: Credentials) =>
    watchedClient(
      createSoapClient(target, pair, undefined, (remark) => onRemark(connection, remark)),
      connection.kind === 'service' ? health.recorder(connection.id) : () => undefined,
      log,
    );
  const cache = createCache(clientFor);
  const credentialsFor = async (connection: Connection) => {
    const pair = await credentials(connection.id);
    // New credentials are for the new address: a call that still has the old one does not get them.
    return leadsElsewhere(connection, find(connection.id)) ? null : pair;
  };
  const accessFor = async (connection: Connection) => {
    const kept = await access(connection.id);
    if (leadsElsewhere(connection, find(connection.id))) return noAccess;
    return connection.managed?.locked.includes('extraCa') ? withoutAuthorities(kept) : kept;
  };

  const reach: ServiceClients['reach'] = async (id, work) => {
    const connection = find(id);
    assertUsable(connection);
    if (connection.kind === 'service') {
      const proxy = await proxyOf(connection.proxy, connection.baseUrl);
      const target = targetOf(connection, proxy, await accessFor(connection), language());
      return work({ connection, target, credentials: () => credentialsFor(connection) });
    }
    return practice.use(async ({ apiKey, apiSig }) => {
      // Read again: the running service has an address.
      const running = find(id);
      return work({
        connection: running,
        target: targetOf(running, 'DIRECT', noAccess, language()),
        credentials: async () => ({ apiKey, apiSig }),
      });
    });
  };

  return {
    reach,
    proxyOf,
    client: async (id) => {
      if (find(id).kind === 'service') return reach(id, cache.clientOf);
      // The connection is prepared for each call: the practice service may have ended and restarted at another
      // address.
      return clientThrough((work) => reach(id, async (service) => work(await cache.clientOf(service))));
    },
    publicClient: (id) =>
      clientThrough((work) =>
        reach(id, async ({ connection, target }) => {
          // The service may know the credentials from earlier calls.
          const client = createSoapClient(target, null, redact, (remark) => onRemark(connection, remark));
          return await work(client).finally(() => client.close());
        }),
      ),
    retire: cache.retire,
    close: cache.close,
  };
}

/** Keeps one client per connection as long as its target and credentials do not change. */
function createCache(clientFor: (connection: Connection, target: ServiceTarget, pair: Credentials) => SoapClient) {
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
  /**
   * Reads the credentials again if they changed while the keychain was read: otherwise a client with the old ones
   * would be kept.
   */
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
      const client = refCountedClient(clientFor(connection, target, pair));
      kept.set(connection.id, { form, client });
      return client.client;
    },
    close: () => {
      for (const id of [...kept.keys()]) drop(id);
    },
  };
}

function targetOf(connection: Connection, proxy: string, access: Access, language: string): ServiceTarget {
  const { baseUrl, mainPath, easySignPath, namespaceUri, elementNames, extraCa, timeouts } = connection;
  const { soapVersion, easySignSoapVersion, soapAction12, sendFalse } = connection;
  const wording = { soapVersion, easySignSoapVersion, soapAction12, sendFalse };
  return {
    baseUrl,
    mainPath,
    easySignPath,
    namespaceUri,
    ...wording,
    elementNames,
    extraCa,
    timeouts,
    proxy,
    language,
    ...access,
  };
}

/**
 * The PAC answer for one address by a connection's proxy setting. If the system's settings cannot be read, the answer
 * is DIRECT; the doctor shows which route was taken.
 */
export async function proxyFor(
  setting: ConnectionSettings['proxy'],
  url: string,
  network: Network,
  log: Log,
): Promise<string> {
  if (setting.mode === 'none') return 'DIRECT';
  if (setting.mode === 'manual') {
    const { protocol, hostname, port } = new URL(setting.address);
    return protocol === 'https:' ? `HTTPS ${hostname}:${port || '443'}` : `PROXY ${hostname}:${port || '80'}`;
  }
  try {
    return (await network.resolveProxy(url)) || 'DIRECT';
  } catch (error) {
    log.error('the system did not say which proxy', { error: error instanceof Error ? error.name : typeof error });
    return 'DIRECT';
  }
}

/** Runs one call of a client, and may hold resources open while the call runs. */
type Middleware = <T>(work: (client: SoapClient) => Promise<T>) => Promise<T>;

/** A client that runs every call through `around`. */
function clientThrough(around: Middleware): SoapClient {
  return {
    invoke: (...given) => around((client) => client.invoke(...given)),
    shape: (...given) => around((client) => client.shape(...given)),
    listESign: (...given) => around((client) => client.listESign(...given)),
    download: (...given) => around((client) => client.download(...given)),
    receive: (...given) => around((client) => client.receive(...given)),
    close: () => undefined,
  };
}

/** A client that may be replaced while calls still use it. */
type RefCountedClient = ReturnType<typeof refCountedClient>;

function refCountedClient(inner: SoapClient) {
  let calls = 0;
  let retired = false;
  const client = clientThrough(async (work) => {
    calls += 1;
    try {
      return await work(inner);
    } finally {
      calls -= 1;
      if (retired && calls === 0) inner.close();
    }
  });
  return {
    client,
    /** Closes the client when its last call has ended: aborting an add would leave it in doubt. */
    retire: (): void => {
      if (!retired && calls === 0) inner.close();
      retired = true;
    },
  };
}

/** A client whose results with credentials are recorded. The log gets each operation with its time and the code of its failure. */
function watchedClient(inner: SoapClient, record: HealthRecorder, log: LeveledLog): SoapClient {
  const watched = async <T>(
    operation: string,
    work: Promise<T>,
    shows: (value: T) => ReturnType<typeof healthOfText>,
  ): Promise<T> => {
    const from = performance.now();
    const call = { operation, begunAt: from };
    const note = (code?: string) =>
      log.debug('request', { operation, ms: Math.round(performance.now() - from), ...(code ? { code } : {}) });
    try {
      const value = await work;
      note();
      record(shows(value), call);
      return value;
    } catch (error) {
      const failure = failureOf(error);
      note(failure?.code ?? 'bug');
      if (failure) record(healthOfFailure(failure), call);
      throw error;
    }
  };
  return {
    invoke: (...given) =>
      watched(given[0], inner.invoke(...given), ({ raw, record: fields }) =>
        raw === null ? null : healthOfText(fields?.Errors ?? raw),
      ),
    shape: (...given) =>
      watched(given[0], inner.shape(...given), ({ hasResult, text }) => (hasResult ? healthOfText(text) : null)),
    // A service may refuse a list by leaving it empty.
    listESign: (...given) =>
      watched('GetESignList', inner.listESign(...given), (count) => (count > 0 ? 'works' : null)),
    download: (...given) => watched('GetDocument', inner.download(...given), () => 'works'),
    receive: (...given) => watched('GetDocument', inner.receive(...given), () => 'works'),
    close: () => inner.close(),
  };
}
