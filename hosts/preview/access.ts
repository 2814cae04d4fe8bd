import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Access control of the preview: only pages of exactly its own origin that hold this run's token. */
export interface Access {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly token: string;
}

/** Checks every request: refuses a foreign host name for this address (DNS rebinding) and a foreign page. */
export function isFromOwnPage(access: Access, request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host !== new URL(access.origin).host) return false;
  if (origin !== undefined && origin !== access.origin) return false;
  // Browsers always send the origin with requests that write.
  return request.method === 'GET' || origin === access.origin;
}

/** Whether the request carries this run's token. A header and no cookie: browsers send cookies to every port of a host. */
export function holdsToken(access: Access, request: IncomingMessage): boolean {
  return isSame(request.headers.authorization ?? '', `Bearer ${access.token}`);
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
