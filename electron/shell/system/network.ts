import { session } from 'electron';
import type { Network } from '../../core/foundation/ports.ts';

/** The system's proxy settings, PAC files included, as the browser engine reads them. They have a session of their own: the window's leads nowhere. */
export function createNetwork(): Network {
  const asking = session.fromPartition('network', { cache: false });
  return { resolveProxy: (url) => asking.resolveProxy(url) };
}
