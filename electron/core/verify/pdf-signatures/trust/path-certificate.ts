import { readSignatureAlgorithm } from '../cms/algorithms.ts';
import type { Element } from '../cms/asn1.ts';
import { expectTag, oid, readElement, readOid, readSequence, readUnsigned, sameBytes, tags } from '../cms/asn1.ts';
import { readTime } from '../cms/asn1-text.ts';
import { keyIdentifierOid, otherNamesOid, readCertificate, readExtensions, type Signed } from '../cms/certificates.ts';
import { isShort, readPublicKey } from '../cms/public-keys.ts';
import { verifyValue } from '../cms/verify-value.ts';
import { Refusal, Unproven } from '../doubt.ts';
import { keyOf, readName } from './names.ts';

/** A certificate with all that a path check looks at (RFC 5280). */
export type PathCertificate = ReturnType<typeof readPathCertificate>;

export const oids = {
  keyIdentifier: keyIdentifierOid,
  keyUsage: oid('2.5.29.15'),
  alternativeNames: otherNamesOid,
  basicConstraints: oid('2.5.29.19'),
  nameConstraints: oid('2.5.29.30'),
  distributionPoints: oid('2.5.29.31'),
  policies: oid('2.5.29.32'),
  policyMappings: oid('2.5.29.33'),
  authorityKey: oid('2.5.29.35'),
  policyConstraints: oid('2.5.29.36'),
  purposes: oid('2.5.29.37'),
  inhibitAnyPolicy: oid('2.5.29.54'),
} as const;

/** What a key is for beside documents. */
export const purposes = {
  servers: oid('1.3.6.1.5.5.7.3.1'),
  programs: oid('1.3.6.1.5.5.7.3.3'),
  timestamps: oid('1.3.6.1.5.5.7.3.8'),
  revocationAnswers: oid('1.3.6.1.5.5.7.3.9'),
} as const;

/** Positions in the bits of the key’s usage. */
export const usages = { signature: 0, commitment: 1, certificates: 5, lists: 6 } as const;

export function readPathCertificate(bytes: Uint8Array) {
  const certificate = readCertificate(readElement(bytes));
  const { body, algorithm, value, ownAlgorithm, extensions } = certificate;
  // RFC 5280, 4.1.1.2: otherwise the algorithm could be exchanged behind the signature.
  if (!ownAlgorithm || !sameBytes(ownAlgorithm.bytes, algorithm.bytes)) throw unreadable();
  const [from, until] = readSequence(certificate.validity).map(readTime);
  if (!from || !until) throw unreadable();
  const subject = readName(certificate.subject.bytes);
  const issuer = keyOf(readName(certificate.issuer));
  return {
    body,
    algorithm,
    value,
    certificate,
    issuer,
    subject,
    subjectKey: keyOf(subject),
    from,
    until,
    extensions,
    /** The same for the same bytes. */
    id: Buffer.from(certificate.bytes).toString('latin1'),
  };
}

/** Whether the key of a certificate signed it. Broken digests and short keys make no path. */
export function isSignedWith({ body, algorithm, value }: Signed, { certificate }: PathCertificate): boolean {
  try {
    const scheme = readSignatureAlgorithm(algorithm);
    const key = readPublicKey(certificate.publicKey);
    const digest = scheme.digest ?? (key.kind.startsWith('ed') ? 'sha512' : null);
    if (!digest || digest === 'sha1') throw new Refusal('A certificate is signed with an algorithm that is too weak.');
    if (isShort(key)) throw new Refusal('An authority has a key that is too short.');
    return verifyValue(value, key, scheme, digest, [body.bytes]);
  } catch (error) {
    throw error instanceof Unproven ? new Refusal('A certificate is signed in a way that is not known here.') : error;
  }
}

/** Whether the key may be used so; without a word on it, it may. */
export function mayBeUsedFor({ extensions }: PathCertificate, ...wanted: readonly number[]): boolean {
  const usage = extensions.get(oids.keyUsage);
  if (!usage) return true;
  const { content } = expectTag(tags.bits, readElement(usage.value));
  return wanted.some((bit) => ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Null where the certificate names no purposes. */
export function purposesOf({ extensions }: PathCertificate): readonly string[] | null {
  const named = extensions.get(oids.purposes);
  return named ? readSequence(readElement(named.value)).map(readOid) : null;
}

/** Whether it is an authority, and how many others may follow; a limit that is none is none at all. */
export function readAuthority({ extensions }: PathCertificate) {
  const constraints = extensions.get(oids.basicConstraints);
  if (!constraints) return { isAuthority: false, most: 0 };
  const [flag, most] = readSequence(readElement(constraints.value));
  return { isAuthority: isTrue(flag), most: most ? Number(readUnsigned(most)) : Number.POSITIVE_INFINITY };
}

/** A flag that is set; one that is left out is not. */
export const isTrue = (flag: Element | undefined): boolean => flag?.tag === 0x01 && flag.content[0] !== 0;

export function hasCritical(wrapped: Element | undefined): boolean {
  return [...readExtensions(wrapped).values()].some(({ isCritical }) => isCritical);
}

const unreadable = () => new Refusal('A certificate cannot be read.');
