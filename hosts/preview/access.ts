import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Access control of the preview: only pages of exactly its own origin that hold this run's token. */
export interface Access {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly cookieName: string;
  readonly token: string;
}

/** Access control for a preview on this port of 127.0.0.1 with this token. */
export function accessFor(port: number, token: string): Access {
  // Cookies are shared between ports: two previews must not overwrite each other's cookie.
  return { origin: `http://127.0.0.1:${port}`, cookieName: `sealdesk-preview-${port}`, token };
}

/** Checks every request: refuses a foreign host name for this address (DNS rebinding) and a foreign page. */
export function isFromOwnPage(access: Access, request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host !== new URL(access.origin).host) return false;
  if (origin !== undefined && origin !== access.origin) return false;
  // Browsers always send the origin with requests that write.
  return request.method === 'GET' || origin === access.origin;
}

/** Whether the request carries this run's token as the cookie. */
export function holdsToken(access: Access, request: IncomingMessage): boolean {
  const cookies = (request.headers.cookie ?? '').split(/; */);
  return cookies.some((cookie) => isSame(cookie, `${access.cookieName}=${access.token}`));
}

/** The cookie that replaces the token in the address. Scripts cannot read it and foreign pages cannot send it. */
export function cookieOf(access: Access): string {
  return `${access.cookieName}=${access.token}; HttpOnly; SameSite=Strict; Path=/`;
}

/** Compares in constant time. */
export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
