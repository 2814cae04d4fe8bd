import { readDigestName } from './algorithms.ts';
import { expectTag, malformed, readAs, readElement, readOctets, sameBytes, tags } from './asn1.ts';
import { readTime } from './asn1-text.ts';
import { type DigestName, digestOf, type Pieces } from './digests.ts';
import { proveSignedData } from './prove-signed-data.ts';
import { readSignedData, type SignedData } from './signed-data.ts';
import { broken, Unproven } from './unproven.ts';

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
  if (!sameBytes(digestOf(digest(), pieces), imprint)) throw broken('The timestamp is about other bytes.');
  proveSignedData(token, [token.content ?? Buffer.of()]);
}

/**
 * The time of the first timestamp of a signature that is about its value and is not broken. A token that comes without its certificate, or with an algorithm that is not
 * known, counts: it is there, as the level of a signature says no more.
 */
export function findTimestamp({ signer, certificates }: SignedData): string | null {
  for (const element of (signer.unsigned.get(timestampTokenOid) ?? []).slice(0, maxTokens)) {
    try {
      const token = readSignedData(element);
      const { time, digest, imprint } = readTimestampInfo(token);
      if (!sameBytes(digestOf(digest(), [signer.value]), imprint)) continue;
      const isBroken = isBrokenToken({ ...token, certificates: [...token.certificates, ...certificates] });
      if (!isBroken) return time;
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
    }
  }
  return null;
}

function isBrokenToken(token: SignedData): boolean {
  try {
    proveSignedData(token, [token.content ?? Buffer.of()]);
    return false;
  } catch (error) {
    if (error instanceof Unproven) return error.integrity === 'broken';
    throw error;
  }
}
