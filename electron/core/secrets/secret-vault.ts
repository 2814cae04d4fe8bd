import { createHmac } from 'node:crypto';
import type { Keychain, Log } from '../foundation/ports.ts';
import { type Key, keyOf, newKey, openWith, sealWith } from './sealing.ts';

/**
 * Encrypts small secrets (secret words) so that they can be stored in the database: AES-256-GCM with one key, which
 * is in the keychain, or in memory for this run if there is no keychain. Secrets sealed with a key that no longer
 * exists are lost, and `isLost` tells so.
 */
export type SecretVault = ReturnType<typeof createSecretVault>;

const account = 'secret-words';

/** Creates a vault; its key is read or made at first use. */
export function createSecretVault(keychain: Keychain, log: Log) {
  let keyPromise: Promise<Key> | null = null;
  let currentKey: Key | null = null;
  let fingerprintKey: Key | null = null;
  // Read once per run and only when there is a secret: a keychain may take a minute, or make a person unlock it.
  const key = () => {
    keyPromise ??= findKey(keychain, log).then((key) => {
      currentKey = key;
      return key;
    });
    return keyPromise;
  };
  return {
    seal: async (secret: string): Promise<string> => sealWith(await key(), secret),
    /** Decrypts. Null if the key no longer exists or the text was not sealed here. Never rejects. */
    open: async (sealed: string): Promise<string | null> => openWith(await key(), sealed),
    /** A keyed hash: the same for the same text as long as the key exists; tells nothing about the text without the key. */
    fingerprint: async (text: string): Promise<string> => {
      const { id, bytes } = await key();
      // A separate key, so that the sealing key has one use; cached, because lists are long.
      if (fingerprintKey?.id !== id)
        fingerprintKey = { id, bytes: createHmac('sha256', bytes).update('fingerprints').digest() };
      return createHmac('sha256', fingerprintKey.bytes).update(text).digest('base64url').slice(0, 22);
    },
    /** True if `open` is known to return null. Never reads the keychain. */
    isLost: (sealed: string): boolean => currentKey !== null && !sealed.startsWith(`${currentKey.id}.`),
  };
}

async function findKey(keychain: Keychain, log: Log): Promise<Key> {
  try {
    const kept = keyOf(await keychain.get(account));
    if (kept) return kept;
    const made = newKey();
    await keychain.set(account, made.bytes.toString('base64'));
    return made;
  } catch {
    log.info('the keychain cannot store the key of secret words: they are kept for this run', {});
    return newKey();
  }
}
