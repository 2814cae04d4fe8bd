import type { ServiceTarget } from '../../soap/client.ts';

/** The whole address of one of a service's two paths, joined as the wire joins it: with one slash between. */
export function serviceAddress(
  target: Pick<ServiceTarget, 'baseUrl' | 'mainPath' | 'easySignPath'>,
  path: 'mainPath' | 'easySignPath',
): URL {
  return new URL(`${target.baseUrl.replace(/\/+$/, '')}/${target[path].replace(/^\/+/, '')}`);
}
