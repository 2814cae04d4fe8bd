import { constants, createPublicKey, publicDecrypt } from 'node:crypto';
import { invert, mod, pow } from '@noble/curves/abstract/modular.js';
import { undecidable } from '../doubt.ts';
import { oidOfDigest, type PssParameters, type SignatureAlgorithm } from './algorithms.ts';
import { encodeHeader, readElement, readSequence, readUnsigned, sameBytes, tags, toNumber } from './asn1.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { bitsOf, fits, type PublicKey } from './public-keys.ts';

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

type RsaKey = Extract<PublicKey, { kind: 'rsa' }>;

/** What the signature says was signed, padded to the key’s size; null if it is no number below the modulus. The key goes in as a plain RSA key, and the padding is compared here: Electron’s library knows neither keys for PSS alone nor SHA-3. */
function recover(key: RsaKey, value: Uint8Array): Uint8Array | null {
  const size = Math.ceil(bitsOf(key.modulus) / 8);
  if (value.length !== size || toNumber(value) >= key.modulus) return null;
  const jwk = { kty: 'RSA', n: toBase64(key.modulus), e: toBase64(key.exponent) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return publicDecrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, value);
}

/** PKCS #1 v1.5: the padded digest is written anew and compared as a whole, in its two forms (with NULL and without). */
function verifyPkcs1(key: RsaKey, digest: DigestName, hash: Uint8Array, value: Uint8Array): boolean {
  const oid = oidOfDigest(digest);
  if (!oid) throw undecidable('digest-not-for-rsa');
  const recovered = recover(key, value);
  if (!recovered) return false;
  return [Buffer.of(0x05, 0x00), Buffer.of()].some((parameters) => {
    const identifier = wrap(tags.sequence, Buffer.concat([wrap(tags.oid, Buffer.from(oid, 'hex')), parameters]));
    const info = wrap(tags.sequence, Buffer.concat([identifier, wrap(tags.octets, hash)]));
    const fill = recovered.length - info.length - 3;
    return (
      fill >= 8 && sameBytes(recovered, Buffer.concat([Buffer.of(0, 1), Buffer.alloc(fill, 0xff), Buffer.of(0), info]))
    );
  });
}

/** EMSA-PSS-VERIFY of RFC 8017, 9.1.2. */
function verifyPss(key: RsaKey, pss: PssParameters, hash: Uint8Array, value: Uint8Array): boolean {
  if (key.only?.parameters && key.only.parameters.digest !== pss.digest) throw undecidable('other-key');
  const recovered = recover(key, value);
  if (!recovered) return false;
  const bits = bitsOf(key.modulus) - 1;
  const size = Math.ceil(bits / 8);
  // Where the padded digest is one byte shorter than the modulus.
  if (size < recovered.length && recovered[0] !== 0) return false;
  const padded = recovered.subarray(recovered.length - size);
  const blockSize = size - hash.length - 1;
  const fill = blockSize - pss.saltLength - 1;
  if (fill < 0 || padded[size - 1] !== 0xbc) return false;
  const unusedBits = size * 8 - bits;
  if ((padded[0] ?? 0) >> (8 - unusedBits) !== 0) return false;
  const check = padded.subarray(blockSize, size - 1);
  const mask = generateMask(pss.maskDigest, check, blockSize);
  const block = padded.subarray(0, blockSize).map((byte, at) => byte ^ (mask[at] ?? 0));
  block[0] = (block[0] ?? 0) & (0xff >> unusedBits);
  if (block.subarray(0, fill).some((byte) => byte !== 0) || block[fill] !== 1) return false;
  const salted = digestOf(pss.digest, [Buffer.alloc(8), hash, block.subarray(fill + 1)]);
  return sameBytes(salted, check);
}

/** MGF1. */
function generateMask(digest: DigestName, seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let counter = 0, done = 0; done < length; counter++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    const block = digestOf(digest, [seed, number]);
    blocks.push(block);
    done += block.length;
  }
  return Buffer.concat(blocks);
}

const wrap = (tag: number, content: Uint8Array) => Buffer.concat([encodeHeader(tag, content.length), content]);

function toBase64(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex').toString('base64url');
}
