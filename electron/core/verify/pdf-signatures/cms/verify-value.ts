import { invert, mod, pow } from '@noble/curves/abstract/modular.js';
import { undecidable } from '../doubt.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { readElement, readSequence, readUnsigned, toNumber } from './asn1.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { bitsOf, fits, type PublicKey } from './public-keys.ts';
import { verifyPkcs1, verifyPss } from './rsa.ts';

/** Whether the signature value belongs to these bytes and this key. `digest`: the one that the signer names. */
export function verifyValue(
  value: Uint8Array,
  key: PublicKey,
  algorithm: SignatureAlgorithm,
  digest: DigestName,
  pieces: Pieces,
): boolean {
  if (!fits(key, algorithm.scheme)) throw undecidable('other-key');
  // RFC 8933: one digest for both.
  if (algorithm.digest && algorithm.digest !== digest) throw undecidable('two-digests');
  if (key.kind === 'ed25519' || key.kind === 'ed448') {
    if (!Array.isArray(pieces)) throw undecidable('not-for-files');
    const message = Buffer.concat(pieces);
    return ifWellFormed(() => key.curve.verify(value, message, key.point, { zip215: false }));
  }
  const hash = digestOf(digest, pieces);
  if (key.kind === 'rsa')
    return algorithm.pss ? verifyPss(key, algorithm.pss, hash, value) : verifyPkcs1(key, digest, hash, value);
  if (key.kind === 'dsa') return ifWellFormed(() => verifyDsa(key, hash, value));
  const format = algorithm.scheme === 'ecdsa' ? 'der' : 'compact';
  return ifWellFormed(() => key.curve.verify(value, hash, key.point, { prehash: false, lowS: false, format }));
}

/** FIPS 186-4, 4.7. */
function verifyDsa(key: Extract<PublicKey, { kind: 'dsa' }>, hash: Uint8Array, value: Uint8Array): boolean {
  const { p, q, g, y } = key;
  const [r = 0n, s = 0n] = readSequence(readElement(value)).map(readUnsigned);
  if (r <= 0n || r >= q || s <= 0n || s >= q) return false;
  const z = toNumber(hash.subarray(0, bitsOf(q) / 8));
  const w = invert(s, q);
  return mod(mod(pow(g, mod(z * w, q), p) * pow(y, mod(r * w, q), p), p), q) === r;
}

/** A value that is no signature at all does not belong to anything. */
function ifWellFormed(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
