import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { isPageOrigin, pageOrigin, viewerOrigin } from './trusted-url.ts';

/** A Map, not an object: a file called `x.constructor` must not find anything. What is not in it is not served. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
]);

/** What the built page holds where the nonce of this load belongs (renderer/vite.config.ts). */
const noncePlaceholder = '__CSP_NONCE__';

/** Letters, digits and a few signs, never starting with a dot: no `..`, no hidden file, no drive, no encoded slash. */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * The file below `folder` that an address names, or null: foreign origin, query, anything that is not a plain
 * path, or a kind of file that the page has no use for.
 */
export function pageFile(
  folder: string,
  address: string,
): { readonly path: string; readonly mediaType: string } | null {
  if (!isPageOrigin(address)) return null;
  const pathname = address.slice(pageOrigin.length + 1).replace(/#.*$/s, '') || 'index.html';
  const segments = pathname.split('/');
  if (segments.length > 8 || !segments.every((part) => segment.test(part))) return null;
  const mediaType = mediaTypes.get(extname(pathname));
  return mediaType ? { path: join(folder, ...segments), mediaType } : null;
}

/** What the page may do: only its own files, no connection to anywhere, no eval, no plug-ins, no frame but the viewer's. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "worker-src 'self'",
    "connect-src 'none'",
    `frame-src ${viewerOrigin}/`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers a request of the page's scheme from the files in `folder`. Never rejects: what cannot be served is a 404. */
export async function answerPageRequest(folder: string, method: string, address: string): Promise<Response> {
  const file = method === 'GET' ? pageFile(folder, address) : null;
  const bytes = file ? await readFile(file.path).catch(() => null) : null;
  const nonce = randomBytes(18).toString('base64');
  const headers: Record<string, string> = {
    'Content-Type': bytes && file ? file.mediaType : 'text/plain; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
  if (!bytes || !file) return new Response('Not found', { status: 404, headers });
  const isPage = file.mediaType.startsWith('text/html');
  const body = isPage ? bytes.toString('utf8').replaceAll(noncePlaceholder, nonce) : new Uint8Array(bytes);
  return new Response(body, { status: 200, headers });
}
