import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { appError } from '../core/foundation/app-error.ts';
import { startDeadline } from '../core/foundation/deadline.ts';
import { connectFailure } from './connect-failure.ts';
import { issuerOf } from './peer.ts';
import { createSocketBuffer, type SocketBuffer } from './socket-buffer.ts';

/** The route to a service. */
export interface Route {
  /** A PAC answer: its entries are tried in order until one connects. */
  readonly proxy: string;
  /** PEM text trusted besides the system's certificates; empty for none. */
  readonly extraCa: string;
  /** Limit for one attempt: name resolution, TCP, proxy and TLS together. */
  readonly connectMs: number;
}

/** A host without brackets, and a port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A connection that is ready for the first byte of a request. */
export interface Link {
  readonly socket: Socket;
  /** True if the request line must hold the whole address (http through a proxy). */
  readonly absoluteForm: boolean;
  /** Issuer of the certificate; null without TLS. */
  readonly issuer: string | null;
  /** Set if `forBulk` asked for it and there is no TLS. */
  readonly socketBuffer: SocketBuffer | null;
}

/** One entry of a PAC answer. Host and port of the proxy; empty for a direct connection. */
export type Entry = { readonly kind: 'DIRECT' | 'PROXY' | 'HTTPS'; readonly host: string; readonly port: number };

/** The usable entries of a PAC answer, in order; an empty answer means a direct connection. Throws proxy-failed if none is usable. */
export function entriesOf(proxy: string): Entry[] {
  const entries = proxy.split(';').flatMap((text): Entry[] => {
    const [kind = '', address = ''] = text.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [{ kind: 'DIRECT', host: '', port: 0 }];
    const hostPort = /^(.+):(\d{1,5})$/.exec(address);
    const known = ({ PROXY: 'PROXY', HTTP: 'PROXY', HTTPS: 'HTTPS' } as const)[kind.toUpperCase()];
    return hostPort && known
      ? [{ kind: known, host: (hostPort[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(hostPort[2]) }]
      : [];
  });
  if (entries.length === 0 && proxy.trim() !== '') {
    throw appError('service-unreachable', 'no proxy of a kind that can be used', { detail: 'proxy-failed' });
  }
  return entries.length > 0 ? entries : [{ kind: 'DIRECT', host: '', port: 0 }];
}

/**
 * The trusted certificates: node's own, the system's if this Node can read them, and the connection's. Reading the
 * system's takes time: create it once per client. Throws bad-input for an `extraCa` without a certificate.
 */
export function trustedContext(extraCa: string): tls.SecureContext {
  const readable = (tls as { getCACertificates?: (kind: 'default' | 'system') => string[] }).getCACertificates;
  const known = readable ? [...readable('default'), ...readable('system')] : [...tls.rootCertificates];
  // Both lists hold much the same, and OpenSSL parses each again.
  return tls.createSecureContext({ ca: [...new Set(known), ...certificatesIn(extraCa)] });
}

/** OpenSSL silently ignores text that is no certificate; a person who pasted the wrong text must be told. */
function certificatesIn(pem: string): readonly string[] {
  if (pem.trim() === '') return [];
  const blocks =
    pem.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length === 0) throw new Error('none');
    for (const block of blocks) new X509Certificate(block);
    return blocks;
  } catch {
    throw appError('bad-input', 'extraCa is no PEM certificate', { fields: { extraCa: 'is no PEM certificate' } });
  }
}

function once(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

type Track = (socket: Socket) => Socket;

/** `rejectUnauthorized` false: only for inspecting a certificate; nothing may be sent before `authorized` was checked. */
async function overTls(
  socket: Socket,
  host: string,
  context: tls.SecureContext,
  track: Track,
  rejectUnauthorized = true,
): Promise<tls.TLSSocket> {
  const secured = tls.connect({
    socket,
    secureContext: context,
    rejectUnauthorized,
    ALPNProtocols: ['http/1.1'],
    host,
    ...(isIP(host) ? {} : { servername: host }),
  });
  track(secured);
  await once(secured, 'secureConnect');
  return secured;
}

async function overTcp(
  host: string,
  port: number,
  track: Track,
  socketBuffer: SocketBuffer | null = null,
): Promise<Socket> {
  const socket = track(
    connectTcp({ host, port, noDelay: true, ...(socketBuffer ? { onread: socketBuffer.onread } : {}) }),
  );
  socketBuffer?.serve(socket);
  await once(socket, 'connect');
  return socket;
}

/** Opens a tunnel (CONNECT) through a proxy. The proxy sees nothing of the request itself. */
async function tunnel(socket: Socket, host: string, port: number): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const connecting = request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority },
      createConnection: () => socket,
    });
    const refuse = (status: number) =>
      reject(appError('service-unreachable', `the proxy answered HTTP ${status}`, { detail: 'proxy-failed' }));
    connecting.on('error', reject);
    connecting.once('response', (response) => refuse(response.statusCode ?? 0));
    connecting.once('connect', (response, through, head) => {
      if (response.statusCode !== 200) return refuse(response.statusCode ?? 0);
      if (head.length > 0) through.unshift(head);
      resolve(through as Socket);
    });
    connecting.end();
  });
}

