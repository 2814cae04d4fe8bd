import { undecidable } from '../doubt.ts';
import { type Element, expectTag, oid, readAs, readOid, readSequence, readUnsigned, tags } from './asn1.ts';
import type { DigestName } from './digests.ts';

export type Scheme = 'rsa' | 'rsa-pss' | 'ecdsa' | 'ecdsa-plain' | 'ed25519' | 'ed448' | 'dsa';
export type PssParameters = ReturnType<typeof readPss>;
export type SignatureAlgorithm = ReturnType<typeof readSignatureAlgorithm>;

const sha3 = ['sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'] as const;
const sha2 = ['sha224', 'sha256', 'sha384', 'sha512'] as const;
const [pkcs1, nist] = ['1.2.840.113549.1.1', '2.16.840.1.101.3.4'];
const digestsByOid: readonly Family<DigestName>[] = [
  ['1.3.14.3.2', 26, ['sha1']],
  [`${nist}.2`, 1, ['sha256', 'sha384', 'sha512', 'sha224']],
  [`${nist}.2`, 7, [...sha3]],
  [`${nist}.2`, 12, ['shake256']],
  [`${nist}.2`, 18, ['shake256']],
];
/** Where there is no digest, the algorithm leaves it to the one that the signer names. */
const schemesByOid: readonly (readonly [Scheme, ...Family<DigestName | null>])[] = [
  ['rsa', pkcs1, 1, [null]],
  ['rsa', pkcs1, 5, ['sha1']],
  ['rsa', '1.3.14.3.2', 29, ['sha1']],
  ['rsa', pkcs1, 11, ['sha256', 'sha384', 'sha512', 'sha224']],
  ['rsa', `${nist}.3`, 13, sha3],
  ['rsa-pss', pkcs1, 10, [null]],
  ['ecdsa', '1.2.840.10045.2', 1, [null]],
  ['ecdsa', '1.2.840.10045.4', 1, ['sha1']],
  ['ecdsa', '1.2.840.10045.4.3', 1, sha2],
  ['ecdsa', `${nist}.3`, 9, sha3],
  ['ecdsa-plain', '0.4.0.127.0.7.1.1.4.1', 1, ['sha1', ...sha2]],
  ['ecdsa-plain', '0.4.0.127.0.7.1.1.4.1', 8, sha3],
  ['ed25519', '1.3.101', 112, [null]],
  ['ed448', '1.3.101', 113, [null]],
  ['dsa', '1.2.840.10040.4', 1, [null]],
  ['dsa', '1.2.840.10040.4', 3, ['sha1']],
  ['dsa', `${nist}.3`, 1, sha2],
];

/** What stands one after the other in an arc, from a number on. */
type Family<Value> = readonly [arc: string, first: number, values: readonly Value[]];

function namesOf<Value>([arc, first, values]: Family<Value>) {
  return values.map((value, at) => [oid(`${arc}.${first + at}`), value] as const);
}

const digests = new Map(digestsByOid.flatMap(namesOf));
const schemes = new Map(
  schemesByOid.flatMap(([scheme, ...family]) =>
    namesOf(family).map(([name, digest]) => [name, { scheme, digest }] as const),
  ),
);
const [shakeOfLength, maskGeneration] = [oid(`${nist}.2.18`), oid(`${pkcs1}.8`)];

/** As it is written; undefined for one that RSA signatures cannot have. */
export function oidOfDigest(name: DigestName): string | undefined {
  return name === 'shake256' ? undefined : [...digests].find(([, one]) => one === name)?.[0];
}

/** The digest that an algorithm identifier names. */
export function readDigestName(identifier: Element | undefined): DigestName {
  const [type, parameters] = readSequence(identifier);
  const name = digests.get(readOid(type));
  // The one digest whose length is a parameter; all signers that follow the standard write 512.
  const isOtherLength = readOid(type) === shakeOfLength && readUnsigned(parameters) !== 512n;
  if (!name || isOtherLength) throw undecidable('unknown-digest');
  return name;
}

export function readSignatureAlgorithm(identifier: Element | undefined) {
  const [type, parameters] = readSequence(identifier);
  const found = schemes.get(readOid(type));
  if (!found) throw undecidable('unknown-algorithm');
  const pss = found.scheme === 'rsa-pss' ? readPss(parameters) : null;
  return { scheme: found.scheme, digest: pss?.digest ?? found.digest, pss };
}

/** RFC 4055: SHA-1, a salt of 20 bytes and the trailer 1, unless it says otherwise. */
export function readPss(parameters: Element | undefined) {
  const given = new Map(readSequence(parameters).map((part) => [part.tag, part]));
  const inside = (tag: number) => {
    const part = given.get(tag);
    return part && readAs(tag, part)[0];
  };
  const [digest, mask, salt, trailer] = [inside(0xa0), inside(0xa1), inside(0xa2), inside(0xa3)];
  const [maskOid, maskDigest] = mask ? readSequence(mask) : [];
  const isUsual = (!mask || readOid(maskOid) === maskGeneration) && (!trailer || readUnsigned(trailer) === 1n);
  const saltLength = salt ? readUnsigned(expectTag(tags.integer, salt)) : 20n;
  if (!isUsual || saltLength > 1024n) throw undecidable('unknown-parameters');
  return {
    digest: digest ? readDigestName(digest) : ('sha1' as const),
    maskDigest: maskDigest ? readDigestName(maskDigest) : ('sha1' as const),
    saltLength: Number(saltLength),
  };
}
