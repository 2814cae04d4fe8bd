import { z } from 'zod';
import type { Connection } from '../../../contract/connections.ts';
import type { Credentials } from '../../soap/service/client.ts';
import type { ClientIdentity, ReadIdentity } from '../../soap/trust/client-identity.ts';
import type { ProxyLogin } from '../../soap/wire/network-route.ts';
import { openSecretEntries, type SecretEntries, type SecretNeeds } from './secret-entries.ts';
import { keyOf, newKey, openWith, sealWith, textOf } from './secret-vault.ts';

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

const proxyLogin = z.strictObject({
  user: z.string().min(1),
  password: z.string(),
  proxies: z.array(z.string()).readonly(),
});
const userOf = (id: string) => `proxyUser.${id}`;

/** Opens the logins in the keychain. The user alone is also in the settings, because it is shown. */
export function createProxyLogins(needs: SecretNeeds) {
  const { settings } = needs;
  const entries = openSecretEntries(needs, {
    suffix: '.proxy',
    form: proxyLogin,
    secretsOf: ({ password }) => [password],
  });
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

/** Keeps client certificates with their private keys, one for each connection. */
export type ClientCertificateStore = ReturnType<typeof createClientCertificates>;

/** `fileKey`: the key with which the file is sealed, in base64. A certificate is too large for the keychain of Windows. */
const certificateSecret = z.strictObject({ password: z.string(), fileKey: z.string().min(1) });
const shownForm = z.strictObject({ subject: z.string(), issuer: z.string(), validUntil: z.iso.datetime() });
const rowForm = z.strictObject({ shown: shownForm, kind: z.enum(['pkcs12', 'pem']), sealed: z.string() });
type Row = z.output<typeof rowForm>;
const rowOf = (id: string) => `clientCertificate.${id}`;

/** Opens the certificates: files in the database, encrypted (AES-256-GCM), with key and password in the keychain. */
export function createClientCertificates(needs: SecretNeeds) {
  const { settings, log } = needs;
  const entries = openSecretEntries(needs, {
    suffix: '.certificate',
    form: certificateSecret,
    secretsOf: (kept) => [kept.password],
  });
  const thisRun = new Map<string, Row>();
  const row = (id: string): Row | null => {
    const held = thisRun.get(id);
    const text = held ? null : settings.get(rowOf(id));
    if (held || text === null) return held ?? null;
    const parsed = rowForm.safeParse(jsonOf(text));
    if (!parsed.success) log.error('a client certificate in the database is not readable', { connectionId: id });
    return parsed.success ? parsed.data : null;
  };
  return {
    /** What a window may see of it, without reading the keychain. */
    shown: (id: string): Connection['clientCertificate'] => {
      const kept = entries.whereabouts(id);
      const found = kept === 'none' ? null : row(id);
      return kept === 'none' || !found ? null : { ...found.shown, kept };
    },
    /** Null if there is none, or the keychain does not return its key. Never rejects. */
    get: async (id: string): Promise<ClientIdentity | null> => {
      const found = row(id);
      const secret = found && (await entries.get(id));
      const key = secret && keyOf(secret.fileKey);
      const bytes = found && key && openWith(key, found.sealed);
      return found && secret && bytes ? { kind: found.kind, bytes, password: secret.password } : null;
    },
    set: async (id: string, { identity, shown }: ReadIdentity): Promise<void> => {
      const key = newKey();
      const next: Row = { shown, kind: identity.kind, sealed: sealWith(key, identity.bytes) };
      const kept = await entries.set(id, { password: identity.password, fileKey: textOf(key) });
      thisRun.delete(id);
      // Without the keychain nobody could open it after this run.
      if (kept === 'keychain') settings.put(rowOf(id), JSON.stringify(next));
      else thisRun.set(id, next);
    },
    forget: async (id: string): Promise<void> => {
      thisRun.delete(id);
      if (settings.get(rowOf(id)) !== null) settings.remove(rowOf(id));
      await entries.forget(id);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
