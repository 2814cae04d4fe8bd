import type { Connection, WsdlWay } from '../../../contract/connections.ts';
import type { ServiceTarget } from '../../soap/service/client.ts';
import { type ConnectionAccess, loginAt, noAccess, withoutAuthorities } from './access.ts';
import type { ManagedConnections } from './managed-connections.ts';
import type { ServiceClients } from './service-clients.ts';

/** The way on which a WSDL is fetched. */
export type FetchWay = Pick<ServiceTarget, 'proxy' | 'proxyLogin' | 'identity'> &
  Partial<Pick<ServiceTarget, 'extraCa'>>;

interface Needs {
  readonly find: (id: string) => Connection;
  readonly access: Pick<ConnectionAccess, 'of' | 'prepare'>;
  readonly proxyOf: ServiceClients['proxyOf'];
  readonly managed: Pick<ManagedConnections, 'assertUsable' | 'wayFor'>;
}

/**
 * The way for a form that is being filled in: what is entered there, else what its connection has. A stored client certificate is for the origin of its
 * connection only, a stored login for its proxies. What the policy sets comes first. Rejects as ConnectionAccess does, and before anything is sent for what
 * the policy does not allow.
 */
export async function wsdlWayTo(
  address: string,
  way: WsdlWay,
  { find, access, proxyOf, managed }: Needs,
): Promise<FetchWay> {
  const connection = way.id === undefined ? null : find(way.id);
  if (connection) managed.assertUsable(connection);
  const locked = managed.wayFor(way.id);
  const [proxy, stored, given] = await Promise.all([
    proxyOf(locked.proxy ?? way.proxy ?? { mode: 'system' }, address),
    connection?.kind === 'service' ? access.of(connection.id) : noAccess,
    access.prepare(way),
  ]);
  const sameOrigin = connection !== null && new URL(connection.baseUrl).origin === new URL(address).origin;
  const keptIdentity = sameOrigin ? stored.identity : null;
  const fetched = {
    proxy,
    ...(locked.extraCa === undefined ? {} : { extraCa: locked.extraCa }),
    proxyLogin: given.proxyLogin
      ? loginAt(given.proxyLogin, proxy)
      : given.proxyLogin === null
        ? null
        : stored.proxyLogin,
    identity: given.clientCertificate === undefined ? keptIdentity : (given.clientCertificate?.identity ?? null),
  };
  return locked.extraCa === undefined ? fetched : withoutAuthorities(fetched);
}
