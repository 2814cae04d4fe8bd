import { broken, undecidable } from '../doubt.ts';
import { readOid, sameBytes } from './asn1.ts';
import { digestOf, type Pieces } from './digests.ts';
import { readPublicKey } from './public-keys.ts';
import { isDefinite, isSignedCertificate, signedContentType, signedDigest, signedForms } from './signed-attributes.ts';
import { type SignedData, signingCertificate } from './signed-data.ts';
import { verifyValue } from './verify-value.ts';

/**
 * Throws unless the content has the digest that was signed, and the signature value belongs to what was signed and to the key of the certificate that the signer
 * names. Says nothing about who trusts that certificate, or for how long it is valid.
 */
export function proveSignedData(signed: SignedData, content: Pieces): void {
  const { signer } = signed;
  const { signedAttributes } = signer;
  const digest = signer.digest();
  if (signedAttributes) {
    if (readOid(signedContentType(signer.signed)) !== signed.contentType) throw broken('other-content-type');
    const wanted = signedDigest(signer.signed);
    if (!sameBytes(digestOf(digest, content), wanted)) throw broken('other-digest');
  }
  const certificate = signingCertificate(signed);
  if (!certificate) throw undecidable('no-certificate');
  if (!isSignedCertificate(signer.signed, certificate)) throw broken('other-certificate');
  const key = readPublicKey(certificate.publicKey);
  const value = { algorithm: signer.algorithm(), digest, key, value: signer.value };
  const forms = signedAttributes ? signedForms(signedAttributes).map((form) => [form]) : [content];
  for (const form of forms) if (verifyValue(value, form)) return;
  if (signedAttributes && !isDefinite(signedAttributes)) throw undecidable('open-lengths');
  throw broken('other-value');
}
