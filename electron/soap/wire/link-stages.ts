import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import type { TlsTrust } from '../trust/trust.ts';
import { connectFailure } from './connection-failure.ts';
import { authorizationAt, type Entry, type NetworkRoute } from './network-route.ts';
import { hostPortOf, overTcp, overTls, type Track, tunnel, withinLimit } from './open-socket.ts';

/** Result of a TLS handshake. */
export interface SeenTls {
  readonly protocol: string | null;
  readonly certificate: PeerCertificate;
  /** Why the certificate is not trusted; null if it is. */
  readonly untrusted: string | null;
}

/**
 * The connection that `openLink` makes by one entry of the PAC answer, one stage at a time, for the doctor. Call the stages in this order; each has `connectMs`.
 * They reject as `openLink` does, but an untrusted certificate is a result, not a rejection.
 */
export function linkStages(url: URL, entry: Entry, { trust, proxyLogin, connectMs }: NetworkRoute) {
  const service = hostPortOf(url);
  const [first, firstIs] = entry.kind === 'DIRECT' ? [service, 'service' as const] : [entry, 'proxy' as const];
  let socket: Socket | null = null;
  const current = () => {
    if (!socket) throw new Error('the stage before has not made a connection');
    return socket;
  };
  const stage = async <T>(name: Parameters<typeof connectFailure>[1], work: (track: Track) => Promise<T>) => {
    try {
      return await withinLimit(connectMs, 'answer', undefined, work);
    } catch (error) {
      throw connectFailure(error, name, trust.presentsCertificate);
    }
  };
  const secureTo = (host: string, trusted: () => TlsTrust) =>
    stage('tls', async (track) => {
      const secured = await overTls(current(), host, trusted(), track, false);
      socket = secured;
      const untrusted = secured.authorized ? null : String(secured.authorizationError ?? 'unknown reason');
      return { protocol: secured.getProtocol(), certificate: secured.getPeerCertificate(), untrusted };
    });
  return {
    service,
    /** The host of the TCP connection: the proxy if the entry names one, else the service. */
    first: { host: first.host, port: first.port },
    /** Addresses of `first` by the system's own look-up. */
    lookUp: () => stage('service', async () => (await lookup(first.host, { all: true })).map(({ address }) => address)),
    connect: () =>
      stage(firstIs, async (track) => {
        socket = await overTcp(first, track);
      }),
    /** TLS to the proxy, for an HTTPS entry. */
    secureProxy: () => secureTo(first.host, trust.forProxy),
    /** CONNECT: sends only the service's host and port. */
    tunnel: () =>
      stage('proxy', async () => {
        socket = await tunnel(current(), service, authorizationAt(entry, proxyLogin));
      }),
    /** TLS to the service. */
    secure: () => secureTo(service.host, trust.forService),
    close: () => socket?.destroy(),
  };
}
