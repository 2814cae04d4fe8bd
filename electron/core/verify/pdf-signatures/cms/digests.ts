import { createHash, getHashes } from 'node:crypto';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js';
import type { FileBytes } from '../signature-value.ts';

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

/** What is hashed: bytes at hand, or pieces as they are read. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const pieceBytes = 1024 * 1024;

/** Electron’s library has no SHA-3; both ways answer the same. */
const own = { 'sha3-224': sha3_224, 'sha3-256': sha3_256, 'sha3-384': sha3_384, 'sha3-512': sha3_512 };
const native = new Set(getHashes());

export async function digestOf(name: DigestName, pieces: Pieces): Promise<Uint8Array> {
  const hash = startDigest(name);
  for await (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** The bytes of a file that a signature covers, piece by piece. */
export async function* readRanges(
  file: FileBytes,
  ranges: readonly (readonly [start: number, length: number])[],
): AsyncGenerator<Uint8Array> {
  for (const [start, length] of ranges)
    for (let done = 0; done < length; done += pieceBytes)
      yield await file.read(start + done, Math.min(pieceBytes, length - done));
}

function startDigest(name: DigestName): { update(piece: Uint8Array): unknown; digest(): Uint8Array } {
  if (name === 'shake256') return shake256.create({ dkLen: 64 });
  return name in own && !native.has(name) ? own[name as keyof typeof own].create() : createHash(name);
}
