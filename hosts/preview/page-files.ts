import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

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

const noncePlaceholder = '__CSP_NONCE__';

/** Letters, digits and a few signs, never starting with a dot: no `..`, no hidden file, no drive, nothing encoded. */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export interface PageFolders {
  /** The built window. */
  readonly renderer: string;
  /** The script that stands in for the desktop's preload. */
  readonly bridgeScript: string;
}

export interface PageAnswer {
  readonly status: 200 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Answers a request for a file of the page by the raw path of its address. Never rejects: what cannot be served is a 404. */
export async function answerPage(folders: PageFolders, rawPath: string): Promise<PageAnswer> {
  const path = rawPath === '/bridge.js' ? folders.bridgeScript : fileBelow(folders.renderer, rawPath);
  const mediaType = path && mediaTypes.get(extname(path));
  const bytes = path && mediaType ? await readFile(path).catch(() => null) : null;
  const nonce = randomBytes(18).toString('base64');
  if (!bytes || !mediaType) {
    return { status: 404, headers: headersFor('text/plain; charset=utf-8', nonce), body: 'Not found' };
  }
  const isPage = mediaType.startsWith('text/html');
  return {
    status: 200,
    headers: headersFor(mediaType, nonce),
    body: isPage ? withBridge(bytes.toString('utf8'), nonce) : bytes,
  };
}

function fileBelow(folder: string, rawPath: string): string | null {
  const segments = (rawPath === '/' ? '/index.html' : rawPath).slice(1).split('/');
  return segments.length <= 8 && segments.every((part) => segment.test(part)) ? join(folder, ...segments) : null;
}

/** The bridge must be there before the window's own script, as the preload is on the desktop. */
function withBridge(html: string, nonce: string): string {
  return html.replaceAll(noncePlaceholder, nonce).replace(/<head[^>]*>/, '$&<script src="/bridge.js"></script>');
}

/** As strict as the desktop's, except that the page may speak with its own address. */
function headersFor(mediaType: string, nonce: string): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "require-trusted-types-for 'script'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "font-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "frame-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
