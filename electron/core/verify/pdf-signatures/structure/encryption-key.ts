import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { isKind, isWhole, type PdfDictionary } from './pdf-values.ts';

type KeyTerms = ReturnType<typeof readKeyTerms>;

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** What the standard security handler (ISO 32000-2, 7.6.4) says about its key. */
export function readKeyTerms({ entries }: PdfDictionary, version: number, revision: number, id: Uint8Array) {
  const text = (key: string) => {
    const value = entries.get(key);
    return isKind(value, 'string') ? value.bytes : new Uint8Array();
  };
  const [bits, permissions] = [entries.get('Length'), entries.get('P')];
  return {
    ...{ revision, id, owner: text('O'), user: text('U'), ownerKey: text('OE'), userKey: text('UE') },
    keyBytes: version === 1 ? 5 : version === 4 ? 16 : Math.min(16, Math.max(5, (isWhole(bits) ? bits : 40) >> 3)),
    permissions: typeof permissions === 'number' ? permissions : 0,
    encryptsMetadata: entries.get('EncryptMetadata') !== false,
  };
}

/** Null where the password is neither the user’s nor the owner’s. */
export function findKey(terms: KeyTerms, password: string): Uint8Array | null {
  if (terms.revision >= 5) return findLongKey(terms, Buffer.from(password.normalize('NFKC')).subarray(0, 127));
  const given = Buffer.from(password, 'latin1');
  return userKeyOf(terms, given) ?? userKeyOf(terms, ownersUserPassword(terms, given));
}

function userKeyOf(terms: KeyTerms, password: Uint8Array): Uint8Array | null {
  const { revision, keyBytes, owner, permissions, id, user } = terms;
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions | 0);
  const unencrypted = revision >= 4 && !terms.encryptsMetadata ? Buffer.alloc(4, 0xff) : Buffer.of();
  let key = md5(padded(password), owner.subarray(0, 32), bits, id, unencrypted).subarray(0, keyBytes);
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key).subarray(0, keyBytes);
  const check = revision === 2 ? rc4(key, padding) : rc4Rounds(key, md5(padding, id), ascending);
  return Buffer.compare(check.subarray(0, revision === 2 ? 32 : 16), user.subarray(0, check.length)) === 0 ? key : null;
}

function ownersUserPassword({ revision, keyBytes, owner }: KeyTerms, password: Uint8Array): Uint8Array {
  let key = md5(padded(password));
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key);
  key = key.subarray(0, keyBytes);
  const encrypted = owner.subarray(0, 32);
  return revision === 2 ? rc4(key, encrypted) : rc4Rounds(key, encrypted, [...ascending].reverse());
}

const ascending = Array.from({ length: 20 }, (_, index) => index);

function rc4Rounds(key: Uint8Array, bytes: Uint8Array, rounds: readonly number[]): Uint8Array {
  const withKey = (round: number) => key.map((byte) => byte ^ round);
  return rounds.reduce((result, round) => rc4(withKey(round), result), bytes);
}

function findLongKey(terms: KeyTerms, password: Uint8Array): Uint8Array | null {
  const { owner, user, ownerKey, userKey } = terms;
  const known = user.subarray(0, 48);
  for (const [value, key, more] of [
    [user, userKey, Buffer.of()],
    [owner, ownerKey, known],
  ] as const) {
    const hash = (salt: Uint8Array) => longHash(terms.revision, password, salt, more);
    if (Buffer.compare(hash(value.subarray(32, 40)), value.subarray(0, 32)) !== 0 || key.length < 32) continue;
    const cipher = createDecipheriv('aes-256-cbc', hash(value.subarray(40, 48)), Buffer.alloc(16));
    cipher.setAutoPadding(false);
    return Buffer.concat([cipher.update(key.subarray(0, 32)), cipher.final()]);
  }
  return null;
}

/** ISO 32000-2, algorithm 2.B. */
function longHash(revision: number, password: Uint8Array, salt: Uint8Array, more: Uint8Array): Uint8Array {
  let key = createHash('sha256').update(password).update(salt).update(more).digest();
  if (revision === 5) return key;
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const piece = Buffer.concat([password, key, more]);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const encrypted = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => piece)));
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(['sha256', 'sha384', 'sha512'][remainder] ?? '')
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

const padded = (password: Uint8Array) => Buffer.concat([password, padding]).subarray(0, 32);

export const md5 = (...parts: Uint8Array[]): Uint8Array => createHash('md5').update(Buffer.concat(parts)).digest();

/** Encrypts and decrypts; Electron’s library has it no more. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    const kept = state[one] ?? 0;
    state[one] = state[other] ?? 0;
    state[other] = kept;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return bytes.map((byte) => {
    i = (i + 1) & 0xff;
    j = (j + (state[i] ?? 0)) & 0xff;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 0xff] ?? 0);
  });
}
