import { createDecipheriv } from 'node:crypto';
import { NeedsPassword, Unreadable } from '../doubt.ts';
import { findKey, md5, rc4, readKeyTerms } from './encryption-key.ts';
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