function hostPortOf(url: URL): HostPort {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

async function attempt(
  url: URL,
  entry: Entry,
  context: () => tls.SecureContext,
  track: Track,
  forBulk: boolean,
): Promise<Link> {
  const { host, port } = hostPortOf(url);
  const secure = url.protocol === 'https:';
  const direct = entry.kind === 'DIRECT';
  // TLS does its own reading, so a buffer on the socket below it has no effect.
  const socketBuffer = forBulk && !secure && entry.kind !== 'HTTPS' ? createSocketBuffer() : null;
  let stage: 'proxy' | 'service' | 'tls' = direct ? 'service' : 'proxy';
  try {
    const [nextHost, nextPort] = direct ? [host, port] : [entry.host, entry.port];
    let socket = await overTcp(nextHost, nextPort, track, socketBuffer);
    if (entry.kind === 'HTTPS') socket = await overTls(socket, entry.host, context(), track);
    if (!secure) return { socket, absoluteForm: !direct, issuer: null, socketBuffer };
    if (!direct) socket = await tunnel(socket, host, port);
    stage = 'tls';
    const secured = await overTls(socket, host, context(), track);
    return { socket: secured, absoluteForm: false, issuer: issuerOf(secured.getPeerCertificate()), socketBuffer: null };
  } catch (error) {
    throw connectFailure(error, stage);
  }
}

/**
 * Opens a connection that is ready for a request; sends nothing of the request. Rejects with
 * service-unreachable (detail: name-not-resolved, connection-refused, tls-untrusted, tls-failed, proxy-failed,
 * no-connect-in-time) or cancelled, and then leaves no socket open. `forBulk` asks for a socket buffer: for a large answer on a
 * connection that is used once.
 */
export async function openLink(
  url: URL,
  route: Route,
  context: () => tls.SecureContext,
  signal?: AbortSignal,
  forBulk = false,
): Promise<Link> {
  let last: unknown;
  for (const entry of entriesOf(route.proxy)) {
    try {
      return await withinLimit(route.connectMs, 'connection', signal, (track) =>
        attempt(url, entry, context, track, forBulk),
      );
    } catch (error) {
      last = error;
      if (signal?.aborted) break;
    }
  }
  throw last;
}

/** Rejects with no-connect-in-time after `ms`, or with cancelled; then every socket that `work` made is destroyed. */
async function withinLimit<T>(
  ms: number,
  awaited: 'connection' | 'answer',
  signal: AbortSignal | undefined,
  work: (track: Track) => Promise<T>,
): Promise<T> {
  const made: Socket[] = [];
  const track: Track = (socket) => {
    // Without a listener a late error of a socket that was given up would end the process.
    socket.on('error', () => undefined);
    made.push(socket);
    return socket;
  };
  let stop: (error: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const onAbort = () => stop(appError('cancelled', 'cancelled while connecting'));
  const late = () =>
    stop(appError('service-unreachable', `no ${awaited} in ${ms} ms`, { detail: 'no-connect-in-time' }));
  const deadline = startDeadline(ms, late);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const trying = work(track);
  trying.catch(() => undefined);
  try {
    return await Promise.race([stopped, trying]);
  } catch (error) {
    for (const socket of made) socket.destroy();
    throw error;
  } finally {
    deadline.end();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Result of a TLS handshake. */
export interface SeenTls {
  readonly protocol: string | null;
  readonly certificate: tls.PeerCertificate;
  /** Why the certificate is not trusted; null if it is. */
  readonly untrusted: string | null;
}

/**
 * The connection that `openLink` makes, one stage at a time, for the doctor. Call the stages in this order; each has `connectMs`. They reject as
 * `openLink` does, but an untrusted certificate is a result, not a rejection.
 */
export interface LinkStages {
  readonly service: HostPort;
  /** The host of the TCP connection: the proxy if the entry names one, else the service. */
  readonly first: HostPort;
  /** Addresses of `first` by the system's own look-up. */
  lookUp(): Promise<readonly string[]>;
  connect(): Promise<void>;
  /** TLS to the proxy, for an HTTPS entry. */
  secureProxy(): Promise<SeenTls>;
  /** CONNECT: sends only the service's host and port. */
  tunnel(): Promise<void>;
  /** TLS to the service. */
  secure(): Promise<SeenTls>;
  /** Closes the connection, if there is one. */
  close(): void;
}

export function linkStages(
  url: URL,
  entry: Entry,
  { connectMs }: Pick<Route, 'connectMs'>,
  context: () => tls.SecureContext,
): LinkStages {
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
      throw connectFailure(error, name);
    }
  };
  const secureTo = (host: string) =>
    stage('tls', async (track) => {
      const secured = await overTls(current(), host, context(), track, false);
      socket = secured;
      const untrusted = secured.authorized ? null : String(secured.authorizationError ?? 'unknown reason');
      return { protocol: secured.getProtocol(), certificate: secured.getPeerCertificate(), untrusted };
    });
  return {
    service,
    first: { host: first.host, port: first.port },
    lookUp: () => stage('service', async () => (await lookup(first.host, { all: true })).map(({ address }) => address)),
    connect: () =>
      stage(firstIs, async (track) => {
        socket = await overTcp(first.host, first.port, track);
      }),
    secureProxy: () => secureTo(first.host),
    tunnel: () =>
      stage('proxy', async () => {
        socket = await tunnel(current(), service.host, service.port);
      }),
    secure: () => secureTo(service.host),
    close: () => socket?.destroy(),
  };
}
