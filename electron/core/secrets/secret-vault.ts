import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { Keychain, Log } from '../foundation/ports.ts';

/**
 * Seals small secrets (secret words) so that they may lie in the database: AES-256-GCM with one key, which is in the keychain, or in memory for this run where there
 * is no keychain. What was sealed with a key that is gone is lost, and is said to be.
 */
export interface SecretVault {
  seal(secret: string): Promise<string>;
  /** Null where its key is gone or the text is not one of ours. Never rejects. */
  open(sealed: string): Promise<string | null>;
  /** The same for the same text as long as the key is; says nothing about the text to anybody without the key. */
  fingerprint(text: string): Promise<string>;
  /** True where `open` is known to answer null. Never asks the keychain. */
  isLost(sealed: string): boolean;
}

const account = 'secret-words';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

export function createSecretVault(keychain: Keychain, log: Log): SecretVault {
  let finding: Promise<Key> | null = null;
  let found: Key | null = null;
  let marking: Key | null = null;
  // Asked once a run and only when there is a secret: a keychain may take a minute, or make a person unlock it.
  const key = () => {
    finding ??= findKey(keychain, log).then((key) => {
      found = key;
      return key;
    });
    return finding;
  };
  return {
    seal: async (secret) => sealWith(await key(), secret),
    open: async (sealed) => openWith(await key(), sealed),
    fingerprint: async (text) => {
      const { id, bytes } = await key();
      // A key of its own, so that the one that seals does nothing else; kept, since lists are long.
      if (marking?.id !== id) marking = { id, bytes: createHmac('sha256', bytes).update('fingerprints').digest() };
      return createHmac('sha256', marking.bytes).update(text).digest('base64url').slice(0, 22);
    },
    isLost: (sealed) => found !== null && !sealed.startsWith(`${found.id}.`),
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
    log.info('the keychain does not take the key of secret words: they are kept for this run', {});
    return newKey();
  }
}

function newKey(): Key {
  return withId(randomBytes(keyBytes));
}

function keyOf(text: string | null): Key | null {
  const bytes = Buffer.from(text ?? '', 'base64');
  return bytes.length === keyBytes ? withId(bytes) : null;
}

/** Of a key, to tell keys apart; says nothing about it. */
function withId(bytes: Buffer): Key {
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 12), bytes };
}

function sealWith({ id, bytes }: Key, secret: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv, { authTagLength: tagBytes });
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

function openWith({ id, bytes }: Key, sealed: string): string | null {
  const [keyId, text = ''] = sealed.split('.', 2);
  const all = Buffer.from(text, 'base64url');
  if (keyId !== id || all.length < ivBytes + tagBytes) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, all.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
