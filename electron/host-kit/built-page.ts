import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/*
 * Serves the files of the built window for both hosts: the desktop at its own scheme, the preview over HTTP. The hosts differ only in where the page may
 * connect to and what it may frame.
 */

/** File endings that are served. A Map, not an object: a file called `x.constructor` must not match a built-in property. */
export const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
  ['.ttf', 'font/ttf'],
  ...['.bcmap', '.pfb', '.icc'].map((ending) => [ending, 'application/octet-stream'] as const),
]);

/** Placeholder in the built page for the nonce of this load (renderer/vite.config.ts). */
const noncePlaceholder = '__CSP_NONCE__';

/** Letters, digits and a few signs, never starting with a dot: no `..`, no hidden file, no drive, no encoded slash. */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const mostSegments = 8;

/** Sources of a policy, as they are written in it: `'none'`, `'self'`, `app://viewer/`. */
export interface PageReach {
  readonly connect: string;
  readonly frame: string;
}

export interface PageAnswer {
  readonly status: 200 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The file below `folder` for a path without its first slash; null for anything but a plain path and for endings that are not served. */
export function fileBelow(folder: string, path: string): string | null {
  const segments = path.split('/');
  const isPlain = segments.length <= mostSegments && segments.every((part) => segment.test(part));
  return isPlain && mediaTypes.has(extname(path)) ? join(folder, ...segments) : null;
}

/** Content security policy of the page: its own files, no eval, no plug-ins, and outside of itself only `reach`. */
export function pagePolicy(nonce: string, reach: PageReach): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    // The one policy, and only once: of the empty text (renderer/app/main.tsx).
    'trusted-types default',
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ${reach.connect}`,
    `frame-src ${reach.frame}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers with a file; a page gets a new nonce at each load. Never rejects: null, an ending that is not served, and an unreadable file are a 404. */
export async function answerFile(path: string | null, reach: PageReach): Promise<PageAnswer> {
  const mediaType = path === null ? undefined : mediaTypes.get(extname(path));
  const bytes = path !== null && mediaType ? await readFile(path).catch(() => null) : null;
  const nonce = randomBytes(18).toString('base64');
  const isFound = bytes !== null && mediaType !== undefined;
  const headers = {
    'Content-Type': isFound ? mediaType : 'text/plain; charset=utf-8',
    'Content-Security-Policy': pagePolicy(nonce, reach),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
  if (!isFound) return { status: 404, headers, body: 'Not found' };
  const isPage = mediaType.startsWith('text/html');
  return { status: 200, headers, body: isPage ? bytes.toString('utf8').replaceAll(noncePlaceholder, nonce) : bytes };
}
