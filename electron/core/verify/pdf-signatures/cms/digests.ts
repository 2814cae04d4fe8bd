import { createHash, getHashes, type Hash } from 'node:crypto';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js';

export type DigestName =
  | 'sha1'
  | 'sha224'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha3-224'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake256';

/** What is hashed: bytes at hand, or the bytes of a file that were hashed as they were read. */
export type Pieces = readonly Uint8Array[] | { readonly digest: (name: DigestName) => Uint8Array };

/** A digest that is being made; a copy goes on by itself. */
export interface RunningDigest {
  update(piece: Uint8Array): void;
  digest(): Uint8Array;
  copy(): RunningDigest;
}

/** Electron’s library has no SHA-3; both ways answer the same. */
const own = { 'sha3-224': sha3_224, 'sha3-256': sha3_256, 'sha3-384': sha3_384, 'sha3-512': sha3_512 };
const native = new Set(getHashes());

export function digestOf(name: DigestName, pieces: Pieces): Uint8Array {
  if ('digest' in pieces) return pieces.digest(name);
  const hash = startDigest(name);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

export function startDigest(name: DigestName): RunningDigest {
  if (name === 'shake256') return ownDigest(shake256.create({ dkLen: 64 }));
  return name in own && !native.has(name)
    ? ownDigest(own[name as keyof typeof own].create())
    : nativeDigest(createHash(name));
}

function nativeDigest(hash: Hash): RunningDigest {
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest(),
    copy: () => nativeDigest(hash.copy()),
  };
}

interface OwnHash {
  update(piece: Uint8Array): unknown;
  digest(): Uint8Array;
  clone(): OwnHash;
}

function ownDigest(hash: OwnHash): RunningDigest {
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest(),
    copy: () => ownDigest(hash.clone()),
  };
}
