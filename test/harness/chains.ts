import { createHash, randomBytes, sign } from 'node:crypto';
import { der, integer, oid, sequence, setOf, text, time } from './der.ts';
import { type KeyPair, makeKey, type Signer } from './signers.ts';

/** Somebody with a certificate that an authority issued; whoever has one can be an authority too. */
export interface Issued extends Signer {
  readonly subject: Buffer;
  readonly pair: KeyPair;
}

export interface IssueWanted {
  readonly name: string;
  /** Issued by itself without one. */
  readonly by?: Issued;
  readonly from?: string;
  readonly until?: string;
  readonly pair?: KeyPair;
  /** An authority, with how many below it, or with any number. */
  readonly authority?: boolean | number;
  /** The first byte of the bits. */
  readonly usage?: number;
  readonly purposes?: readonly string[];
  /** Further extensions. */
  readonly extensions?: readonly Buffer[];
  /** The issuer’s name in the certificate, where it is not that of the issuer. */
  readonly issuerName?: Buffer;
  readonly subject?: Buffer;
  readonly serial?: Buffer;
  /** Of the signature of the certificate. */
  readonly digest?: string;
}

export const usage = { signature: 0x80, certificates: 0x04, lists: 0x02 } as const;
export const nameOf = (name: string) => sequence(setOf(sequence(oid('2.5.4.3'), text(name))));

export function extension(type: string, value: Buffer, isCritical = false): Buffer {
  return sequence(oid(type), ...(isCritical ? [der(0x01, Buffer.of(0xff))] : []), der(0x04, value));
}

/** A certificate of a key on P-256, made anew. */
export function issue(wanted: IssueWanted): Issued {
  const { name, by, authority = false, pair = makeKey('p256'), digest = 'sha256' } = wanted;
  const { from = '2020-01-01T00:00:00Z', until = '2049-01-01T00:00:00Z' } = wanted;
  const subject = wanted.subject ?? nameOf(name);
  const issuer = wanted.issuerName ?? by?.subject ?? subject;
  const serial = wanted.serial ?? der(0x02, Buffer.of(0x40), randomBytes(7));
  const key = pair.publicKey.export({ type: 'spki', format: 'der' });
  const keyIdentifier = createHash('sha1').update(key).digest();
  const limit = typeof authority === 'number' ? [integer(authority)] : [];
  const bits = wanted.usage ?? (authority === false ? usage.signature : usage.certificates | usage.lists);
  const extensions = [
    extension('2.5.29.14', der(0x04, keyIdentifier)),
    extension('2.5.29.15', der(0x03, Buffer.of(0, bits)), true),
    ...(authority === false ? [] : [extension('2.5.29.19', sequence(der(0x01, Buffer.of(0xff)), ...limit), true)]),
    ...(wanted.purposes ? [extension('2.5.29.37', sequence(...wanted.purposes.map(oid)))] : []),
    ...(wanted.extensions ?? []),
  ];
  const body = sequence(
    ...[der(0xa0, integer(2)), serial, algorithm(digest), issuer],
    sequence(time(new Date(from)), time(new Date(until))),
    ...[subject, key, der(0xa3, sequence(...extensions))],
  );
  const own = { pair, subject, algorithm };
  return {
    ...own,
    name,
    issuer,
    serial,
    keyIdentifier,
    certificate: signedBy(by?.pair ?? pair, body, digest),
    sign: (kind, bytes) => sign(kind, bytes, pair.privateKey),
  };
}

/** A list of revoked certificates, with the extensions of the list itself. */
export function revocationList(wanted: {
  readonly by: Issued;
  readonly revoked?: readonly { readonly who: Issued; readonly at: string; readonly extensions?: readonly Buffer[] }[];
  readonly at?: string;
  readonly until?: string;
  readonly extensions?: readonly Buffer[];
}): Buffer {
  const { by, revoked = [], at = '2026-03-10T00:00:00Z', until, extensions = [] } = wanted;
  const entries = revoked.map((one) =>
    sequence(one.who.serial, time(new Date(one.at)), ...(one.extensions ? [sequence(...one.extensions)] : [])),
  );
  const body = sequence(
    ...[integer(1), algorithm('sha256'), by.subject, time(new Date(at))],
    ...(until ? [time(new Date(until))] : []),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    ...(extensions.length > 0 ? [der(0xa0, sequence(...extensions))] : []),
  );
  return signedBy(by.pair, body, 'sha256');
}

/** An answer of an OCSP service. */
export function revocationAnswer(wanted: {
  readonly about: Issued;
  readonly issuer: Issued;
  /** Who signs it, if not the issuer. */
  readonly by?: Issued;
  readonly at?: string;
  readonly revokedAt?: string;
}): Buffer {
  const { about, issuer, by = issuer, at = '2026-03-10T00:00:00Z', revokedAt } = wanted;
  const bitsOf = (one: Issued) => one.pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  const hash = (bytes: Buffer) => der(0x04, createHash('sha1').update(bytes).digest());
  const identifier = sequence(
    ...[sequence(oid('1.3.14.3.2.26'), der(0x05)), hash(issuer.subject), hash(bitsOf(issuer)), about.serial],
  );
  const status = revokedAt ? der(0xa1, time(new Date(revokedAt))) : der(0x80);
  const body = sequence(
    ...[der(0xa1, by.subject), time(new Date(at)), sequence(sequence(identifier, status, time(new Date(at))))],
  );
  const basic = signedBy(by.pair, body, 'sha256', [der(0xa0, sequence(by.certificate))]);
  return sequence(der(0x0a, Buffer.of(0)), der(0xa0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), der(0x04, basic))));
}

const algorithm = (digest: string) => sequence(oid(digest === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2'));

function signedBy({ privateKey }: KeyPair, body: Buffer, digest: string, more: readonly Buffer[] = []): Buffer {
  const value = sign(digest, body, privateKey);
  return sequence(body, algorithm(digest), der(0x03, Buffer.of(0), value), ...more);
}
