import type { PdfSignature } from '../../../../../contract/pdf-signatures.ts';
import { broken, orNull, outcomeOf, undecidable } from '../doubt.ts';
import { readDigestName } from './algorithms.ts';
import {
  type Element,
  encodeHeader,
  expectTag,
  malformed,
  oid,
  readChildren,
  readElement,
  readOctets,
  readOid,
  readSequence,
  sameBytes,
  tags,
} from './asn1.ts';
import { readTime } from './asn1-text.ts';
import { type Certificate, emailsOf, nameOf } from './certificates.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { isShort, readPublicKey } from './public-keys.ts';
import {
  type Attributes,
  onlyValue,
  readContents,
  readSignedData,
  type SignedData,
  signingCertificate,
} from './signed-data.ts';
import { verifyValue } from './verify-value.ts';

/** What a signature dictionary names, as the structure found it; the gap between the ranges is checked there. */
export interface SignatureBytes {
  readonly subFilter: string | null;
  /** The bytes of the hexadecimal string /Contents, with the zeros that fill it. */
  readonly contents: Uint8Array;
  /** The bytes of the file that it is about. */
  readonly covered: Pieces;
}

type Told = 'integrity' | 'reason' | 'algorithm' | 'signer' | 'emails' | 'timestamp' | 'weak';

/** What the CMS inside says about itself and about the bytes of the ranges. Times are in UTC to the second. */
export interface SignatureProof extends Pick<PdfSignature, Told> {
  readonly signingTime: string | null;
  readonly hasSigningCertificate: boolean;
}

const signingTimeOid = oid('1.2.840.113549.1.9.5');
const subFilters = ['adbe.pkcs7.detached', 'adbe.pkcs7.sha1', 'ETSI.CAdES.detached', 'ETSI.RFC3161'];

/** What a signature itself proves about the bytes that it covers. Whatever is wrong is in the answer, beside all that could be read nevertheless. */
export function proveSignature(signature: SignatureBytes): SignatureProof {
  let told = nothing;
  const outcome = outcomeOf(() => {
    const signed = readContents(signature.contents);
    told = describe(signed, signature.subFilter);
    prove(signed, signature);
  });
  return { ...told, ...outcome };
}

/** How the bytes are hashed that a signature covers; null where that is not known, so that nothing is proven. */
export function digestOfCovered({ contents, subFilter }: Omit<SignatureBytes, 'covered'>): DigestName | null {
  return orNull(() => {
    if (subFilter === 'adbe.pkcs7.sha1') return 'sha1';
    const signed = readContents(contents);
    return subFilter === 'ETSI.RFC3161' ? readTimestampInfo(signed).digest() : signed.signer.digest();
  });
}

const nothing: Omit<SignatureProof, 'integrity' | 'reason'> = {
  algorithm: null,
  signer: null,
  emails: [],
  signingTime: null,
  timestamp: null,
  hasSigningCertificate: false,
  weak: [],
};

function prove(signed: SignedData, { subFilter, covered }: SignatureBytes): void {
  if (!subFilter || !subFilters.includes(subFilter)) throw undecidable('unknown-kind');
  if (subFilter === 'ETSI.RFC3161') proveTimestamp(signed, covered);
  else if (subFilter === 'adbe.pkcs7.sha1') proveDigest(signed, covered);
  else if (signed.content) throw undecidable('own-content');
  else proveSignedData(signed, covered);
}

/** The old kind signs the digest of the file as its content. */
function proveDigest(signed: SignedData, covered: Pieces): void {
  if (!signed.content) throw undecidable('no-file-digest');
  if (!sameBytes(digestOf('sha1', covered), signed.content)) throw broken('other-digest');
  proveSignedData(signed, [signed.content]);
}

