import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** A key for AES-256-GCM. */
export interface Key {
  readonly id: string;
  readonly bytes: Buffer;
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
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 12), bytes };
}

/** Encrypts a text. */
export function sealWith({ id, bytes }: Key, secret: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv, { authTagLength: tagBytes });
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Decrypts; null if the text was not sealed with this key. */
export function openWith({ id, bytes }: Key, sealed: string): string | null {
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
