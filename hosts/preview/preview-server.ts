import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Core } from '../../electron/core/core.ts';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { answerFile, fileBelow, type PageAnswer, type PageReach } from '../../electron/host-kit/built-page.ts';

/** Larger than the longest input of the contract. */
const maxCallBytes = 256 * 1024 * 1024;
/** A page that no longer reads its events is disconnected; it connects again. */
const maxUnreadBytes = 32 * 1024 * 1024;

export interface PreviewServer {
  /** The address with this run's token: for the person who started the preview, and nobody else. */
  readonly address: string;
  close(): Promise<void>;
}

export interface PreviewOptions {
  readonly core: Pick<Core, 'call' | 'onEvent' | 'acceptStream'>;
  readonly folders: PageFolders;
  /** 0 for any free port. Rejects with EADDRINUSE if the port is in use. */
  readonly port: number;
}

/** Serves the window to a browser on this computer, for development. */
export async function servePreview({ core, folders, port }: PreviewOptions): Promise<PreviewServer> {
  let access: Access;
  const server = createServer((request, response) => {
    answer(access, core, folders, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: usedPort } = server.address() as AddressInfo;
  access = { origin: `http://127.0.0.1:${usedPort}`, token: randomBytes(24).toString('base64url') };
  return {
    address: `${access.origin}/#token=${access.token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  access: Access,
  core: PreviewOptions['core'],
  folders: PageFolders,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  if (!isFromOwnPage(access, request)) return refuse(response, 403);
  if (path === '/events' || path === '/call' || path === '/take') {
    if (request.method !== (path === '/events' ? 'GET' : 'POST')) return refuse(response, 405);
    if (!holdsToken(access, request)) return refuse(response, 401);
    if (path === '/events') return sendEvents(core, response);
    return path === '/call' ? answerCall(core, request, response) : answerTake(core, query, request, response);
  }
  if (request.method !== 'GET') return refuse(response, 405);
  if (path === '/favicon.ico') return void response.writeHead(204).end();
  const page = await answerPage(folders, path);
  response.writeHead(page.status, page.headers).end(page.body);
}

function refuse(response: ServerResponse, status: number): void {
  // The unread rest of a refused request stays unread.
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close', 'Cache-Control': 'no-store' });
  response.end(status === 401 ? 'Open the address that was printed at the start.' : 'Refused');
}

function sendJson(response: ServerResponse, value: unknown): void {
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(value));
}

async function answerCall(
  core: PreviewOptions['core'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers['content-type'] !== 'application/json') return refuse(response, 415);
  if (Number(request.headers['content-length']) > maxCallBytes) return refuse(response, 413);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxCallBytes) return refuse(response, 413);
    chunks.push(chunk);
  }
  const asked = parsed(Buffer.concat(chunks).toString('utf8'));
  if (!asked) return refuse(response, 400);
  sendJson(response, await core.call(asked.name, asked.input));
}

function parsed(text: string): { readonly name: string; readonly input: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
      return null;
    return { name: value.name, input: 'input' in value ? value.input : undefined };
  } catch {
    return null;
  }
}

/** Stores a file of the page: a browser gives no paths, so the core spools the bytes as they arrive. */
async function answerTake(
  core: PreviewOptions['core'],
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = new URLSearchParams(query).get('name') ?? '';
  try {
    sendJson(response, { ok: true, value: await core.acceptStream(name, request) });
  } catch (error) {
    const failure = failureOf(error) ?? { code: 'bug', note: 'the file could not be taken', retryable: false };
    sendJson(response, { ok: false, failure });
  }
}

function sendEvents(core: PreviewOptions['core'], response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const stop = core.onEvent((name, value) => {
    if (response.writableLength > maxUnreadBytes) response.destroy();
    else response.write(`data: ${JSON.stringify({ name, value })}\n\n`);
  });
  response.on('close', stop);
  // Headers without a body may be held back until its first byte.
  response.write(': listening\n\n');
}

interface PageFolders {
  /** Folder of the built window. */
  readonly renderer: string;
  /** Path of the script that replaces the desktop's preload. */
  readonly bridgeScript: string;
}

/** As strict as the desktop's policy, except that the page may connect to its own address. */
const reach: PageReach = { connect: "'self'", frame: "'none'" };

/**
 * Answers a request for a file of the page, given the raw path of its address. Never rejects: a file that cannot be
 * served is a 404.
 */
async function answerPage(folders: PageFolders, rawPath: string): Promise<PageAnswer> {
  if (rawPath === '/bridge.js') return answerFile(folders.bridgeScript, reach);
  const answer = await answerFile(fileBelow(folders.renderer, rawPath.slice(1) || 'index.html'), reach);
  return typeof answer.body === 'string' && answer.status === 200
    ? { ...answer, body: withBridge(answer.body) }
    : answer;
}

/** Loads the bridge before the window's own script, as the preload is on the desktop. */
function withBridge(html: string): string {
  return html.replace(/<head[^>]*>/, '$&<script src="/bridge.js"></script>');
}

/** Access control of the preview: only pages of exactly its own origin that hold this run's token. */
interface Access {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly token: string;
}

/** Checks every request: refuses a foreign host name for this address (DNS rebinding) and a foreign page. */
function isFromOwnPage(access: Access, request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host !== new URL(access.origin).host) return false;
  if (origin !== undefined && origin !== access.origin) return false;
  // Browsers always send the origin with requests that write.
  return request.method === 'GET' || origin === access.origin;
}

/** Whether the request carries this run's token. A header and no cookie: browsers send cookies to every port of a host. */
function holdsToken(access: Access, request: IncomingMessage): boolean {
  return isSame(request.headers.authorization ?? '', `Bearer ${access.token}`);
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
