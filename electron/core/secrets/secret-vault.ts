import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Keychain, Log } from '../foundation/ports.ts';

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
      const { id, secret } = await key();
      // A separate key, so that the sealing key has one use; cached, because lists are long.
      if (fingerprintKey?.id !== id)
        fingerprintKey = { id, secret: createSecretKey(createHmac('sha256', secret).update('fingerprints').digest()) };
      return createHmac('sha256', fingerprintKey.secret).update(text).digest('base64url').slice(0, 22);
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
    await keychain.set(account, textOf(made));
    return made;
  } catch {
    log.info('the keychain cannot store the key of secret words: they are kept for this run', {});
    return newKey();
  }
}

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** A key for AES-256-GCM. */
interface Key {
  readonly id: string;
  /** Not its bytes: these would be made a key again for each secret, which takes longer than to encrypt one. */
  readonly secret: KeyObject;
}

/** A new random key. */
export function newKey(): Key {
  return withId(randomBytes(keyBytes));
}

/** The key in base64; null if the text is none. */
export function keyOf(text: string | null): Key | null {
  const bytes = Buffer.from(text ?? '', 'base64');
  return bytes.length === keyBytes ? withId(bytes) : null;
}

/** Adds an id that distinguishes keys and tells nothing about the key. */
function withId(bytes: Buffer): Key {
  const id = hash('sha256', Buffer.concat([Buffer.from('key id'), bytes]), 'hex').slice(0, 12);
  return { id, secret: createSecretKey(bytes) };
}

/** What `keyOf` takes. */
export const textOf = ({ secret }: Key): string => secret.export().toString('base64');

/** Encrypts a text. */
export function sealWith({ id, secret: key }: Key, secret: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Decrypts; null if the text was not sealed with this key. */
export function openWith({ id, secret }: Key, sealed: string): string | null {
  const [keyId, text = ''] = sealed.split('.', 2);
  const all = Buffer.from(text, 'base64url');
  if (keyId !== id || all.length < ivBytes + tagBytes) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, all.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
