import { constants, createPublicKey, publicDecrypt } from 'node:crypto';
import { undecidable } from '../doubt.ts';
import { oidOfDigest, type PssParameters } from './algorithms.ts';
import { encodeHeader, sameBytes, tags, toNumber } from './asn1.ts';
import { type DigestName, digestOf } from './digests.ts';
import { bitsOf, type PublicKey } from './public-keys.ts';

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
export function verifyPkcs1(key: RsaKey, digest: DigestName, hash: Uint8Array, value: Uint8Array): boolean {
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
export function verifyPss(key: RsaKey, pss: PssParameters, hash: Uint8Array, value: Uint8Array): boolean {
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
