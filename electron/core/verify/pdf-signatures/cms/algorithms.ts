import { undecidable } from '../doubt.ts';
import { type Element, expectTag, readAs, readOid, readUnsigned, tags } from './asn1.ts';
import type { DigestName } from './digests.ts';

export type Scheme = 'rsa' | 'rsa-pss' | 'ecdsa' | 'ecdsa-plain' | 'ed25519' | 'ed448' | 'dsa';

export interface SignatureAlgorithm {
  readonly scheme: Scheme;
  /** Null where the algorithm leaves it to the digest that the signer names. */
  readonly digest: DigestName | null;
  /** Of rsa-pss. */
  readonly pss: PssParameters | null;
}

export interface PssParameters {
  readonly digest: DigestName;
  readonly maskDigest: DigestName;
  readonly saltLength: number;
}

const nistHash = '2.16.840.1.101.3.4.2';
const digests: Readonly<Record<string, DigestName>> = {
  '1.3.14.3.2.26': 'sha1',
  [`${nistHash}.4`]: 'sha224',
  [`${nistHash}.1`]: 'sha256',
  [`${nistHash}.2`]: 'sha384',
  [`${nistHash}.3`]: 'sha512',
  [`${nistHash}.7`]: 'sha3-224',
  [`${nistHash}.8`]: 'sha3-256',
  [`${nistHash}.9`]: 'sha3-384',
  [`${nistHash}.10`]: 'sha3-512',
  [`${nistHash}.12`]: 'shake256',
  [`${nistHash}.18`]: 'shake256',
};

const pkcs1 = '1.2.840.113549.1.1';
const nistSignature = '2.16.840.1.101.3.4.3';
const ansiEcdsa = '1.2.840.10045.4';
const plainEcdsa = '0.4.0.127.0.7.1.1.4.1';
const schemes: Readonly<Record<string, readonly [Scheme, DigestName | null]>> = {
  [`${pkcs1}.1`]: ['rsa', null],
  [`${pkcs1}.5`]: ['rsa', 'sha1'],
  '1.3.14.3.2.29': ['rsa', 'sha1'],
  [`${pkcs1}.14`]: ['rsa', 'sha224'],
  [`${pkcs1}.11`]: ['rsa', 'sha256'],
  [`${pkcs1}.12`]: ['rsa', 'sha384'],
  [`${pkcs1}.13`]: ['rsa', 'sha512'],
  [`${nistSignature}.13`]: ['rsa', 'sha3-224'],
  [`${nistSignature}.14`]: ['rsa', 'sha3-256'],
  [`${nistSignature}.15`]: ['rsa', 'sha3-384'],
  [`${nistSignature}.16`]: ['rsa', 'sha3-512'],
  [`${pkcs1}.10`]: ['rsa-pss', null],
  '1.2.840.10045.2.1': ['ecdsa', null],
  [`${ansiEcdsa}.1`]: ['ecdsa', 'sha1'],
  [`${ansiEcdsa}.3.1`]: ['ecdsa', 'sha224'],
  [`${ansiEcdsa}.3.2`]: ['ecdsa', 'sha256'],
  [`${ansiEcdsa}.3.3`]: ['ecdsa', 'sha384'],
  [`${ansiEcdsa}.3.4`]: ['ecdsa', 'sha512'],
  [`${nistSignature}.9`]: ['ecdsa', 'sha3-224'],
  [`${nistSignature}.10`]: ['ecdsa', 'sha3-256'],
  [`${nistSignature}.11`]: ['ecdsa', 'sha3-384'],
  [`${nistSignature}.12`]: ['ecdsa', 'sha3-512'],
  [`${plainEcdsa}.1`]: ['ecdsa-plain', 'sha1'],
  [`${plainEcdsa}.2`]: ['ecdsa-plain', 'sha224'],
  [`${plainEcdsa}.3`]: ['ecdsa-plain', 'sha256'],
  [`${plainEcdsa}.4`]: ['ecdsa-plain', 'sha384'],
  [`${plainEcdsa}.5`]: ['ecdsa-plain', 'sha512'],
  [`${plainEcdsa}.8`]: ['ecdsa-plain', 'sha3-224'],
  [`${plainEcdsa}.9`]: ['ecdsa-plain', 'sha3-256'],
  [`${plainEcdsa}.10`]: ['ecdsa-plain', 'sha3-384'],
  [`${plainEcdsa}.11`]: ['ecdsa-plain', 'sha3-512'],
  '1.3.101.112': ['ed25519', null],
  '1.3.101.113': ['ed448', null],
  '1.2.840.10040.4.1': ['dsa', null],
  '1.2.840.10040.4.3': ['dsa', 'sha1'],
  [`${nistSignature}.1`]: ['dsa', 'sha224'],
  [`${nistSignature}.2`]: ['dsa', 'sha256'],
  [`${nistSignature}.3`]: ['dsa', 'sha384'],
  [`${nistSignature}.4`]: ['dsa', 'sha512'],
};

/** The digest that an algorithm identifier names. */
export function readDigestName(identifier: Element | undefined): DigestName {
  const [oid, parameters] = readAs(tags.sequence, identifier);
  const name = digests[readOid(oid)];
  // The one digest whose length is a parameter; all signers that follow the standard write 512.
  const isOtherLength = readOid(oid) === `${nistHash}.18` && readUnsigned(parameters) !== 512n;
  if (!name || isOtherLength) throw undecidable('unknown-digest');
  return name;
}

export function readSignatureAlgorithm(identifier: Element | undefined): SignatureAlgorithm {
  const [oid, parameters] = readAs(tags.sequence, identifier);
  const found = schemes[readOid(oid)];
  if (!found) throw undecidable('unknown-algorithm');
  const [scheme, digest] = found;
  const pss = scheme === 'rsa-pss' ? readPss(parameters) : null;
  return { scheme, digest: pss?.digest ?? digest, pss };
}

/** RFC 4055: SHA-1, a salt of 20 bytes and the trailer 1, unless it says otherwise. */
export function readPss(parameters: Element | undefined): PssParameters {
  const given = new Map(readAs(tags.sequence, parameters).map((part) => [part.tag, part]));
  const inside = (tag: number) => {
    const part = given.get(tag);
    return part && readAs(tag, part)[0];
  };
  const [digest, mask, salt, trailer] = [inside(0xa0), inside(0xa1), inside(0xa2), inside(0xa3)];
  const [maskOid, maskDigest] = mask ? readAs(tags.sequence, mask) : [];
  const isUsual = (!mask || readOid(maskOid) === `${pkcs1}.8`) && (!trailer || readUnsigned(trailer) === 1n);
  const saltLength = salt ? readUnsigned(expectTag(tags.integer, salt)) : 20n;
  if (!isUsual || saltLength > 1024n) throw undecidable('unknown-parameters');
  return {
    digest: digest ? readDigestName(digest) : 'sha1',
    maskDigest: maskDigest ? readDigestName(maskDigest) : 'sha1',
    saltLength: Number(saltLength),
  };
}
