import { isDeepStrictEqual } from 'node:util';
import {
  type AccessChange,
  type Connection,
  type ConnectionSettings,
  settingsOfConnection,
} from '../../../contract/connections.ts';
import { fieldReasons } from '../../../contract/failure.ts';
import type { Credentials } from '../../soap/service/client.ts';
import { appError } from '../foundation/app-error.ts';
import type { Dialogs } from '../foundation/ports.ts';
import type { CredentialStore } from '../secrets/credentials.ts';
import type { ConnectionAccess } from './access.ts';
import type { ConnectionList } from './connection-list.ts';
import { isInClear, leadsElsewhere, usesOtherProxy } from './service-address.ts';

/** What is saved besides the settings. */
export interface SavedSecrets {
  readonly credentials?: Credentials | undefined;
  readonly access?: AccessChange | undefined;
}

/** Changes of the settings and of what lets a connection through. */
export interface SettingsActions {
  /**
   * Adds a connection (without id) or changes one. If it leads elsewhere, or shows another certificate, the stored credentials are forgotten first.
   * Rejects with bad-input for a name that is taken, for an unencrypted address that nobody confirmed, and for a client certificate that cannot be used.
   */
  save(id: string | undefined, settings: ConnectionSettings, secrets?: SavedSecrets): Promise<Connection>;
  /** Resolves with the oldest connection with these settings, ignoring its name, or adds one. Rejects as `save` does. */
  findOrAdd(settings: ConnectionSettings): Promise<Connection>;
  /** Rejects as `save` does, and for the practice connection. */
  setAccess(id: string, change: AccessChange): Promise<Connection>;
}

interface Needs {
  readonly list: ConnectionList;
  readonly credentials: CredentialStore;
  readonly access: ConnectionAccess;
  readonly dialogs: Pick<Dialogs, 'confirmInClear'>;
  /** Only its name, or nothing, changed: what is known of it stays. */
  readonly told: (id: string) => void;
  readonly changed: (id: string) => void;
}

/**
 * Forgets what a connection has for the place it leads to, if it will lead elsewhere. Called before the new settings are stored: a program that is killed
 * here has neither.
 */
export async function forgetMoved(
  { credentials, access }: Pick<Needs, 'credentials' | 'access'>,
  id: string,
  before: ConnectionSettings,
  after: ConnectionSettings,
): Promise<void> {
  if (leadsElsewhere(before, after)) await credentials.forget(id);
  if (usesOtherProxy(before, after)) await access.forgetLogin(id);
  if (new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin) await access.forgetCertificate(id);
}

const looksAfterItself = () => appError('bad-input', 'the practice connection looks after itself');

export function settingsActions({ list, credentials, access, dialogs, told, changed }: Needs): SettingsActions {
  const assertAccepted = async (settings: ConnectionSettings, before: Connection | null) => {
    const url = new URL(settings.baseUrl);
    if (!isInClear(url, settings.proxy) || (before && !leadsElsewhere(before, settings))) return;
    if (await dialogs.confirmInClear(url.origin)) return;
    throw appError('bad-input', 'the address is not encrypted', {
      fields: { 'settings.baseUrl': fieldReasons.notEncrypted },
    });
  };
  const forgetFor = async (before: Connection, settings: ConnectionSettings, change: AccessChange) => {
    // PKCS#12 files may bring authorities, which are trusted then: as a change of these.
    const showsOther = change.clientCertificate !== undefined && before.credentials !== 'none';
    if (showsOther) await credentials.forget(before.id);
    await forgetMoved({ credentials, access }, before.id, before, settings);
  };
  return {
    save: async (given, settings, { credentials: pair, access: change = {} } = {}) => {
      const before = given === undefined ? null : list.find(given);
      if (before?.kind === 'practice') {
        if (pair || change.proxyLogin || change.clientCertificate) throw looksAfterItself();
        const id = list.put(given, settings);
        changed(id);
        return list.find(id);
      }
      list.check(given, settings);
      const prepared = await access.prepare(change);
      await assertAccepted(settings, before);
      if (before) await forgetFor(list.find(before.id), settings, change);
      const id = list.put(given, settings);
      const { name } = settings;
      if (before && isDeepStrictEqual({ ...settingsOfConnection(before), name }, settings)) told(id);
      else changed(id);
      await access.keep(id, prepared, settings);
      if (pair) await credentials.set(id, pair);
      if (pair || change.proxyLogin !== undefined || change.clientCertificate !== undefined) changed(id);
      return list.find(id);
    },
    findOrAdd: async (settings) => {
      await assertAccepted(settings, null);
      const { id, isNew } = list.findOrPut(settings);
      if (isNew) changed(id);
      return list.find(id);
    },
    setAccess: async (id, change) => {
      const before = list.find(id);
      if (before.kind === 'practice') throw looksAfterItself();
      const prepared = await access.prepare(change);
      await forgetFor(before, before, change);
      await access.keep(id, prepared, before);
      changed(id);
      return list.find(id);
    },
  };
}
