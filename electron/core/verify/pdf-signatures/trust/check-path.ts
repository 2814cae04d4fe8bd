import { type Element, oid, readAs, readElement, readOid, readSequence, sameBytes } from '../cms/asn1.ts';
import { emailOid, valuesOf } from '../cms/certificates.ts';
import { Refusal } from '../doubt.ts';
import { isBelow, readName } from './names.ts';
import { mayBeUsedFor, oids, type PathCertificate, readAuthority, usages } from './path-certificate.ts';

export type Validity = 'valid' | 'expired' | 'not-yet-valid';

/** Those that are looked at, or that allow more than is allowed here anyway. */
const understood: ReadonlySet<string> = new Set(Object.values(oids));
const anyPolicy = oid('2.5.29.32.0');

/** RFC 5280, 6.1, from the trusted certificate down to the signer’s, which the one before has signed each. Any policy will do; a path that asks for a certain one is refused. Says nothing about dates and revocation. */
export function checkPath(path: readonly PathCertificate[]): void {
  const constraints: NameConstraints[] = [];
  let most = Number.POSITIVE_INFINITY;
  for (const [at, certificate] of path.entries()) {
    const isLast = at === path.length - 1;
    const isSelfIssued = certificate.issuer === certificate.subjectKey;
    if (at > 0 && (isLast || !isSelfIssued)) checkNames(certificate, constraints);
    checkExtensions(certificate);
    if (isLast) break;
    const authority = readAuthority(certificate);
    // A trusted one of before there were such words may be an authority.
    if (!authority.isAuthority && (at > 0 || certificate.extensions.size > 0))
      throw new Refusal('A certificate of the path does not belong to an authority.');
    if (!mayBeUsedFor(certificate, usages.certificates))
      throw new Refusal('A certificate of the path must not be used to certify others.');
    if (at > 0 && !isSelfIssued && most-- <= 0) throw new Refusal('The path of certificates is longer than allowed.');
    most = Math.min(most, authority.isAuthority ? authority.most : most);
    const own = readNameConstraints(certificate);
    if (own) constraints.push(own);
  }
}

/** Of all but the trusted one, which whoever trusts it looks after. A path of one is the signer’s own certificate. */
export function validityOf(path: readonly PathCertificate[], at: string): Validity {
  const dated = path.length > 1 ? path.slice(1) : path;
  if (dated.some(({ until }) => at > until)) return 'expired';
  return dated.some(({ from }) => at < from) ? 'not-yet-valid' : 'valid';
}

function checkExtensions({ extensions }: PathCertificate): void {
  for (const [name, { isCritical }] of extensions)
    if (isCritical && !understood.has(name))
      throw new Refusal('A certificate asks for something that is not known here.');
  const asked = extensions.get(oids.policyConstraints);
  if (asked && readSequence(readElement(asked.value)).some(({ tag }) => tag === 0x80))
    throw new Refusal('A certificate asks for a policy, which is not checked here.');
  const mappings = extensions.get(oids.policyMappings);
  const mapped = mappings ? readSequence(readElement(mappings.value)) : [];
  if (mapped.some((pair) => readSequence(pair).some((policy) => readOid(policy) === anyPolicy)))
    throw new Refusal('A certificate maps its policies in a way that is not allowed.');
}

type NameConstraints = NonNullable<ReturnType<typeof readNameConstraints>>;

/** Honest certificates have a handful. */
const maxComparisons = 50_000;
const kinds = { mail: 0x81, host: 0x82, directory: 0xa4, address: 0x86, ip: 0x87 } as const;

/** The names that an authority may certify (RFC 5280, 4.2.1.10), as its certificate has them. */
function readNameConstraints({ extensions }: PathCertificate) {
  const extension = extensions.get(oids.nameConstraints);
  if (!extension) return null;
  const parts = readSequence(readElement(extension.value));
  const bases = (tag: number) =>
    parts
      .filter((part) => part.tag === tag)
      .flatMap((part) => readAs(tag, part))
      .map((tree) => {
        const [base, ...limits] = readSequence(tree);
        if (!base || limits.length > 0) throw refused();
        return base;
      });
  return { permitted: bases(0xa0), excluded: bases(0xa1) };
}

/** Throws unless every name of the certificate is permitted by all, and excluded by none. */
function checkNames(certificate: PathCertificate, constraints: readonly NameConstraints[]): void {
  if (constraints.length === 0) return;
  const names = namesOf(certificate);
  const bases = constraints.reduce((sum, { permitted, excluded }) => sum + permitted.length + excluded.length, 0);
  if (bases * names.length > maxComparisons) throw refused();
  for (const { permitted, excluded } of constraints)
    for (const name of names) {
      const ofKind = permitted.filter(({ tag }) => tag === name.tag);
      const isOutside = ofKind.length > 0 && !ofKind.some((base) => isWithin(name, base));
      if (isOutside || excluded.some((base) => base.tag === name.tag && isWithin(name, base))) throw refused();
    }
}

/** All names of every kind, also the address that old certificates have in the subject. */
function namesOf({ certificate, subject, extensions }: PathCertificate): readonly Element[] {
  const alternative = extensions.get(oids.alternativeNames);
  const mails = valuesOf(certificate.subject, emailOid).map((value) => ({ ...value, tag: kinds.mail }));
  const own: Element = { ...certificate.subject, tag: kinds.directory, content: certificate.subject.bytes };
  return [
    ...(subject.length > 0 ? [own] : []),
    ...mails,
    ...(alternative ? readSequence(readElement(alternative.value)) : []),
  ];
}

function isWithin(name: Element, base: Element): boolean {
  const [text, wanted] = [name, base].map(({ content }) => Buffer.from(content).toString('latin1').toLowerCase());
  if (text === undefined || wanted === undefined) throw refused();
  switch (name.tag) {
    case kinds.directory:
      return isBelow(readName(name.content), readName(base.content));
    case kinds.mail: {
      const host = /^[^@]+@([^@]+)$/.exec(text)?.[1];
      if (host === undefined) throw refused();
      // Before the @ letters may differ by their case.
      if (wanted.includes('@')) return sameBytes(beforeHost(name), beforeHost(base)) && text === wanted;
      return isHostWithin(host, wanted);
    }
    case kinds.host:
      return wanted === '' || text === wanted || text.endsWith(wanted.startsWith('.') ? wanted : `.${wanted}`);
    case kinds.address: {
      const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::\d*)?(?:[/?#]|$)/.exec(
        text,
      )?.[1];
      if (host === undefined || /^[\d.]+$/.test(host)) throw refused();
      return isHostWithin(host, wanted);
    }
    case kinds.ip: {
      const size = name.content.length;
      if (base.content.length !== 2 * size) return false;
      return name.content.every(
        (byte, at) => ((byte ^ (base.content[at] ?? 0)) & (base.content[size + at] ?? 0)) === 0,
      );
    }
    default:
      // A kind of names that is not compared here.
      throw refused();
  }
}

const isHostWithin = (host: string, base: string) => (base.startsWith('.') ? host.endsWith(base) : host === base);

const beforeHost = ({ content }: Element) => content.subarray(0, content.indexOf(0x40));

const refused = () => new Refusal('An authority was not allowed to certify this name.');
