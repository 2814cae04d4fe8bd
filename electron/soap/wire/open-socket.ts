import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { appError } from '../../core/foundation/app-error.ts';
import { startDeadline } from '../../core/foundation/deadline.ts';
import { nodeTls } from '../trust/client-identity.ts';
import type { TlsTrust } from '../trust/trust.ts';
import { proxyRefusal } from './network-route.ts';
import type { SocketBuffer } from './socket-buffer.ts';

/**
 * Node's own HTTP client. Not imported as a module: that reads every name that node:http has, also those that load the
 * engine of `fetch`, which takes as long as Node's whole start and is used nowhere here.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');

/** Notes a socket, so that it can be destroyed when its connection is given up. */
export type Track = (socket: Socket) => Socket;

/** A host without brackets, and a port. */
export type HostPort = ReturnType<typeof hostPortOf>;

/** Host and port of an address. */
export function hostPortOf(url: URL) {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

function once(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** A TCP connection. */
export async function overTcp(
  { host, port }: HostPort,
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

/**
 * TLS over a socket. `rejectUnauthorized` false: only for inspecting a certificate; nothing may be sent before `authorized` was
 * checked.
 */
export async function overTls(
  socket: Socket,
  host: string,
  trust: TlsTrust,
  track: Track,
  rejectUnauthorized = true,
): Promise<TLSSocket> {
  const secured = nodeTls().connect({
    socket,
    ...trust,
    // Always given: without it NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would switch the check off.
    rejectUnauthorized,
    ALPNProtocols: ['http/1.1'],
    host,
    ...(isIP(host) ? {} : { servername: host }),
  });
  track(secured);
  await once(secured, 'secureConnect');
  return secured;
}

/** Opens a tunnel (CONNECT) through a proxy. The proxy sees nothing of the request itself. Rejects with the failure of its refusal. */
export async function tunnel(socket: Socket, { host, port }: HostPort, authorization: string | null): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const connecting = request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...(authorization === null ? {} : { 'Proxy-Authorization': authorization }) },
      createConnection: () => socket,
    });
    connecting.on('error', reject);
    connecting.once('response', (response) => reject(proxyRefusal(response, authorization !== null)));
    connecting.once('connect', (response, through, head) => {
      if (response.statusCode !== 200) return reject(proxyRefusal(response, authorization !== null));
      if (head.length > 0) through.unshift(head);
      resolve(through as Socket);
    });
    connecting.end();
  });
}

/** Rejects with no-connect-in-time after `ms`, or with cancelled; then every socket that `work` made is destroyed. */
export async function withinLimit<T>(
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
