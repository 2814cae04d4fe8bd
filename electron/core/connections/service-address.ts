import type { ServiceTarget } from '../../soap/client.ts';

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
