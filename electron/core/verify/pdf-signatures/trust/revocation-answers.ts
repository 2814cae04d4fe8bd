import { readDigestName } from '../cms/algorithms.ts';
import type { Element } from '../cms/asn1.ts';
import {
  expectTag,
  oid,
  readAs,
  readBits,
  readElement,
  readOctets,
  readOid,
  readSequence,
  sameBytes,
  tags,
} from '../cms/asn1.ts';
import { readTime } from '../cms/asn1-text.ts';
import { readSigned } from '../cms/certificates.ts';
import { digestOf } from '../cms/digests.ts';
import { keyOf, readName } from './names.ts';
import { hasCritical, type PathCertificate } from './path-certificate.ts';

/** An answer of an OCSP service (RFC 6960). */
export type RevocationAnswer = NonNullable<ReturnType<typeof readRevocationAnswer>>;

const basicAnswer = oid('1.3.6.1.5.5.7.48.1.1');
/** Services answer about one certificate, or a few. */
const maxSingle = 100;

/** With its envelope, as files hold it; null for an error of the service. */
export function readRevocationAnswer(element: Element) {
  const [, wrapped] = readSequence(element);
  const [type, octets] = wrapped ? readSequence(readAs(0xa0, wrapped)[0]) : [];
  if (!type || readOid(type) !== basicAnswer) return null;
  const basic = readElement(readOctets(octets));
  const signed = readSigned(basic);
  const certificates = readSequence(basic)[3];
  const parts = readSequence(signed.body);
  const [responder, , single, extra] = parts[0]?.tag === 0xa0 ? parts.slice(1) : parts;
  if (!responder || hasCritical(extra)) return null;
  return {
    ...signed,
    responder,
    certificates: certificates ? readSequence(readAs(0xa0, certificates)[0]) : [],
    single: readSequence(single).slice(0, maxSingle),
  };
}

/** What is answered about a certificate of this issuer. */
export function askAnswer({ single }: RevocationAnswer, asked: PathCertificate, issuer: PathCertificate) {
  for (const one of single) {
    const [identifier, status, moment, ...more] = readSequence(one);
    const thisUpdate = moment && readTime(moment);
    const isUnknown = hasCritical(more.find(({ tag }) => tag === 0xa1));
    if (!status || !thisUpdate || isUnknown || !isAbout(identifier, asked, issuer)) continue;
    const next = more.find(({ tag }) => tag === 0xa0);
    const until = next && readAs(0xa0, next)[0];
    const about = { thisUpdate, nextUpdate: (until && readTime(until)) ?? null };
    if (status.tag === 0x80) return { ...about, state: 'good' as const, at: thisUpdate };
    if (status.tag !== 0xa1) continue;
    const since = readAs(0xa1, status)[0];
    return { ...about, state: 'revoked' as const, at: (since && readTime(since)) ?? thisUpdate };
  }
  return null;
}

/** Whether the answer says that this certificate’s key signed it. */
export function isResponder({ responder }: RevocationAnswer, { certificate, subjectKey }: PathCertificate): boolean {
  const [inner] = readAs(responder.tag, responder);
  if (responder.tag === 0xa1) return inner !== undefined && keyOf(readName(inner.bytes)) === subjectKey;
  const hash = digestOf('sha1', [readKey(certificate.publicKey)]);
  return responder.tag === 0xa2 && sameBytes(readOctets(inner), hash);
}

function isAbout(identifier: Element | undefined, asked: PathCertificate, issuer: PathCertificate): boolean {
  const [algorithm, name, key, serial] = readSequence(identifier);
  if (!sameBytes(expectTag(tags.integer, serial).content, asked.certificate.serial)) return false;
  const digest = readDigestName(algorithm);
  return (
    sameBytes(readOctets(name), digestOf(digest, [asked.certificate.issuer])) &&
    sameBytes(readOctets(key), digestOf(digest, [readKey(issuer.certificate.publicKey)]))
  );
}

const readKey = (information: Element) => readBits(readSequence(information)[1]);
