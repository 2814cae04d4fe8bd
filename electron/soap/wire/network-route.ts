import type { IncomingMessage } from 'node:http';
import type { ConnectionSettings } from '../../../contract/connections.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import type { ClientIdentity } from '../trust/client-identity.ts';
import { createTrust } from '../trust/trust.ts';

/** User and password at a proxy, and the proxies that may get them. */
export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
  /** As `proxiesOf` writes them: a network may name another proxy, which must not get the password. */
  readonly proxies: readonly string[];
}

/** The header that signs in at a proxy (Basic, RFC 7617); null if it gets none. */
export function authorizationAt(entry: Entry, login: ProxyLogin | null): string | null {
  if (!login?.proxies.includes(textOfEntry(entry))) return null;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
}

/** How a request is sent through a proxy that reads it. */
export interface ThroughProxy {
  /** True if the request line must hold the whole address (http through a proxy). */
  readonly absoluteForm: boolean;
  /** Signs in at that proxy; null without a login, and for a request that no proxy reads. */
  readonly proxyAuthorization: string | null;
}

/** The header of a request that a proxy reads. */
export function proxyHeaders({ proxyAuthorization }: ThroughProxy): Readonly<Record<string, string>> {
  return proxyAuthorization === null ? {} : { 'Proxy-Authorization': proxyAuthorization };
}

/** Throws the failure of a 407 with which a proxy asks for a login: proxies do not pass on that of others. On a direct way, and without the question, it is an answer as any other. */
export function assertAdmitted(response: IncomingMessage, way: ThroughProxy): void {
  if (!way.absoluteForm || response.statusCode !== 407 || !response.headers['proxy-authenticate']) return;
  throw proxyRefusal(response, way.proxyAuthorization !== null);
}

/** The failure of an answer with which a proxy refuses. `signedIn`: a login was sent. */
export function proxyRefusal({ statusCode = 0, headers }: IncomingMessage, signedIn: boolean): AppError {
  const refused = (
    detail: 'proxy-refused' | 'proxy-login-needed' | 'proxy-login-refused' | 'proxy-login-unsupported',
  ) =>
    appError('service-unreachable', `the proxy answered HTTP ${statusCode}${offeredBy(headers)}`, {
      detail,
      retryable: false,
      serviceCode: String(statusCode),
    });
  if (statusCode !== 407) return refused('proxy-refused');
  const offered = schemesOf(headers);
  if (offered.length > 0 && !offered.includes('basic')) return refused('proxy-login-unsupported');
  return refused(signedIn ? 'proxy-login-refused' : 'proxy-login-needed');
}

const knownSchemes = ['basic', 'digest', 'ntlm', 'negotiate', 'kerberos', 'bearer'];

/** node joins several headers with commas, and so may a proxy; parameters have commas too. */
function schemesOf(headers: IncomingMessage['headers']): readonly string[] {
  const text = String(headers['proxy-authenticate'] ?? '').toLowerCase();
  const named = [...text.matchAll(/(?:^|,)\s*([a-z]+)(?=\s|,|$)/g)].map(([, name = '']) => name);
  return knownSchemes.filter((scheme) => named.includes(scheme));
}

function offeredBy(headers: IncomingMessage['headers']): string {
  const offered = schemesOf(headers);
  return offered.length > 0 ? `, asks for ${offered.join(', ')}` : '';
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

/** An entry as text: the same proxy has the same text. */
export function textOfEntry({ kind, host, port }: Entry): string {
  return kind === 'DIRECT' ? kind : `${kind} ${host.toLowerCase()}:${port}`;
}

/** The proxies of a PAC answer, without those that cannot be used. Empty for a direct connection. */
export function proxiesOf(proxy: string): readonly string[] {
  try {
    return entriesOf(proxy)
      .filter(({ kind }) => kind !== 'DIRECT')
      .map(textOfEntry);
  } catch {
    return [];
  }
}

export type NetworkRoute = ReturnType<typeof createRoute>;

/** What a route is made from. */
export interface RouteTarget extends Pick<ConnectionSettings, 'extraCa'> {
  /** A PAC answer for the URL in use (`DIRECT`, `PROXY host:port`). */
  readonly proxy: string;
  /** Null without one. */
  readonly proxyLogin: ProxyLogin | null;
  /** The client certificate; null without one. */
  readonly identity: ClientIdentity | null;
  readonly timeouts: Pick<ConnectionSettings['timeouts'], 'connectMs'>;
}

/** As browsers do: a dead proxy that swallows packets would cost the whole limit in every call. */
const passedOverMs = 5 * 60_000;

/** The way to a service, shared by all its requests. */
export function createRoute({ proxy, proxyLogin, extraCa, identity, timeouts }: RouteTarget) {
  const dead = new Map<string, number>();
  const isDead = (entry: Entry) => (dead.get(textOfEntry(entry)) ?? 0) > performance.now();
  return {
    /** The entries of the PAC answer, in the order in which they are tried. Throws as `entriesOf` does. */
    entries: (): readonly Entry[] => {
      const inOrder = entriesOf(proxy);
      return [...inOrder.filter((entry) => !isDead(entry)), ...inOrder.filter(isDead)];
    },
    /** No connection could be made through this entry: for five minutes it is tried after the others. */
    passOver: (entry: Entry) => void dead.set(textOfEntry(entry), performance.now() + passedOverMs),
    proxyLogin,
    trust: createTrust(extraCa, identity),
    /** Limit for one attempt: name resolution, TCP, proxy and TLS together. */
    connectMs: timeouts.connectMs,
  };
}
