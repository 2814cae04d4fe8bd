import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may speak with the preview: pages of exactly its own origin that hold this run's token. */
export interface Door {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly cookieName: string;
  readonly token: string;
}

export function doorFor(port: number, token: string): Door {
  // Cookies do not tell ports apart: two previews must not log each other out.
  return { origin: `http://127.0.0.1:${port}`, cookieName: `sealdesk-preview-${port}`, token };
}

/** The gate for every request: a foreign name for this address (DNS rebinding) and a foreign page are turned away. */
export function isFromOwnPage(door: Door, request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host !== new URL(door.origin).host) return false;
  if (origin !== undefined && origin !== door.origin) return false;
  // Writing requests always carry their origin.
  return request.method === 'GET' || origin === door.origin;
}

/** Whether the request carries this run's token as the cookie. */
export function holdsToken(door: Door, request: IncomingMessage): boolean {
  const cookies = (request.headers.cookie ?? '').split(/; */);
  return cookies.some((cookie) => isSame(cookie, `${door.cookieName}=${door.token}`));
}

/** The cookie that the address with the token is turned into. Scripts cannot read it and foreign pages cannot send it. */
export function cookieOf(door: Door): string {
  return `${door.cookieName}=${door.token}; HttpOnly; SameSite=Strict; Path=/`;
}

/** Takes the same time wherever the difference is. */
export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
