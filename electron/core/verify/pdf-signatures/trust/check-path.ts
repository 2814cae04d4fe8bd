import { oid, readElement, readOid, readSequence } from '../cms/asn1.ts';
import { Refusal } from '../doubt.ts';
import { checkNames, type NameConstraints, readNameConstraints } from './name-constraints.ts';
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
