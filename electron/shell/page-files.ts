import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { PreviewedFile } from '../core/verify/previews.ts';
import { answerFile, fileBelow, mediaTypes, type PageAnswer, type PageReach } from '../host-kit/built-page.ts';
import { isPageOrigin, pageOrigin, viewerOrigin } from './trusted-url.ts';

/** No connections, and no frame except the viewer's. */
const reach: PageReach = { connect: "'none'", frame: `${viewerOrigin}/` };

/**
 * The file below `folder` for an address. Null for a foreign origin, a query, a path with other than plain segments,
 * or a kind of file that the page does not use.
 */
export function pageFile(folder: string, address: string): string | null {
  if (!isPageOrigin(address)) return null;
  return fileBelow(folder, address.slice(pageOrigin.length + 1).replace(/#.*$/s, '') || 'index.html');
}

/** Answers a request for the page's scheme from the files in `folder`. Never rejects: a file that cannot be served is a 404. */
export const answerPageRequest = (folder: string, method: string, address: string): Promise<PageAnswer> =>
  answerFile(method === 'GET' ? pageFile(folder, address) : null, reach);

/** Finds the file of a token; null if the token is not or no longer valid. */
export type FindBytes = (token: string) => Promise<PreviewedFile | null>;

const token = /^[A-Za-z0-9_-]{32}$/;
/** Most bytes of one answer, whatever was requested: requests that a hostile PDF causes stay bounded. */
const mostBytes = 8 * 1024 * 1024;

/**
 * The viewer's content security policy: its own scripts, its own generated pictures and fonts, reads from its own
 * address only, and framed by the page only. No eval, no code or markup compiled from text, no other address.
 */
export function viewerPolicy(): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    // The one policy, and only once: of the worker's address (renderer/viewer/viewer.ts).
    'trusted-types viewer-worker',
    "style-src 'self'",
    'img-src blob: data:',
    "font-src 'self' blob: data:",
    "worker-src 'self'",
    "connect-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${pageOrigin}`,
  ].join('; ');
}

/**
 * Answers a request of the viewer: its own files, and `/bytes/TOKEN`, in parts. Never rejects: a file that cannot be
 * served is a 404.
 */
export async function answerViewerRequest(folder: string, find: FindBytes, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const segments = pathname.slice(1).split('/');
  if (request.method !== 'GET' || !request.url.startsWith(`${viewerOrigin}/`)) return refused(404);
  if (segments[0] === 'bytes') return answerBytes(find, segments[1] ?? '', request.headers.get('range'));
  const path = fileBelow(folder, pathname.slice(1));
  const bytes = path && (await readFile(path).catch(() => null));
  if (!bytes) return refused(404);
  const mediaType = mediaTypes.get(extname(path)) ?? '';
  return new Response(new Uint8Array(bytes), { status: 200, headers: headers({ 'Content-Type': mediaType }) });
}

async function answerBytes(find: FindBytes, name: string, range: string | null): Promise<Response> {
  const file = token.test(name) ? await find(name) : null;
  if (!file) return refused(404);
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? [];
  const begin = Number(from);
  const end = Math.min(Number(to), file.sizeBytes - 1, begin + mostBytes - 1);
  if (from === '' || begin > end) return refused(416);
  const stream = createReadStream(file.path, { start: begin, end });
  // The two types of web stream are the same at run time.
  return new Response(Readable.toWeb(stream) as unknown as ConstructorParameters<typeof Response>[0], {
    status: 206,
    headers: headers({
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(end - begin + 1),
      'Content-Range': `bytes ${begin}-${end}/${file.sizeBytes}`,
    }),
  });
}

function headers(more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'Content-Security-Policy': viewerPolicy(),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    ...more,
  };
}

function refused(status: 404 | 416): Response {
  return new Response('Not found', { status, headers: headers({ 'Content-Type': 'text/plain; charset=utf-8' }) });
}
