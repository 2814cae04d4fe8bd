import { broken, orNull, outcomeOf } from '../doubt.ts';
import { readDigestName } from './algorithms.ts';
import { expectTag, malformed, oid, readElement, readOctets, readSequence, sameBytes, tags } from './asn1.ts';
import { readTime } from './asn1-text.ts';
import { digestOf, type Pieces } from './digests.ts';
import { proveSignedData } from './prove-signed-data.ts';
import { readSignedData, type SignedData } from './signed-data.ts';

const timestampInfoOid = oid('1.2.840.113549.1.9.16.1.4');
const timestampTokenOid = oid('1.2.840.113549.1.9.16.2.14');
/** Honest signatures have one, or two from different authorities. */
const maxTokens = 8;

/** What a timestamp token (RFC 3161) says. */
export function readTimestampInfo({ contentType, content }: SignedData) {
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
export function proveTimestamp(token: SignedData, pieces: Pieces): void {
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
