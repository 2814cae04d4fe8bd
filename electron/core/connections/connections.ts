import type { Removed } from '../../../contract/call.ts';
import type { Connection, ConnectionSettings, ConnectionsState, WsdlWay } from '../../../contract/connections.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Credentials, SoapClient } from '../../soap/service/client.ts';
import type { Store } from '../../store/store.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { appError, codeOf } from '../foundation/app-error.ts';
import type { LeveledLog, Ports } from '../foundation/ports.ts';
import type { Removals } from '../foundation/removals.ts';
import {
  type CredentialStore,
  createClientCertificates,
  createCredentialStore,
  createProxyLogins,
} from '../secrets/credentials.ts';
import { type Notices, replyRemarks } from '../settings/app-calls.ts';
import type { Policy } from '../settings/policy.ts';
import { type ConnectionAccess, createConnectionAccess } from './access.ts';
import { type ConnectionHealthStore, createConnectionHealthStore } from './connection-health.ts';
import { type ConnectionList, createConnectionList } from './connection-list.ts';
import { createManagedConnections } from './managed-connections.ts';
import type { PracticeSupervisor } from './practice-supervisor.ts';
import { forgetMoved, settingsActions } from './save-connection.ts';
import { createServiceClients, proxyFor, type ServiceClients } from './service-clients.ts';
import { readWsdlFrom, type WsdlSources, wsdlWayTo } from './wsdl-source.ts';

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
export type Connections = ReturnType<typeof createConnections>;

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings' | 'together'>;
  readonly ports: Pick<Ports, 'keychain' | 'network' | 'dialogs' | 'log'>;
  readonly policy: Policy;
  readonly notices: Notices;
  /** Called with every secret that is used, so that texts can be cleaned of it. */
  readonly learn: (secret: string) => void;
  /** For the files of a client certificate. */
  readonly files: Pick<FileRegistry, 'file'>;
  readonly practice: PracticeSupervisor;
  readonly removals: Removals;
  /** The language of built-in names. */
  readonly language: () => Language;
  /** Removes the secrets of this run from a text. */
  readonly redact: (text: string) => string;
  /** Called with the id of the connection whose settings or credentials changed; with null if something else changed. */
  readonly onChange: (id: string | null) => void;
}

function stateOf(
  list: ConnectionList,
  health: ConnectionHealthStore,
  { connections: rows }: Pick<Store, 'connections'>,
): ConnectionsState {
  const connections = list.all();
  const unreadable = rows.unreadable();
  return {
    connections,
    health: health.ofAll(connections.map(({ id }) => id)),
    ...list.inUse(),
    ...(unreadable > 0 ? { unreadable } : {}),
  };
}

/** Creates the connection services on store, keychain and practice service. */
export function createConnections(needs: Needs) {
  const { ports, store, practice, policy, language, onChange } = needs;
  const { keychain, network, dialogs, log } = ports;
  const secretNeeds = { ...needs, keychain, settings: store.settings, log };
  const credentials = createCredentialStore(secretNeeds);
  const [proxyLogins, certificates] = [createProxyLogins(secretNeeds), createClientCertificates(secretNeeds)];
  const managed = createManagedConnections(policy);
  const proxyOf: ServiceClients['proxyOf'] = (setting, url) => proxyFor(setting, url, network, log);
  const access = createConnectionAccess({ proxyLogins, certificates, files: needs.files, proxyOf });
  const { whereabouts } = credentials;
  const secrets = (id: string) => ({ credentials: whereabouts(id), ...access.shown(id) });
  const list = createConnectionList({ store, secrets, practice: practice.running, managed, language });
  const health = createConnectionHealthStore({ settings: store.settings, onChange: () => onChange(null) });
  const clients = createServiceClients({
    ...needs,
    find: list.find,
    assertUsable: managed.assertUsable,
    access: access.of,
    health,
    proxyOf,
    log,
    credentials: (id) => readCredentials(credentials, id, () => onChange(null)),
    onRemark: replyRemarks(needs.notices),
  });
  const told = (id: string) => {
    clients.retire(id);
    onChange(id);
  };
  const changed = (id: string) => {
    health.forget(id);
    told(id);
  };
  const { client, reach, publicClient, close } = clients;
  return {
    client,
    reach,
    publicClient,
    close,
    recorder: health.recorder,
    state: () => stateOf(list, health, store),
    get: async (id: string) => list.find(id),
    /** See `ConnectionList.one`. */
    known: list.one,
    /** See `wsdlWayTo`. */
    wsdlWay: (address: string, way: WsdlWay) => wsdlWayTo(address, way, { find: list.find, access, proxyOf, managed }),
    use: (id: string) => {
      list.choose(id);
      onChange(null);
    },
    /** Stores the connections of the policy: at the start, and after each change of it. Never rejects. */
    applyPolicy: async () => {
      await provideConnections(list, credentials, access, log);
      for (const { id } of list.all()) clients.retire(id);
      onChange(null);
    },
    ...settingsActions({ list, credentials, access, dialogs, told, changed }),
    ...credentialActions(list, credentials, changed),
    ...removalActions({ ...needs, credentials }, list, access, { told, changed }),
  };
}

