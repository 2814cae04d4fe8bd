import { broken, undecidable } from '../doubt.ts';
import { readDigestName } from './algorithms.ts';
import type { Element } from './asn1.ts';
import { encodeHeader, oid, readChildren, readOctets, readOid, readSequence, sameBytes, tags } from './asn1.ts';
import type { Certificate } from './certificates.ts';
import { digestOf, type Pieces } from './digests.ts';
import { readPublicKey } from './public-keys.ts';
import { type Attributes, onlyValue, type SignedData, signingCertificate } from './signed-data.ts';
import { verifyValue } from './verify-value.ts';

const [contentTypeOid, messageDigestOid] = [oid('1.2.840.113549.1.9.3'), oid('1.2.840.113549.1.9.4')];
/** The certificate that the signer meant, by its digest, in its two versions. */
const signingCertificateOids = [
  [oid('1.2.840.113549.1.9.16.2.12'), 'sha1'],
  [oid('1.2.840.113549.1.9.16.2.47'), 'sha256'],
] as const;

/** Throws unless the content has the digest that was signed, and the signature value belongs to what was signed and to the key of the certificate that the signer names. Says nothing about who trusts that certificate, or for how long it is valid. */
export function proveSignedData(signed: SignedData, content: Pieces): void {
  const { signer } = signed;
  const { signedAttributes } = signer;
  const digest = signer.digest();
  if (signedAttributes) {
    const contentType = onlyValue(signer.signed, contentTypeOid);
    if (!contentType) throw broken('no-content-type');
    if (readOid(contentType) !== signed.contentType) throw broken('other-content-type');
    const wanted = onlyValue(signer.signed, messageDigestOid);
    if (!wanted) throw broken('no-digest');
    if (!sameBytes(digestOf(digest, content), readOctets(wanted))) throw broken('other-digest');
  }
  const certificate = signingCertificate(signed);
  if (!certificate) throw undecidable('no-certificate');
  if (!isSignedCertificate(signer.signed, certificate)) throw broken('other-certificate');
  const key = readPublicKey(certificate.publicKey);
  const algorithm = signer.algorithm();
  const forms = signedAttributes ? signedForms(signedAttributes).map((form) => [form]) : [content];
  for (const form of forms) if (verifyValue(signer.value, key, algorithm, digest, form)) return;
  if (signedAttributes && !isDefinite(signedAttributes)) throw undecidable('open-lengths');
  throw broken('other-value');
}

export function hasSigningCertificate(attributes: Attributes): boolean {
  return signingCertificateOids.some(([name]) => attributes.has(name));
}

/** RFC 5035: the first certificate that a signing-certificate attribute names is the signer’s, by its digest. */
function isSignedCertificate(attributes: Attributes, { bytes }: Certificate): boolean {
  return signingCertificateOids.every(([name, usual]) => {
    const value = onlyValue(attributes, name);
    if (!value) return true;
    const [first, second] = readSequence(readSequence(readSequence(value)[0])[0]);
    const isNamed = first?.tag === tags.sequence;
    const digest = isNamed ? readDigestName(first) : usual;
    return sameBytes(digestOf(digest, [bytes]), readOctets(isNamed ? second : first));
  });
}

/** The forms in which the attributes may have been signed: as a SET as they stand, and, where they do not stand as DER has them, in its order. Both hold the same. */
function signedForms(attributes: Element): Uint8Array[] {
  const children = readChildren(attributes).map(({ bytes }) => bytes);
  const [asStands, inOrder] = [asSet(children), asSet(children.toSorted(Buffer.compare))];
  return sameBytes(asStands, inOrder) ? [asStands] : [asStands, inOrder];
}

/** In DER every length is told; what an attribute without looked like when it was signed cannot be known. Looks no deeper than attributes of our time go. */
function isDefinite(parent: Element, levels = 4): boolean {
  if (levels === 0 || !(parent.tag & 0x20)) return true;
  return readChildren(parent).every((child) => !child.isIndefinite && isDefinite(child, levels - 1));
}

function asSet(children: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(children);
  return Buffer.concat([encodeHeader(tags.set, content.length), content]);
}
