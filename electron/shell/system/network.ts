import type { Session } from 'electron';
import type { Network } from '../../core/foundation/ports.ts';

/** The system's proxy settings, PAC files included, as the browser engine reads them. */
export function createNetwork(session: Session): Network {
  return { resolveProxy: (url) => session.resolveProxy(url) };
}