/** Reading may show that the keychain's entry no longer exists. */
async function readCredentials(credentials: CredentialStore, id: string, onGone: () => void) {
  const before = credentials.whereabouts(id);
  const found = await credentials.get(id);
  if (credentials.whereabouts(id) !== before) onGone();
  return found;
}

/** Stores the connections of the policy. As after a person's change: secrets are for the address that they were entered for. */
async function provideConnections(
  list: ConnectionList,
  credentials: CredentialStore,
  access: ConnectionAccess,
  log: LeveledLog,
): Promise<void> {
  const moved = (id: string, ...settings: [ConnectionSettings, ConnectionSettings]) =>
    forgetMoved({ credentials, access }, id, ...settings);
  await list.provide(moved).catch((error: unknown) => {
    log.error('connections of the policy were not stored', { code: codeOf(error) });
  });
}

type Changed = (id: string) => void;

function assertService(list: ConnectionList, id: string): void {
  if (list.find(id).kind === 'practice') throw appError('bad-input', 'the practice connection looks after itself');
}

/** What is known of it stays while it can be put back. At the end its secrets go first: a kill leaves a connection that is out of view, and the next start ends it. */
function removalActions(
  {
    store: { connections: rows },
    credentials,
    removals,
  }: Pick<Needs, 'store' | 'removals'> & { credentials: CredentialStore },
  list: ConnectionList,
  access: ConnectionAccess,
  { told, changed }: { readonly told: Changed; readonly changed: Changed },
) {
  const end = async (id: string) => {
    // A policy may have provided it again meanwhile.
    if (!rows.isHidden(id)) return;
    await credentials.forget(id);
    await access.forgetLogin(id);
    await access.forgetCertificate(id);
    list.remove(id);
    changed(id);
  };
  return {
    /**
     * Takes a connection out of view; its credentials go with it when it cannot be put back any more. Its documents stay in the register. Throws bad-input for the
     * practice connection, as `setCredentials` and `forgetCredentials` reject.
     */
    remove: (id: string): Removed => {
      assertService(list, id);
      list.assertRemovable(id);
      const { name } = list.find(id);
      const isNameTaken = () => list.all().some((other) => other.name === name);
      const { putBack } = rows.hide(id);
      return removals.keep(
        { putBack: () => (isNameTaken() ? 0 : putBack()) },
        () => told(id),
        () => end(id),
      );
    },
    /** Ends what earlier runs removed. Never rejects. */
    endRemovals: (): Promise<void> => removals.endLeft(rows.leftHidden(), end),
  };
}

function credentialActions(list: ConnectionList, credentials: CredentialStore, changed: Changed) {
  return {
    setCredentials: async (id: string, given: Credentials): Promise<'keychain' | 'this-run'> => {
      assertService(list, id);
      const where = await credentials.set(id, given);
      changed(id);
      return where;
    },
    forgetCredentials: async (id: string) => {
      assertService(list, id);
      await credentials.forget(id);
      changed(id);
    },
  };
}

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
    'connections.use': async ({ id }) => connections.use(id),
    'connections.setCredentials': async ({ id, apiKey, apiSig }) => ({
      kept: await connections.setCredentials(id, { apiKey, apiSig }),
    }),
    'connections.setAccess': async ({ id, ...change }) => connections.setAccess(id, change),
    'connections.forgetCredentials': ({ id }) => connections.forgetCredentials(id),
    'connections.readWsdl': async (from) => readWsdlFrom({ files, way: connections.wsdlWay }, from),
  };
}
