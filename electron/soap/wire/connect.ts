import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { failureOf } from '../../core/foundation/app-error.ts';
import { issuerOf, type TlsTrust } from '../trust/trust.ts';
import { connectFailure } from './connection-failure.ts';
import { authorizationAt, type Entry, type NetworkRoute, type ThroughProxy } from './network-route.ts';
import { hostPortOf, overTcp, overTls, type Track, tunnel, withinLimit } from './open-socket.ts';
import { createSocketBuffer, type SocketBuffer } from './socket-buffer.ts';

/** A connection that is ready for the first byte of a request. */
export interface Link extends ThroughProxy {
  readonly socket: Socket;
  /** Issuer of the certificate; null without TLS. */
  readonly issuer: string | null;
  /** Set if `forBulk` asked for it and there is no TLS. */
  readonly socketBuffer: SocketBuffer | null;
}

async function attempt(url: URL, entry: Entry, route: NetworkRoute, track: Track, forBulk: boolean): Promise<Link> {
  const { trust, proxyLogin } = route;
  const service = hostPortOf(url);
  const secure = url.protocol === 'https:';
  const direct = entry.kind === 'DIRECT';
  const authorization = authorizationAt(entry, proxyLogin);
  // TLS does its own reading, so a buffer on the socket below it has no effect.
  const socketBuffer = forBulk && !secure && entry.kind !== 'HTTPS' ? createSocketBuffer() : null;
  let stage: 'proxy' | 'service' | 'tls' = direct ? 'service' : 'proxy';
  try {
    let socket = await overTcp(direct ? service : entry, track, socketBuffer);
    if (entry.kind === 'HTTPS') socket = await overTls(socket, entry.host, trust.forProxy(), track);
    if (!secure) {
      const proxyAuthorization = direct ? null : authorization;
      return { socket, absoluteForm: !direct, proxyAuthorization, issuer: null, socketBuffer };
    }
    if (!direct) socket = await tunnel(socket, service, authorization);
    stage = 'tls';
    const secured = await overTls(socket, service.host, trust.forService(), track);
    const issuer = issuerOf(secured.getPeerCertificate());
    return { socket: secured, absoluteForm: false, proxyAuthorization: null, issuer, socketBuffer: null };
  } catch (error) {
    throw connectFailure(error, stage, trust.presentsCertificate);
  }
}

/** Failures after which another way may lead to the service. A proxy that answered has refused, and going around it is not for a program to decide. */
const deadEnds: ReadonlySet<string | undefined> = new Set([
  'proxy-failed',
  'name-not-resolved',
  'connection-refused',
  'no-connect-in-time',
]);

/**
 * Opens a connection that is ready for a request; sends nothing of the request. The entries of the PAC answer are tried in order until one connects.
 * Rejects with service-unreachable (detail: name-not-resolved, connection-refused, tls-…, proxy-…, client-certificate-…,
 * no-connect-in-time) or cancelled, and then leaves no socket open. `forBulk` asks for a socket buffer: for a large answer on a
 * connection that is used once.
 */
export async function openLink(url: URL, route: NetworkRoute, signal?: AbortSignal, forBulk = false): Promise<Link> {
  let last: unknown;
  for (const entry of route.entries()) {
    try {
      return await withinLimit(route.connectMs, 'connection', signal, (track) =>
        attempt(url, entry, route, track, forBulk),
      );
    } catch (error) {
      last = error;
      if (signal?.aborted || !deadEnds.has(failureOf(error)?.detail)) break;
      route.passOver(entry);
    }
  }
  throw last;
}

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
