import { broken } from '../doubt.ts';
import { readDigestName } from './algorithms.ts';
import { type Element, encodeHeader, expectTag, readAs, readChildren, readOctets, sameBytes, tags } from './asn1.ts';
import { readTime } from './asn1-text.ts';
import type { Certificate } from './certificates.ts';
import { type DigestName, digestOf } from './digests.ts';
import { type Attributes, onlyValue } from './signed-data.ts';

const pkcs9 = '1.2.840.113549.1.9';
const contentTypeOid = `${pkcs9}.3`;
const messageDigestOid = `${pkcs9}.4`;
const signingTimeOid = `${pkcs9}.5`;
const signingCertificateOid = `${pkcs9}.16.2.12`;
const signingCertificateV2Oid = `${pkcs9}.16.2.47`;

/** The digest of the content that the signer signed. */
export function signedDigest(attributes: Attributes): Uint8Array {
  const value = onlyValue(attributes, messageDigestOid);
  if (!value) throw broken('no-digest');
  return readOctets(value);
}

export function signedContentType(attributes: Attributes): Element {
  const value = onlyValue(attributes, contentTypeOid);
  if (!value) throw broken('no-content-type');
  return expectTag(tags.oid, value);
}

export function signedTime(attributes: Attributes): string | null {
  const [value] = attributes.get(signingTimeOid) ?? [];
  return value ? readTime(value) : null;
}

export function hasSigningCertificate(attributes: Attributes): boolean {
  return attributes.has(signingCertificateOid) || attributes.has(signingCertificateV2Oid);
}

/** RFC 5035: the first certificate that a signing-certificate attribute names is the signer’s, by its digest. */
export function isSignedCertificate(attributes: Attributes, { bytes }: Certificate): boolean {
  for (const oid of [signingCertificateOid, signingCertificateV2Oid]) {
    const value = onlyValue(attributes, oid);
    if (!value) continue;
    const named = readAs(tags.sequence, readAs(tags.sequence, readAs(tags.sequence, value)[0])[0]);
    const [digest, hash] = namedDigest(named, oid === signingCertificateOid ? 'sha1' : 'sha256');
    if (!sameBytes(digestOf(digest, [bytes]), readOctets(hash))) return false;
  }
  return true;
}

function namedDigest([first, second]: readonly Element[], usual: DigestName): [DigestName, Element | undefined] {
  return first?.tag === tags.sequence ? [readDigestName(first), second] : [usual, first];
}

/**
 * The forms in which the attributes may have been signed: as a SET as they stand, and, where they do not stand as DER has them, in its order. Both hold the same.
 */
export function signedForms(attributes: Element): Uint8Array[] {
  const children = readChildren(attributes).map(({ bytes }) => bytes);
  const sorted = children.toSorted(Buffer.compare);
  const asStands = asSet(children);
  const inOrder = asSet(sorted);
  return sameBytes(asStands, inOrder) ? [asStands] : [asStands, inOrder];
}

/** In DER every length is told; what an attribute without looked like when it was signed cannot be known. Looks no deeper than attributes of our time go. */
export function isDefinite(parent: Element, levels = 4): boolean {
  if (levels === 0 || !(parent.tag & 0x20)) return true;
  return readChildren(parent).every((child) => !child.isIndefinite && isDefinite(child, levels - 1));
}

function asSet(children: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(children);
  return Buffer.concat([encodeHeader(tags.set, content.length), content]);
}
