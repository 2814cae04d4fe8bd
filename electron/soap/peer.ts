import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { Peer } from './client.ts';

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
