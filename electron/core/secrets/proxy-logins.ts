import { z } from 'zod';
import type { Connection } from '../../../contract/connections.ts';
import type { ProxyLogin } from '../../soap/wire/proxy.ts';
import { openSecretEntries, type SecretNeeds } from './secret-entries.ts';

/** Keeps user and password at the proxy, one for each connection. */
export interface ProxyLoginStore {
  /** What a window may see of it, without reading the keychain. */
  shown(id: string): Connection['proxyLogin'];
  get(id: string): Promise<ProxyLogin | null>;
  set(id: string, login: ProxyLogin): Promise<void>;
  forget(id: string): Promise<void>;
}

const form = z.strictObject({ user: z.string().min(1), password: z.string(), proxies: z.array(z.string()).readonly() });
const userOf = (id: string) => `proxyUser.${id}`;

/** Opens the logins in the keychain. The user alone is also in the settings, because it is shown. */
export function createProxyLogins(needs: SecretNeeds): ProxyLoginStore {
  const { settings } = needs;
  const entries = openSecretEntries(needs, { suffix: '.proxy', form, secretsOf: ({ password }) => [password] });
  const users = new Map<string, string>();
  return {
    shown: (id) => {
      const kept = entries.whereabouts(id);
      return kept === 'none' ? null : { user: users.get(id) ?? settings.get(userOf(id)) ?? '', kept };
    },
    get: (id) => entries.get(id),
    set: async (id, login) => {
      users.set(id, login.user);
      if ((await entries.set(id, login)) === 'keychain') settings.put(userOf(id), login.user);
    },
    forget: async (id) => {
      users.delete(id);
      if (settings.get(userOf(id)) !== null) settings.remove(userOf(id));
      await entries.forget(id);
    },
  };
}
