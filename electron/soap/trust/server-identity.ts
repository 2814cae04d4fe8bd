import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';

/** The server that a request is sent to. */
export interface Peer {
  /** The address of the request, without query. */
  readonly address: string;
  /** SHA-256 of the TLS certificate, hex with colons; null without TLS. */
  readonly certificateFingerprint: string | null;
  /** Organisation or common name of the certificate's issuer; null without TLS, empty if it has none. */
  readonly certificateIssuer: string | null;
}

/** Describes the server at the other end of a connection that is ready. */
export function peerOf(url: URL, socket: Socket): Peer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
  return {
    address: url.origin + url.pathname,
    certificateFingerprint: certificate?.fingerprint256 ?? null,
    certificateIssuer: certificate && issuerOf(certificate),
  };
}

/** Organisation, else common name, of a certificate's issuer; empty if it has none. */
export function issuerOf({ issuer }: Pick<PeerCertificate, 'issuer'>): string {
  const name = issuer?.O ?? issuer?.CN ?? '';
  return Array.isArray(name) ? name.join(', ') : name;
}
