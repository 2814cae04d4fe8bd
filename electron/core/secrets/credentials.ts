import { z } from 'zod';
import type { Connection } from '../../../contract/connections.ts';
import type { Credentials } from '../../soap/service/client.ts';
import type { ProxyLogin } from '../../soap/wire/network-route.ts';
import { openSecretEntries, type SecretEntries, type SecretNeeds } from './secret-entries.ts';

/** Keeps the credentials of connections. */
export type CredentialStore = SecretEntries<Credentials>;

const credentials = z.strictObject({ apiKey: z.string().min(1), apiSig: z.string().min(1) });

/** Opens the credentials in the keychain. */
export function createCredentialStore(needs: SecretNeeds): CredentialStore {
  const secretsOf = ({ apiKey, apiSig }: Credentials) => [apiKey, apiSig];
  return openSecretEntries(needs, { suffix: '', form: credentials, secretsOf });
}

/** Keeps user and password at the proxy, one for each connection. */
export type ProxyLoginStore = ReturnType<typeof createProxyLogins>;

const form = z.strictObject({ user: z.string().min(1), password: z.string(), proxies: z.array(z.string()).readonly() });
const userOf = (id: string) => `proxyUser.${id}`;

/** Opens the logins in the keychain. The user alone is also in the settings, because it is shown. */
export function createProxyLogins(needs: SecretNeeds) {
  const { settings } = needs;
  const entries = openSecretEntries(needs, { suffix: '.proxy', form, secretsOf: ({ password }) => [password] });
  const users = new Map<string, string>();
  return {
    /** What a window may see of it, without reading the keychain. */
    shown: (id: string): Connection['proxyLogin'] => {
      const kept = entries.whereabouts(id);
      return kept === 'none' ? null : { user: users.get(id) ?? settings.get(userOf(id)) ?? '', kept };
    },
    get: (id: string): Promise<ProxyLogin | null> => entries.get(id),
    set: async (id: string, login: ProxyLogin): Promise<void> => {
      users.set(id, login.user);
      if ((await entries.set(id, login)) === 'keychain') settings.put(userOf(id), login.user);
    },
    forget: async (id: string): Promise<void> => {
      users.delete(id);
      if (settings.get(userOf(id)) !== null) settings.remove(userOf(id));
      await entries.forget(id);
    },
  };
}
