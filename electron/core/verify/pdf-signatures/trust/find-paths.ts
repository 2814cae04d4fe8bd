import { sameBytes } from '../cms/asn1.ts';
import { keyIdentifierOf, type Signed } from '../cms/certificates.ts';
import { orNull, Refusal } from '../doubt.ts';
import { isSignedWith, oids, type PathCertificate, readPathCertificate } from './path-certificate.ts';

/** A file with more certificates or a longer path is none that a signer’s program wrote. */
const maxCertificates = 1_000;
const maxLength = 10;
/** Signatures that are checked for one file; some curves take 15 ms each. */
const maxChecks = 200;
const maxSteps = 10_000;

/** Certificates by their subjects; what cannot be read is left out. */
export class CertificateBag {
  readonly #found = new Map<string, Map<string, PathCertificate>>();
  #size = 0;

  add(bytes: Uint8Array): PathCertificate | null {
    const one = orNull(() => readPathCertificate(bytes));
    if (!one) return null;
    const named = this.#found.get(one.subjectKey) ?? new Map<string, PathCertificate>();
    const known = named.get(one.id);
    if (known) return known;
    if (this.#size++ >= maxCertificates) return null;
    this.#found.set(one.subjectKey, named.set(one.id, one));
    return one;
  }

  named(subject: string): PathCertificate[] {
    return [...(this.#found.get(subject)?.values() ?? [])];
  }
}

/** Whether one signed the other, asked once for each pair, and only so often for one file. */
export class SignatureChecks {
  readonly #known = new Map<Signed, Map<string, boolean>>();
  #checks = 0;
  #steps = 0;
  /** Why the last one was not taken that is signed in a way that does not count; null if there was none. */
  doubt: string | null = null;

  isSignedBy(signed: Signed, by: PathCertificate): boolean {
    const known = this.#known.get(signed) ?? new Map<string, boolean>();
    this.#known.set(signed, known);
    let isSigned = known.get(by.id);
    // Certificates that all certify each other have more ways between them than there are seconds.
    if (++this.#steps > maxSteps || (isSigned === undefined && ++this.#checks > maxChecks)) {
      this.doubt = 'The file has more certificates than can be checked.';
      return false;
    }
    isSigned ??= this.#check(signed, by);
    known.set(by.id, isSigned);
    return isSigned;
  }

  #check(signed: Signed, by: PathCertificate): boolean {
    try {
      return isSignedWith(signed, by);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.doubt = error.message;
      return false;
    }
  }
}

export interface Path<Trusted> {
  readonly trusted: Trusted;
  /** From the trusted one down. */
  readonly certificates: readonly PathCertificate[];
}

export interface PathSource<Trusted> {
  readonly bag: CertificateBag;
  readonly checks: SignatureChecks;
  /** What is trusted and has this subject. */
  trusted(subject: string): readonly { readonly trusted: Trusted; readonly certificate: PathCertificate }[];
}

/** Every way from a certificate up to a trusted one, the signatures checked and nothing else; a trusted one is a way by itself. */
export function* findPaths<Trusted>(
  source: PathSource<Trusted>,
  below: readonly PathCertificate[],
): Generator<Path<Trusted>> {
  const [top] = below;
  if (!top) return;
  if (below.length === 1)
    for (const { trusted, certificate } of source.trusted(top.subjectKey))
      if (certificate.id === top.id) yield { trusted, certificates: below };
  for (const { trusted, certificate } of source.trusted(top.issuer))
    if (certificate.id !== top.id && source.checks.isSignedBy(top, certificate))
      yield { trusted, certificates: [certificate, ...below] };
  if (below.length >= maxLength) return;
  const isNamed = authorityKeyTest(top);
  const candidates = source.bag.named(top.issuer).sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
  for (const one of candidates) {
    const isLoop = below.some(
      ({ subjectKey, certificate: { publicKey } }) =>
        subjectKey === one.subjectKey && sameBytes(publicKey.bytes, one.certificate.publicKey.bytes),
    );
    if (!isLoop && source.checks.isSignedBy(top, one)) yield* findPaths(source, [one, ...below]);
  }
}

/** Those that the certificate names as its issuer’s key are tried first. */
function authorityKeyTest({ extensions }: PathCertificate) {
  const wanted = extensions.get(oids.authorityKey)?.value;
  return ({ certificate }: PathCertificate) => {
    const own = wanted && orNull(() => keyIdentifierOf(certificate));
    return own ? Buffer.from(wanted).includes(Buffer.from(own)) : false;
  };
}
