import { broken, Unproven } from '../doubt.ts';
import { readDigestName } from './algorithms.ts';
import { expectTag, malformed, readAs, readElement, readOctets, sameBytes, tags } from './asn1.ts';
import { readTime } from './asn1-text.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { proveSignedData } from './prove-signed-data.ts';
import { readSignedData, type SignedData } from './signed-data.ts';

/** What a timestamp token (RFC 3161) says. */
export interface TimestampInfo {
  readonly time: string;
  readonly digest: () => DigestName;
  readonly imprint: Uint8Array;
}

const timestampInfoOid = '1.2.840.113549.1.9.16.1.4';
const timestampTokenOid = '1.2.840.113549.1.9.16.2.14';
/** Honest signatures have one, or two from different authorities. */
const maxTokens = 8;

export function readTimestampInfo({ contentType, content }: SignedData): TimestampInfo {
  if (contentType !== timestampInfoOid || !content) throw malformed();
  const whole = readElement(content);
  const [version, policy, imprint, serial, moment] = readAs(tags.sequence, whole);
  expectTag(tags.integer, version);
  expectTag(tags.oid, policy);
  expectTag(tags.integer, serial);
  const [digest, hash] = readAs(tags.sequence, imprint);
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

export interface Timestamp {
  readonly token: SignedData;
  readonly time: string;
  readonly isProven: boolean;
}

/**
 * The timestamps of a signature that are about its value and are not broken. A token that comes without its certificate, or with an algorithm that is not known, is there,
 * but not proven.
 */
export function findTimestamps({ signer, certificates }: SignedData): Timestamp[] {
  return (signer.unsigned.get(timestampTokenOid) ?? []).slice(0, maxTokens).flatMap((element) => {
    try {
      const own = readSignedData(element);
      const { time, digest, imprint } = readTimestampInfo(own);
      if (!sameBytes(digestOf(digest(), [signer.value]), imprint)) return [];
      const token = { ...own, certificates: [...own.certificates, ...certificates] };
      const integrity = integrityOf(token);
      return integrity === 'broken' ? [] : [{ token, time, isProven: integrity === 'intact' }];
    } catch (error) {
      if (error instanceof Unproven) return [];
      throw error;
    }
  });
}

function integrityOf(token: SignedData): 'intact' | Unproven['integrity'] {
  try {
    proveSignedData(token, [token.content ?? Buffer.of()]);
    return 'intact';
  } catch (error) {
    if (error instanceof Unproven) return error.integrity;
    throw error;
  }
}
