import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { appError } from '../core/foundation/app-error.ts';
import { startDeadline } from '../core/foundation/deadline.ts';
import { connectFailure } from './connect-failure.ts';
import { issuerOf } from './peer.ts';
import { createSocketBuffer, type SocketBuffer } from './socket-buffer.ts';

/** How to get to a service. */
export interface Route {
  /** A PAC answer: entries are tried in order while no connection can be made. */
  readonly proxy: string;
  /** PEM text trusted besides the system's certificates; empty for none. */
  readonly extraCa: string;
  /** For one attempt: name look-up, TCP, proxy and TLS together. */
  readonly connectMs: number;
}

/** A connection that is ready for the first byte of a request. */
export interface Link {
  readonly socket: Socket;
  /** True where the request line must hold the whole address (http through a proxy). */
  readonly absoluteForm: boolean;
  /** Who issued the certificate; null without TLS. */
  readonly issuer: string | null;
  /** Set where one was asked for and there is no TLS. */
  readonly intake: SocketBuffer | null;
}

type Entry = { readonly kind: 'DIRECT' | 'PROXY' | 'HTTPS'; readonly host: string; readonly port: number };

function entriesOf(proxy: string): Entry[] {
  const entries = proxy.split(';').flatMap((text): Entry[] => {
    const [kind = '', address = ''] = text.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [{ kind: 'DIRECT', host: '', port: 0 }];
    const place = /^(.+):(\d{1,5})$/.exec(address);
    const known = ({ PROXY: 'PROXY', HTTP: 'PROXY', HTTPS: 'HTTPS' } as const)[kind.toUpperCase()];
    return place && known
      ? [{ kind: known, host: (place[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(place[2]) }]
      : [];
  });
  if (entries.length === 0 && proxy.trim() !== '') {
    throw appError('service-unreachable', 'no proxy of a kind that can be used', { detail: 'proxy-failed' });
  }
  return entries.length > 0 ? entries : [{ kind: 'DIRECT', host: '', port: 0 }];
}

/**
 * The certificates to trust: node's own, the system's where this Node can read them, and the connection's. Reading the
 * system's takes time: make it once per client. Throws bad-input for an `extraCa` that holds no certificate.
 */
export function trustedContext(extraCa: string): tls.SecureContext {
  const readable = (tls as { getCACertificates?: (kind: 'default' | 'system') => string[] }).getCACertificates;
  const known = readable ? [...readable('default'), ...readable('system')] : [...tls.rootCertificates];
  // Both lists hold much the same, and OpenSSL parses each again.
  return tls.createSecureContext({ ca: [...new Set(known), ...certificatesIn(extraCa)] });
}

/** OpenSSL passes over what is no certificate without a word; a person who pasted something wrong is to know. */
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

async function overTls(socket: Socket, host: string, context: tls.SecureContext, track: Track): Promise<tls.TLSSocket> {
  const secured = tls.connect({
    socket,
    secureContext: context,
    ALPNProtocols: ['http/1.1'],
    host,
    ...(isIP(host) ? {} : { servername: host }),
  });
  track(secured);
  await once(secured, 'secureConnect');
  return secured;
}

async function overTcp(host: string, port: number, track: Track, intake: SocketBuffer | null = null): Promise<Socket> {
  const socket = track(connectTcp({ host, port, noDelay: true, ...(intake ? { onread: intake.onread } : {}) }));
  intake?.serve(socket);
  await once(socket, 'connect');
  return socket;
}

/** CONNECT through a proxy. Nothing of the request itself is in it. */
async function tunnel(socket: Socket, host: string, port: number): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority },
      createConnection: () => socket,
    });
    const refuse = (status: number) =>
      reject(appError('service-unreachable', `the proxy answered ${status}`, { detail: 'proxy-failed' }));
    asked.on('error', reject);
    asked.once('response', (response) => refuse(response.statusCode ?? 0));
    asked.once('connect', (response, through, head) => {
      if (response.statusCode !== 200) return refuse(response.statusCode ?? 0);
      if (head.length > 0) through.unshift(head);
      resolve(through as Socket);
    });
    asked.end();
  });
}

async function attempt(
  url: URL,
  entry: Entry,
  context: () => tls.SecureContext,
  track: Track,
  forBulk: boolean,
): Promise<Link> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  const direct = entry.kind === 'DIRECT';
  // TLS reads for itself, whatever the socket below it does.
  const intake = forBulk && !secure && entry.kind !== 'HTTPS' ? createSocketBuffer() : null;
  let stage: 'proxy' | 'service' | 'tls' = direct ? 'service' : 'proxy';
  try {
    const [nextHost, nextPort] = direct ? [host, port] : [entry.host, entry.port];
    let socket = await overTcp(nextHost, nextPort, track, intake);
    if (entry.kind === 'HTTPS') socket = await overTls(socket, entry.host, context(), track);
    if (!secure) return { socket, absoluteForm: !direct, issuer: null, intake };
    if (!direct) socket = await tunnel(socket, host, port);
    stage = 'tls';
    const secured = await overTls(socket, host, context(), track);
    return { socket: secured, absoluteForm: false, issuer: issuerOf(secured.getPeerCertificate()), intake: null };
  } catch (error) {
    throw connectFailure(error, stage);
  }
}

/**
 * Makes a connection up to the point where a request could leave; nothing of a request is sent. Rejects with
 * service-unreachable (detail: name-not-resolved, connection-refused, tls-untrusted, tls-failed, proxy-failed,
 * no-connect-in-time) or cancelled; no socket stays open then. `forBulk` asks for an intake: for a large answer, on a
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
      stop(appError('service-unreachable', `no connection in ${route.connectMs} ms`, { detail: 'no-connect-in-time' }));
    const deadline = startDeadline(route.connectMs, late);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const trying = attempt(url, entry, context, track, forBulk);
    trying.catch(() => undefined);
    try {
      return await Promise.race([stopped, trying]);
    } catch (error) {
      for (const socket of made) socket.destroy();
      last = error;
      if (signal?.aborted) break;
    } finally {
      deadline.end();
      signal?.removeEventListener('abort', onAbort);
    }
  }
  throw last;
}
