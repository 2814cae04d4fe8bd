import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { Log, Network } from '../foundation/ports.ts';

/**
 * The PAC answer for one address by a connection's proxy setting. Where the system cannot say, the way is direct: the
 * doctor shows which way was taken.
 */
export async function proxyFor(
  setting: ConnectionSettings['proxy'],
  url: string,
  network: Network,
  log: Log,
): Promise<string> {
  if (setting.mode === 'none') return 'DIRECT';
  if (setting.mode === 'manual') {
    const { protocol, hostname, port } = new URL(setting.address);
    return protocol === 'https:' ? `HTTPS ${hostname}:${port || '443'}` : `PROXY ${hostname}:${port || '80'}`;
  }
  try {
    return (await network.resolveProxy(url)) || 'DIRECT';
  } catch (error) {
    log.error('the system did not say which proxy', { error: error instanceof Error ? error.name : typeof error });
    return 'DIRECT';
  }
}