/** All that is read of a signature, whether it holds or not. */
function describe(signed: SignedData, subFilter: string | null): typeof nothing {
  const { signer } = signed;
  const isTimestamp = subFilter === 'ETSI.RFC3161';
  const certificate = signingCertificate(signed);
  const timestamp = isTimestamp
    ? orNull(() => readTimestampInfo(signed).time)
    : (findTimestamps(signed)[0]?.time ?? null);
  const [moment] = signer.signed.get(signingTimeOid) ?? [];
  const digest = orNull(signer.digest);
  const scheme = orNull(signer.algorithm)?.scheme;
  const imprint = isTimestamp ? orNull(() => readTimestampInfo(signed).digest()) : null;
  const key = certificate && orNull(() => readPublicKey(certificate.publicKey));
  const isSha1 = [digest, imprint].includes('sha1') || subFilter === 'adbe.pkcs7.sha1';
  return {
    algorithm: digest && scheme ? `${digest}/${scheme}` : null,
    signer: certificate && orNull(() => nameOf(certificate)),
    emails: (certificate && orNull(() => emailsOf(certificate))) ?? [],
    signingTime: moment ? readTime(moment) : null,
    timestamp,
    hasSigningCertificate: hasSigningCertificate(signer.signed),
    weak: [...(isSha1 ? (['sha1'] as const) : []), ...(key && isShort(key) ? (['short-key'] as const) : [])],
  };
}

const timestampInfoOid = oid('1.2.840.113549.1.9.16.1.4');
const timestampTokenOid = oid('1.2.840.113549.1.9.16.2.14');
/** Honest signatures have one, or two from different authorities. */
const maxTokens = 8;

/** What a timestamp token (RFC 3161) says. */
function readTimestampInfo({ contentType, content }: SignedData) {
  if (contentType !== timestampInfoOid || !content) throw malformed();
  const whole = readElement(content);
  const [version, policy, imprint, serial, moment] = readSequence(whole);
  expectTag(tags.integer, version);
  expectTag(tags.oid, policy);
  expectTag(tags.integer, serial);
  const [digest, hash] = readSequence(imprint);
  const time = readTime(expectTag(0x18, moment));
  if (!time || whole.bytes.length !== content.length) throw malformed();
  return { time, digest: () => readDigestName(digest), imprint: readOctets(hash) };
}

/** Throws unless the token is about these bytes, and signed. */
function proveTimestamp(token: SignedData, pieces: Pieces): void {
  const { digest, imprint } = readTimestampInfo(token);
  if (!sameBytes(digestOf(digest(), pieces), imprint)) throw broken('other-bytes');
  proveSignedData(token, [token.content ?? Buffer.of()]);
}

/** The timestamps of a signature that are about its value and are not broken. A token that comes without its certificate, or with an algorithm that is not known, is there, but not proven. */
export function findTimestamps({ signer, certificates }: SignedData) {
  return (signer.unsigned.get(timestampTokenOid) ?? []).slice(0, maxTokens).flatMap((element) => {
    const found = orNull(() => {
      const own = readSignedData(element);
      const { time, digest, imprint } = readTimestampInfo(own);
      const token = { ...own, certificates: [...own.certificates, ...certificates] };
      return sameBytes(digestOf(digest(), [signer.value]), imprint) ? { token, time } : null;
    });
    if (!found) return [];
    const { integrity } = outcomeOf(() => proveTimestamp(found.token, [signer.value]));
    return integrity === 'broken' ? [] : [{ ...found, isProven: integrity === 'intact' }];
  });
}

const [contentTypeOid, messageDigestOid] = [oid('1.2.840.113549.1.9.3'), oid('1.2.840.113549.1.9.4')];
/** The certificate that the signer meant, by its digest, in its two versions. */
const signingCertificateOids = [
  [oid('1.2.840.113549.1.9.16.2.12'), 'sha1'],
  [oid('1.2.840.113549.1.9.16.2.47'), 'sha256'],
] as const;

/** Throws unless the content has the digest that was signed, and the signature value belongs to what was signed and to the key of the certificate that the signer names. Says nothing about who trusts that certificate, or for how long it is valid. */
function proveSignedData(signed: SignedData, content: Pieces): void {
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

function hasSigningCertificate(attributes: Attributes): boolean {
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
