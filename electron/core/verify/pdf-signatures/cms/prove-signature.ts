import { broken, Unproven, undecidable } from '../doubt.ts';
import type { SignatureBytes, SignatureProof } from '../signature-value.ts';
import { sameBytes } from './asn1.ts';
import { type Certificate, emailsOf, nameOf } from './certificates.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { proveSignedData } from './prove-signed-data.ts';
import { isShort, readPublicKey } from './public-keys.ts';
import { hasSigningCertificate, signedTime } from './signed-attributes.ts';
import { readContents, type SignedData, signingCertificate } from './signed-data.ts';
import { findTimestamps, proveTimestamp, readTimestampInfo } from './timestamps.ts';

const subFilters = ['adbe.pkcs7.detached', 'adbe.pkcs7.sha1', 'ETSI.CAdES.detached', 'ETSI.RFC3161'];

/** What a signature itself proves about the bytes that it covers. Whatever is wrong is in the answer, beside all that could be read nevertheless. */
export function proveSignature(signature: SignatureBytes): SignatureProof {
  let proof = nothing;
  try {
    const signed = readContents(signature.contents);
    proof = describe(signed, signature.subFilter);
    prove(signed, signature);
    return { ...proof, integrity: 'intact', reason: null };
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    return { ...proof, integrity: error.integrity, reason: error.message };
  }
}

/** How the bytes are hashed that a signature covers; null where that is not known, so that nothing is proven. */
export function digestOfCovered({ contents, subFilter }: Omit<SignatureBytes, 'covered'>): DigestName | null {
  return orNull(() => {
    if (subFilter === 'adbe.pkcs7.sha1') return 'sha1';
    const signed = readContents(contents);
    return subFilter === 'ETSI.RFC3161' ? readTimestampInfo(signed).digest() : signed.signer.digest();
  });
}

const nothing: SignatureProof = {
  integrity: 'undecidable',
  reason: null,
  algorithm: null,
  signer: null,
  emails: [],
  signingTime: null,
  timestamp: null,
  hasTimestamp: false,
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
function describe(signed: SignedData, subFilter: string | null): SignatureProof {
  const { signer } = signed;
  const isTimestamp = subFilter === 'ETSI.RFC3161';
  const certificate = signingCertificate(signed);
  const timestamp = isTimestamp
    ? orNull(() => readTimestampInfo(signed).time)
    : (findTimestamps(signed)[0]?.time ?? null);
  const digest = orNull(signer.digest);
  const scheme = orNull(signer.algorithm)?.scheme;
  const imprint = isTimestamp ? orNull(() => readTimestampInfo(signed).digest()) : null;
  const isSha1 = [digest, imprint].includes('sha1') || subFilter === 'adbe.pkcs7.sha1';
  return {
    ...nothing,
    algorithm: digest && scheme ? `${digest}/${scheme}` : null,
    signer: certificate && orNull(() => nameOf(certificate)),
    emails: (certificate && orNull(() => emailsOf(certificate))) ?? [],
    signingTime: signedTime(signer.signed),
    timestamp,
    hasTimestamp: timestamp !== null,
    hasSigningCertificate: hasSigningCertificate(signer.signed),
    weak: [...(isSha1 ? (['sha1'] as const) : []), ...(hasShortKey(certificate) ? (['short-key'] as const) : [])],
  };
}

function hasShortKey(certificate: Certificate | null): boolean {
  return certificate !== null && (orNull(() => isShort(readPublicKey(certificate.publicKey))) ?? false);
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unproven) return null;
    throw error;
  }
}
