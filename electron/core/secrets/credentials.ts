import { z } from 'zod';
import type { Connection } from '../../../contract/connections.ts';
import type { Credentials } from '../../soap/client.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { Keychain, Log } from '../foundation/ports.ts';
import type { Notices } from '../settings/notices.ts';

/**
 * Keeps the credentials of connections, by connection id: in the keychain, or in memory for this run if the keychain
 * cannot store them.
 */
export interface CredentialStore {
  /** Tells where they are kept, without reading the keychain. */
  whereabouts(id: string): Connection['credentials'];
  /** Null if there are none, or the keychain does not return them. Never rejects. */
  get(id: string): Promise<Credentials | null>;
  /** Stores the credentials and returns where they are kept. Never rejects because of the keychain. */
  set(id: string, credentials: Credentials): Promise<'keychain' | 'this-run'>;
  /** Forgets the credentials. Never rejects: an entry that the keychain does not remove is at least no longer used. */
  forget(id: string): Promise<void>;
}

interface Needs {
  readonly keychain: Keychain;
  /** Holds a mark per keychain entry: reading the keychain itself may take a minute or make a person unlock it. */
  readonly settings: SettingTable;
  readonly notices: Notices;
  /** Called with every secret that is used, so that texts can be cleaned of it. */
  readonly learn: (secret: string) => void;
  readonly log: Log;
}

const markOf = (id: string) => `keychain.${id}`;

const storedForm = z.strictObject({ apiKey: z.string().min(1), apiSig: z.string().min(1) });

/** Opens the credentials in the keychain. A keychain failure is logged and adds one notice per run. */
export function createCredentialStore({ keychain, settings, notices, learn, log }: Needs): CredentialStore {
  const thisRun = new Map<string, Credentials>();
  const marks = keychainMarks(settings);
  /** The cause is not logged: it comes from foreign code that was given the secret. */
  const unavailable = (operation: string, id: string) => {
    log.error('keychain failed', { doing: operation, connectionId: id });
    notices.addOnce('keychain-unavailable');
  };
  const learnBoth = ({ apiKey, apiSig }: Credentials) => {
    learn(apiKey);
    learn(apiSig);
  };
  const readKeychain = async (id: string): Promise<Credentials | null> => {
    let text: string | null;
    try {
      text = await keychain.get(id);
    } catch {
      unavailable('get', id);
      return null;
    }
    const credentials = text === null ? null : parsed(text);
    if (text !== null && !credentials) log.error('keychain entry is not readable', { connectionId: id });
    marks.set(id, credentials !== null);
    return credentials;
  };
  return {
    whereabouts: (id) => (thisRun.has(id) ? 'this-run' : marks.has(id) ? 'keychain' : 'none'),
    get: async (id) => {
      const credentials = thisRun.get(id) ?? (await readKeychain(id));
      if (credentials) learnBoth(credentials);
      return credentials;
    },
    set: async (id, credentials) => {
      learnBoth(credentials);
      try {
        await keychain.set(id, JSON.stringify(storedForm.parse({ ...credentials })));
      } catch {
        unavailable('set', id);
        thisRun.set(id, credentials);
        return 'this-run';
      }
      thisRun.delete(id);
      marks.set(id, true);
      return 'keychain';
    },
    forget: async (id) => {
      thisRun.delete(id);
      const wasMarked = marks.has(id);
      marks.set(id, false);
      try {
        await keychain.remove(id);
      } catch {
        // Without a mark most keychains reject because there is no entry: only a failure to remove a marked entry is
        // reported.
        if (wasMarked) unavailable('remove', id);
      }
    },
  };
}

/** Marks which connections have an entry in the keychain, as far as this program knows. */
function keychainMarks(settings: SettingTable) {
  const has = (id: string) => settings.get(markOf(id)) !== null;
  return {
    has,
    set: (id: string, isIn: boolean) => {
      if (has(id) === isIn) return;
      if (isIn) settings.put(markOf(id), 'yes');
      else settings.remove(markOf(id));
    },
  };
}

function parsed(text: string): Credentials | null {
  try {
    return storedForm.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
