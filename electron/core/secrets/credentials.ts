import { z } from 'zod';
import type { Connection } from '../../../contract/connections.ts';
import type { Credentials } from '../../soap/client.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { Keychain, Log } from '../foundation/ports.ts';
import type { Notices } from '../settings/notices.ts';

/** The credentials of connections, by connection id: in the keychain, or for this run where it will not have them. */
export interface CredentialStore {
  /** Where they are, without asking the keychain. */
  whereabouts(id: string): Connection['credentials'];
  /** Null where there are none, or the keychain does not give them out. Never rejects. */
  get(id: string): Promise<Credentials | null>;
  /** Answers where they are kept. */
  set(id: string, credentials: Credentials): Promise<'keychain' | 'this-run'>;
  /** Never rejects: what the keychain will not let go of is at least no longer used. */
  forget(id: string): Promise<void>;
}

interface Needs {
  readonly keychain: Keychain;
  /** For marks: asking the keychain itself may take a minute or make a person unlock it. */
  readonly settings: SettingTable;
  readonly notices: Notices;
  /** Told every secret that is used, so that texts can be cleaned of it. */
  readonly learn: (secret: string) => void;
  readonly log: Log;
}

const markOf = (id: string) => `keychain.${id}`;

const keptForm = z.strictObject({ apiKey: z.string().min(1), apiSig: z.string().min(1) });

export function createCredentialStore({ keychain, settings, notices, learn, log }: Needs): CredentialStore {
  const thisRun = new Map<string, Credentials>();

  const isMarked = (id: string) => settings.get(markOf(id)) !== null;
  const mark = (id: string, isIn: boolean) => {
    if (isMarked(id) === isIn) return;
    if (isIn) settings.put(markOf(id), 'yes');
    else settings.remove(markOf(id));
  };

  /** The cause stays out of the log: it comes from foreign code that was given the secret. */
  const unavailable = (doing: string, id: string) => {
    log.error('keychain failed', { doing, connectionId: id });
    notices.addOnce('keychain-unavailable');
  };

  const fromKeychain = async (id: string): Promise<Credentials | null> => {
    let text: string | null;
    try {
      text = await keychain.get(id);
    } catch {
      unavailable('get', id);
      return null;
    }
    const credentials = text === null ? null : parsed(text);
    if (text !== null && !credentials) log.error('keychain entry is not readable', { connectionId: id });
    mark(id, credentials !== null);
    return credentials;
  };

  const learnBoth = ({ apiKey, apiSig }: Credentials) => {
    learn(apiKey);
    learn(apiSig);
  };

  return {
    whereabouts: (id) => (thisRun.has(id) ? 'this-run' : isMarked(id) ? 'keychain' : 'none'),
    get: async (id) => {
      const credentials = thisRun.get(id) ?? (await fromKeychain(id));
      if (credentials) learnBoth(credentials);
      return credentials;
    },
    set: async (id, credentials) => {
      learnBoth(credentials);
      try {
        await keychain.set(id, JSON.stringify(keptForm.parse({ ...credentials })));
      } catch {
        unavailable('set', id);
        thisRun.set(id, credentials);
        return 'this-run';
      }
      thisRun.delete(id);
      mark(id, true);
      return 'keychain';
    },
    forget: async (id) => {
      thisRun.delete(id);
      const wasIn = isMarked(id);
      mark(id, false);
      try {
        await keychain.remove(id);
      } catch {
        // Without a mark most keychains reject because nothing is there: only a mark makes it worth a word.
        if (wasIn) unavailable('remove', id);
      }
    },
  };
}

function parsed(text: string): Credentials | null {
  try {
    return keptForm.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
