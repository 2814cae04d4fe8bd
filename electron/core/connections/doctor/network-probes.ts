import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { connectFailure } from '../../../soap/connect-failure.ts';
import { appError } from '../../foundation/app-error.ts';
import { type Deadline, startDeadline } from '../../foundation/deadline.ts';

/** A host and port to connect to. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** One entry of a PAC answer; null host for the direct way. */
export interface Way {
  readonly kind: 'DIRECT' | 'PROXY' | 'HTTPS';
  readonly proxy: HostPort | null;
}

/** The ways of a PAC answer that can be gone, in order; an empty answer is the direct way. */
export function waysOf(pacAnswer: string): readonly Way[] {
  if (pacAnswer.trim() === '') return [{ kind: 'DIRECT', proxy: null }];
  return pacAnswer.split(';').flatMap((entry): Way[] => {
    const [word = '', address = ''] = entry.trim().split(/\s+/);
    const kind = word.toUpperCase();
    if (kind === 'DIRECT') return [{ kind, proxy: null }];
    const [, host, port] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(address) ?? [];
    if (!host || !port || !/^(PROXY|HTTP|HTTPS)$/.test(kind)) return [];
    return [{ kind: kind === 'HTTPS' ? 'HTTPS' : 'PROXY', proxy: { host, port: Number(port) } }];
  });
}

export function hostPortOf(url: URL): HostPort {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** Addresses of a host by the system's own look-up. */
export async function lookUp(host: string, ms: number): Promise<readonly string[]> {
  try {
    return (await inTime(ms, [], lookup(host, { all: true }))).map(({ address }) => address);
  } catch (error) {
    throw connectFailure(error, 'service');
  }
}

/** Rejects with no-connect-in-time after `ms` and destroys what was made so far. */
async function inTime<T>(ms: number, sockets: readonly Socket[], work: Promise<T>): Promise<T> {
  let deadline: Deadline | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const failure = appError('service-unreachable', `no answer in ${ms} ms`, { detail: 'no-connect-in-time' });
    deadline = startDeadline(ms, () => reject(failure));
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    for (const socket of sockets) socket.destroy();
    throw error;
  } finally {
    deadline?.end();
  }
}

/** Without a listener, a late error of a socket nobody waits for any more would end the process. */
function guarded<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

function event(socket: Socket, name: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(name, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

export async function connectTo(place: HostPort, stage: 'service' | 'proxy', ms: number): Promise<Socket> {
  const socket = guarded(connect({ ...place, noDelay: true }));
  try {
    await inTime(ms, [socket], event(socket, 'connect'));
    return socket;
  } catch (error) {
    throw connectFailure(error, stage);
  }
}

/** CONNECT through a proxy; nothing but the service's host and port is told. */
export async function tunnelTo(place: HostPort, socket: Socket, ms: number): Promise<Socket> {
  const authority = `${isIP(place.host) === 6 ? `[${place.host}]` : place.host}:${place.port}`;
  const answered = new Promise<Socket>((resolve, reject) => {
    const refuse = (status?: number) =>
      reject(appError('service-unreachable', `the proxy answered HTTP ${status ?? '?'}`, { detail: 'proxy-failed' }));
    const asked = request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority },
      createConnection: () => socket,
    });
    asked.on('error', reject);
    asked.once('response', (response) => refuse(response.statusCode));
    asked.once('connect', (response, through) =>
      response.statusCode === 200 ? resolve(through as Socket) : refuse(response.statusCode),
    );
    asked.end();
  });
  try {
    return await inTime(ms, [socket], answered);
  } catch (error) {
    socket.destroy();
    throw connectFailure(error, 'proxy');
  }
}

export interface Secured {
  readonly socket: tls.TLSSocket;
  /** Protocol, issuer, last day, in English. */
  readonly note: string;
}

/**
 * TLS with the certificate looked at even where it is not to be trusted: then it rejects with tls-untrusted, and the
 * note says who issued it and why not.
 */
export async function secure(
  host: string,
  socket: Socket,
  secureContext: tls.SecureContext,
  ms: number,
): Promise<Secured> {
  // Only looked at: nothing is sent over it before `authorized` was checked below.
  const secured = guarded(
    tls.connect({
      socket,
      secureContext,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      host,
      ...(isIP(host) ? {} : { servername: host }),
    }),
  );
  try {
    await inTime(ms, [secured, socket], event(secured, 'secureConnect'));
  } catch (error) {
    throw connectFailure(error, 'tls');
  }
  const note = describe(secured);
  if (secured.authorized) return { socket: secured, note };
  secured.destroy();
  const why = String(secured.authorizationError ?? 'unknown reason').slice(0, 200);
  throw appError('service-unreachable', `not trusted: ${why}; ${note}`, { detail: 'tls-untrusted', retryable: false });
}

function describe(socket: tls.TLSSocket): string {
  const certificate = socket.getPeerCertificate();
  const nameOf = (name?: { O?: string | string[]; CN?: string | string[] }) =>
    [name?.O ?? name?.CN ?? 'unnamed'].flat().join(', ').slice(0, 200);
  return [
    socket.getProtocol() ?? 'TLS',
    `certificate for ${nameOf({ CN: certificate.subject?.CN })}`,
    `issued by ${nameOf(certificate.issuer)}`,
    `valid until ${certificate.valid_to ?? 'unknown'}`,
  ].join(', ');
}
