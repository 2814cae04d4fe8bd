import { createHash, type Hash } from 'node:crypto';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js';

/** Electron’s library has none of these. */
const own = {
  'sha3-224': () => sha3_224.create(),
  'sha3-256': () => sha3_256.create(),
  'sha3-384': () => sha3_384.create(),
  'sha3-512': () => sha3_512.create(),
  shake256: () => shake256.create({ dkLen: 64 }),
};

export type DigestName = 'sha1' | `sha${224 | 256 | 384 | 512}` | keyof typeof own;

/** What is hashed: bytes at hand, or the bytes of a file that were hashed as they were read. */
export type Pieces = readonly Uint8Array[] | { readonly digest: (name: DigestName) => Uint8Array };

/** A digest that is being made; a copy goes on by itself. */
export interface RunningDigest {
  update(piece: Uint8Array): void;
  digest(): Uint8Array;
  copy(): RunningDigest;
}

export function digestOf(name: DigestName, pieces: Pieces): Uint8Array {
  if ('digest' in pieces) return pieces.digest(name);
  const hash = startDigest(name);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

export function startDigest(name: DigestName): RunningDigest {
  return goOn(name in own ? own[name as keyof typeof own]() : createHash(name));
}

function goOn(hash: Hash | ReturnType<(typeof own)[keyof typeof own]>): RunningDigest {
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest(),
    copy: () => goOn('clone' in hash ? hash.clone() : hash.copy()),
  };
}
