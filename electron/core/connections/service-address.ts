import { isDeepStrictEqual } from 'node:util';
import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { ServiceTarget } from '../../soap/service/client.ts';

/** This computer: nobody else can read what is sent there. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** True for the name or address of this computer. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** True for an address to which everything is sent unencrypted, over a network: another computer, or a proxy on another one. */
export function isInClear({ protocol, hostname }: URL, proxy?: ConnectionSettings['proxy']): boolean {
  if (protocol !== 'http:') return false;
  return !isLoopback(hostname) || (proxy?.mode === 'manual' && !isLoopback(new URL(proxy.address).hostname));
}

type Destination = Pick<ConnectionSettings, 'baseUrl' | 'proxy' | 'extraCa'>;

/** True if another computer may get what is sent: another origin, another proxy, or other certificates to trust. */
export function leadsElsewhere(before: Destination, after: Destination): boolean {
  return (
    new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin ||
    usesOtherProxy(before, after) ||
    before.extraCa.trim() !== after.extraCa.trim()
  );
}

/** True if another proxy may get what is sent. */
export function usesOtherProxy(before: Pick<Destination, 'proxy'>, after: Pick<Destination, 'proxy'>): boolean {
  return !isDeepStrictEqual(before.proxy, after.proxy);
}

/**
 * The full URL of one of a service's two paths, joined as the SOAP client joins it: with exactly one slash between
 * base and path.
 */
export function serviceAddress(
  target: Pick<ServiceTarget, 'baseUrl' | 'mainPath' | 'easySignPath'>,
  path: 'mainPath' | 'easySignPath',
): URL {
  return new URL(`${target.baseUrl.replace(/\/+$/, '')}/${target[path].replace(/^\/+/, '')}`);
}
