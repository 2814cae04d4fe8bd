import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { NeedsPassword, Unreadable } from '../doubt.ts';
import { isKind, isWhole, nameOf, type PdfDictionary, type PdfReference, type PdfValue } from './pdf-values.ts';

/** The object that a string or stream is in. */
type Owner = Pick<PdfReference, 'number' | 'generation'>;

type Method = 'none' | 'rc4' | 'aes-128' | 'aes-256';

export type Decryption = ReturnType<typeof unlocked>;

/** Opens strings and streams. Without the right password all but these can be read. */
export function openEncryption(dictionary: PdfDictionary, id: Uint8Array, password: string): Decryption {
  const { entries } = dictionary;
  const version = entries.get('V');
  const revision = entries.get('R');
  if (nameOf(entries.get('Filter')) !== 'Standard' || !isWhole(version) || !isWhole(revision))
    return locked(new Unreadable('encrypted-for-certificates'));
  if (![1, 2, 4, 5].includes(version) || revision < 2 || revision > 6)
    return locked(new Unreadable('encrypted-otherwise'));
  const key = findKey(readKeyTerms(dictionary, version, revision, id), password);
  if (!key) return locked(new NeedsPassword('encrypted-with-password'));
  return unlocked(key, methodOf(dictionary, version, 'StrF'), methodOf(dictionary, version, 'StmF'));
}

function methodOf({ entries }: PdfDictionary, version: number, use: string): Method {
  if (version < 4) return 'rc4';
  const name = nameOf(entries.get(use)) ?? 'Identity';
  const filters = entries.get('CF');
  const filter = isKind(filters, 'dictionary') ? filters.entries.get(name) : undefined;
  const method = isKind(filter, 'dictionary') ? (nameOf(filter.entries.get('CFM')) ?? 'None') : 'None';
  if (name === 'Identity' || method === 'None') return 'none';
  const known = { V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256' } as const;
  if (method in known) return known[method as keyof typeof known];
  throw new Unreadable('encrypted-otherwise');
}

function locked(reason: Unreadable): Decryption {
  const stream = () => {
    throw reason;
  };
  return { hasKey: false, strings: (value) => value, stream };
}

function unlocked(key: Uint8Array, texts: Method, streams: Method) {
  const open = (method: Method, bytes: Uint8Array, { number, generation }: Owner) => {
    if (method === 'none') return bytes;
    if (method === 'aes-256') return decryptAes('aes-256-cbc', key, bytes);
    const owner = Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8);
    const salt = method === 'aes-128' ? Buffer.from('sAlT') : Buffer.of();
    const own = md5(key, owner, salt).subarray(0, Math.min(16, key.length + 5));
    return method === 'rc4' ? rc4(own, bytes) : decryptAes('aes-128-cbc', own, bytes);
  };
  return {
    hasKey: true,
    /** The strings inside of a value, but for contents of signatures, which are never encrypted. */
    strings: (value: PdfValue, owner: Owner) => mapStrings(value, (bytes) => open(texts, bytes, owner)),
    stream: (stored: Uint8Array, owner: Owner) => open(streams, stored, owner),
  };
}

function decryptAes(name: string, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    const cipher = createDecipheriv(name, key, bytes.subarray(0, 16));
    return Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]);
  } catch {
    throw new Unreadable('encrypted-part');
  }
}

function mapStrings(value: PdfValue, change: (bytes: Uint8Array) => Uint8Array): PdfValue {
  if (isKind(value, 'string')) return { ...value, bytes: change(value.bytes) };
  if (isKind(value, 'array')) return { ...value, items: value.items.map((item) => mapStrings(item, change)) };
  if (isKind(value, 'dictionary')) return mapEntries(value, change);
  return isKind(value, 'stream') ? { ...value, dictionary: mapEntries(value.dictionary, change) } : value;
}

function mapEntries(value: PdfDictionary, change: (bytes: Uint8Array) => Uint8Array): PdfDictionary {
  const isSignature = value.entries.has('ByteRange');
  const mapped = [...value.entries].map(
    ([key, item]) => [key, isSignature && key === 'Contents' ? item : mapStrings(item, change)] as const,
  );
  return { kind: 'dictionary', entries: new Map(mapped) };
}

type KeyTerms = ReturnType<typeof readKeyTerms>;

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** What the standard security handler (ISO 32000-2, 7.6.4) says about its key. */
function readKeyTerms({ entries }: PdfDictionary, version: number, revision: number, id: Uint8Array) {
  const text = (key: string) => {
    const value = entries.get(key);
    return isKind(value, 'string') ? value.bytes : new Uint8Array();
  };
  const [bits, permissions] = [entries.get('Length'), entries.get('P')];
  return {
    revision,
    id,
    owner: text('O'),
    user: text('U'),
    ownerKey: text('OE'),
    userKey: text('UE'),
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

const md5 = (...parts: Uint8Array[]): Uint8Array => createHash('md5').update(Buffer.concat(parts)).digest();

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
