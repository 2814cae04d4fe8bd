import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type * as tls from 'node:tls';
import { appError } from '../../core/foundation/app-error.ts';
import { type ClientIdentity, identityOptions, nodeTls } from './client-identity.ts';

/** What TLS needs on the way to one service. Reading the system's certificates takes time: create it once per client. */
export type Trust = ReturnType<typeof createTrust>;

/** What a connection of TLS trusts. */
export type TlsTrust = Pick<tls.ConnectionOptions, 'checkServerIdentity'> & {
  readonly secureContext: tls.SecureContext;
};

/**
 * Trusts node's own certificates, the system's and the connection's. The functions throw bad-input for an `extraCa` without a certificate, and for a
 * client certificate that cannot be used.
 */
export function createTrust(extraCa: string, identity: ClientIdentity | null) {
  let service: TlsTrust | undefined;
  let proxy: TlsTrust | undefined;
  const forProxy = () => {
    proxy ??= trustOf(extraCa, null);
    return proxy;
  };
  return {
    presentsCertificate: identity !== null,
    /** For a proxy: the client certificate is not for it. */
    forProxy,
    /** For the service: with the client certificate, if there is one. */
    forService: (): TlsTrust => {
      service ??= identity ? trustOf(extraCa, identity) : forProxy();
      return service;
    },
  };
}

function trustOf(extraCa: string, identity: ClientIdentity | null): TlsTrust {
  // Both lists hold much the same, and OpenSSL parses each again.
  const ca = [...new Set(knownAuthorities()), ...certificatesIn(extraCa)];
  const secureContext = nodeTls().createSecureContext({
    ca,
    // Here, because a connection that is given a context ignores its own limit.
    minVersion: 'TLSv1.2',
    ...(identity ? identityOptions(identity) : {}),
  });
  return identity?.authoritiesIgnored ? { secureContext, checkServerIdentity: onlyFrom(ca) } : { secureContext };
}

/** Node trusts the authorities in a PKCS#12 file, too. This refuses a certificate that leads to none of the others. */
function onlyFrom(ca: readonly string[]): typeof tls.checkServerIdentity {
  let known: ReadonlySet<string> | undefined;
  return (host, certificate) => {
    known ??= new Set(ca.map((pem) => new X509Certificate(pem).fingerprint256));
    const problem = nodeTls().checkServerIdentity(host, certificate);
    if (problem || leadsTo(known, certificate as tls.DetailedPeerCertificate)) return problem;
    return Object.assign(new Error('issued by an authority of the client certificate only'), {
      code: 'UNABLE_TO_GET_ISSUER_CERT',
    });
  };
}

/** Checks each signature again: the chain that node shows is made by names, also of what the server sent. */
function leadsTo(known: ReadonlySet<string>, leaf: tls.DetailedPeerCertificate): boolean {
  const seen = new Set<string>();
  for (let at = leaf; ; at = at.issuerCertificate) {
    if (known.has(at.fingerprint256)) return true;
    seen.add(at.fingerprint256);
    const issuer = at.issuerCertificate;
    if (!issuer?.raw || seen.has(issuer.fingerprint256)) return false;
    if (!new X509Certificate(at.raw).verify(new X509Certificate(issuer.raw).publicKey)) return false;
  }
}

function knownAuthorities(): readonly string[] {
  const readable = (nodeTls() as { getCACertificates?: (kind: 'default' | 'system') => string[] }).getCACertificates;
  if (readable) return [...readable('default'), ...readable('system')];
  return [...nodeTls().rootCertificates, ...bundleOfSystem()];
}

/** Where distributions keep the certificates of the system, for a Node that cannot ask for them. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

function bundleOfSystem(): readonly string[] {
  if (process.platform !== 'linux') return [];
  for (const file of [process.env.SSL_CERT_FILE ?? '', ...bundles].filter(Boolean)) {
    try {
      const found = blocksIn(readFileSync(file, 'utf8'));
      if (found.length > 0) return found;
    } catch {
      // The next one may be there.
    }
  }
  return [];
}

function blocksIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
}

/** True for a text with at least one certificate, all of which can be read. */
export function isPem(text: string): boolean {
  const blocks = blocksIn(text);
  try {
    for (const block of blocks) new X509Certificate(block);
    return blocks.length > 0;
  } catch {
    return false;
  }
}

/** OpenSSL silently ignores text that is no certificate; a person who pasted the wrong text must be told. */
function certificatesIn(pem: string): readonly string[] {
  if (pem.trim() === '') return [];
  if (isPem(pem)) return blocksIn(pem);
  throw appError('bad-input', 'extraCa is no PEM certificate', { fields: { extraCa: 'is no PEM certificate' } });
}

/** The server that a request is sent to. */
export type Peer = ReturnType<typeof peerOf>;

/** Describes the server at the other end of a connection that is ready. */
export function peerOf(url: URL, socket: Socket) {
  const certificate = 'getPeerCertificate' in socket ? (socket as tls.TLSSocket).getPeerCertificate() : null;
  return {
    /** The address of the request, without query. */
    address: url.origin + url.pathname,
    /** SHA-256 of the TLS certificate, hex with colons; null without TLS. */
    certificateFingerprint: certificate?.fingerprint256 ?? null,
    /** Organisation or common name of the certificate's issuer; null without TLS, empty if it has none. */
    certificateIssuer: certificate && issuerOf(certificate),
  };
}

/** Organisation, else common name, of a certificate's issuer; empty if it has none. */
export function issuerOf({ issuer }: Pick<tls.PeerCertificate, 'issuer'>): string {
  const name = issuer?.O ?? issuer?.CN ?? '';
  return Array.isArray(name) ? name.join(', ') : name;
}
