import { z } from 'zod';
import type { Credentials } from '../../soap/service/client.ts';
import { openSecretEntries, type SecretEntries, type SecretNeeds } from './secret-entries.ts';

/** Keeps the credentials of connections. */
export type CredentialStore = SecretEntries<Credentials>;

const form = z.strictObject({ apiKey: z.string().min(1), apiSig: z.string().min(1) });

/** Opens the credentials in the keychain. */
export function createCredentialStore(needs: SecretNeeds): CredentialStore {
  return openSecretEntries(needs, { suffix: '', form, secretsOf: ({ apiKey, apiSig }) => [apiKey, apiSig] });
}
