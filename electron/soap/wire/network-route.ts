import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { ClientIdentity } from '../trust/client-identity.ts';
import { createTrust, type Trust } from '../trust/trust.ts';
import { type Entry, entriesOf, type ProxyLogin, textOfEntry } from './proxy.ts';

/** The way to a service, shared by all its requests. */
export interface NetworkRoute {
  /** The entries of the PAC answer, in the order in which they are tried. Throws as `entriesOf` does. */
  entries(): readonly Entry[];
  /** No connection could be made through this entry: for five minutes it is tried after the others. */
  passOver(entry: Entry): void;
  readonly proxyLogin: ProxyLogin | null;
  readonly trust: Trust;
  /** Limit for one attempt: name resolution, TCP, proxy and TLS together. */
  readonly connectMs: number;
}

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

export function createRoute({ proxy, proxyLogin, extraCa, identity, timeouts }: RouteTarget): NetworkRoute {
  const dead = new Map<string, number>();
  const isDead = (entry: Entry) => (dead.get(textOfEntry(entry)) ?? 0) > performance.now();
  return {
    entries: () => {
      const inOrder = entriesOf(proxy);
      return [...inOrder.filter((entry) => !isDead(entry)), ...inOrder.filter(isDead)];
    },
    passOver: (entry) => dead.set(textOfEntry(entry), performance.now() + passedOverMs),
    proxyLogin,
    trust: createTrust(extraCa, identity),
    connectMs: timeouts.connectMs,
  };
}
