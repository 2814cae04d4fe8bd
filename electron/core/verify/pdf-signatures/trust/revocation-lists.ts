import { type Element, oid, readAs, readElement, readSequence, sameBytes, tags } from '../cms/asn1.ts';
import { readTime } from '../cms/asn1-text.ts';
import { type Extensions, readExtensions, readSigned } from '../cms/certificates.ts';
import { keyOf, readName } from './names.ts';
import { isTrue, oids, type PathCertificate, readAuthority } from './path-certificate.ts';

/** What a file holds about revoked certificates, before anybody asked whether it counts. */
export interface Finding {
  readonly state: 'good' | 'revoked';
  /** When it was revoked; of a good one, when that was so. */
  readonly at: string;
}

/** A list of revoked certificates (RFC 5280, 5). */
export type RevocationList = NonNullable<ReturnType<typeof readRevocationList>>;

const distributionPoint = oid('2.5.29.28');
const deltaIndicator = oid('2.5.29.27');

export function readRevocationList(element: Element) {
  const signed = readSigned(element);
  const parts = readSequence(signed.body);
  const [, issuer, first, ...more] = parts[0]?.tag === tags.integer ? parts.slice(1) : parts;
  const thisUpdate = first ? readTime(first) : null;
  const nextUpdate = more[0] ? readTime(more[0]) : null;
  if (!issuer || !thisUpdate) return null;
  const rest = nextUpdate === null ? more : more.slice(1);
  const extensions = readExtensions(rest.find(({ tag }) => tag === 0xa0));
  const entries = rest.find(({ tag }) => tag === tags.sequence)?.content ?? new Uint8Array();
  let isUnderstood: boolean | undefined;
  return {
    ...signed,
    thisUpdate,
    nextUpdate,
    extensions,
    entries,
    issuer: keyOf(readName(issuer.bytes)),
    /** Says only what changed since another list. */
    isDelta: extensions.has(deltaIndicator),
    /** Asked once: a national list has a million entries. */
    isUnderstood: () => {
      isUnderstood ??= !hasCriticalEntry(entries);
      return isUnderstood;
    },
  };
}

/** What the list says about a certificate of its issuer; null if it is not about such certificates, or not to be understood. */
export function askList(list: RevocationList, asked: PathCertificate): Finding | null {
  const { extensions, thisUpdate, entries } = list;
  const isUnknown = [...extensions].some(([name, { isCritical }]) => isCritical && name !== distributionPoint);
  if (list.isDelta || isUnknown || !isInScope(extensions.get(distributionPoint), asked) || !list.isUnderstood())
    return null;
  const { serial } = asked.certificate;
  // Gone through only where the number occurs at all.
  if (Buffer.from(entries.buffer, entries.byteOffset, entries.length).includes(Buffer.from(serial)))
    for (const [number, date] of entriesOf(entries))
      if (number && sameBytes(number.content, serial))
        return { state: 'revoked', at: (date && readTime(date)) ?? thisUpdate };
  return { state: 'good', at: thisUpdate };
}

function* entriesOf(content: Uint8Array): Generator<readonly Element[]> {
  for (let rest = content; rest.length > 0; ) {
    const entry = readElement(rest);
    rest = rest.subarray(entry.bytes.length);
    yield readSequence(entry);
  }
}

/** An entry with a critical extension may be about a certificate of another issuer, and so may those behind it. */
function hasCriticalEntry(entries: Uint8Array): boolean {
  for (const [, , extra] of entriesOf(entries))
    if (extra && readSequence(extra).some((extension) => isTrue(readSequence(extension)[1]))) return true;
  return false;
}

/** RFC 5280, 5.2.5. Lists for some reasons alone, of other issuers or of attributes are not used. */
function isInScope(point: ReturnType<Extensions['get']>, asked: PathCertificate): boolean {
  if (!point) return true;
  const parts = new Map(readSequence(readElement(point.value)).map((part) => [part.tag, part]));
  const isSet = (tag: number) => (parts.get(tag)?.content[0] ?? 0) !== 0;
  if (parts.has(0xa3) || parts.has(0x83) || isSet(0x84) || isSet(0x85)) return false;
  const { isAuthority } = readAuthority(asked);
  if ((isSet(0x81) && isAuthority) || (isSet(0x82) && !isAuthority)) return false;
  const named = parts.get(0xa0);
  if (!named) return true;
  const own = asked.extensions.get(oids.distributionPoints);
  const names = namesIn(named).map(({ bytes }) => bytes);
  const wanted = own ? readSequence(readElement(own.value)).flatMap(namesOfPoint) : [];
  return wanted.some(({ bytes }) => names.some((name) => sameBytes(name, bytes)));
}

/** A point for some reasons alone, or with lists of another issuer, is none that is used here. */
function namesOfPoint(point: Element): readonly Element[] {
  const parts = readSequence(point);
  const [name] = parts;
  return parts.length === 1 && name?.tag === 0xa0 ? namesIn(name) : [];
}

/** Full names only; one relative to the issuer’s is not compared. */
function namesIn(point: Element): readonly Element[] {
  const [full] = readAs(0xa0, point);
  return full?.tag === 0xa0 ? readAs(0xa0, full) : [];
}
