import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Body, textBody } from './answer-body.ts';

export interface Endpoint {
  post(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): Promise<string>;
  /** Null if it is hidden. */
  wsdl(): Promise<string | null>;
}

export interface HttpHandlers {
  /** The endpoint of a path (lower case, without query); null if there is none. */
  readonly at: (path: string) => Endpoint | null;
  readonly log: (line: string) => void;
}

/** Far more than the program needs. */
const maxConnections = 200;
const tickMs = 5_000;
/** Two minutes for the first head of a connection, ten without a byte after it. */
const headTicks = 24;
const quietTicks = 120;

/** Listens on 127.0.0.1. Refuses another Host (DNS rebinding) and sends no CORS headers to pages of other origins. `close`: closes all connections and waits for running operations. */
export async function listen(port: number, handlers: HttpHandlers) {
  const running = new Set<Promise<void>>();
  // node's time limits are off: uploads of gigabytes take long, and a request that waited while the computer slept must not get a 408.
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 });
  server.maxConnections = maxConnections;
  const watch = watchConnections(server);
  const handle = (awaitsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    watch.began(request.socket);
    // A connection that the client breaks is no error of the service.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const work = answer(handlers, request, response, awaitsContinue)
      .catch((error: Error) => `failed: ${error.message.slice(0, 200)}`)
      .then((line) => handlers.log(`${request.method} ${pathOf(request)} ${line}`));
    running.add(work);
    void work.then(() => running.delete(work));
  };
  server.on('request', handle(false));
  server.on('checkContinue', handle(true));
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    void send(response, page(417, 'Expectation Failed', 'Only 100-continue is known here.'));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return { port: await started(server, port), close: () => stop(server, running).finally(watch.end) };
}

interface Quiet {
  /** Bytes in both directions at the last tick. */
  bytes: number;
  ticks: number;
  hasRequest: boolean;
}

/**
 * Closes connections on which nothing moves, and those that do not come to a request. Time is counted in ticks, of which none pass while the computer
 * sleeps.
 */
function watchConnections(server: Server) {
  const open = new Map<Socket, Quiet>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { bytes: 0, ticks: 0, hasRequest: false });
    socket.on('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, quiet] of open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const moves = quiet.hasRequest && bytes !== quiet.bytes;
      quiet.ticks = moves ? 0 : quiet.ticks + 1;
      quiet.bytes = bytes;
      if (quiet.ticks >= (quiet.hasRequest ? quietTicks : headTicks)) socket.destroy();
    }
  }, tickMs);
  timer.unref();
  return {
    /** A request has come on this connection. */
    began: (socket: Socket) => {
      const quiet = open.get(socket);
      if (quiet) Object.assign(quiet, { hasRequest: true, ticks: 0 });
    },
    end: () => clearInterval(timer),
  };
}

async function answer(
  handlers: HttpHandlers,
  request: IncomingMessage,
  response: ServerResponse,
  awaitsContinue: boolean,
): Promise<string> {
  const path = pathOf(request);
  const refuse = async (status: number, title: string, text: string, headers: Record<string, string> = {}) => {
    if (awaitsContinue) response.shouldKeepAlive = false;
    const plain = page(status, title, text);
    await send(response, { ...plain, headers: { ...plain.headers, ...headers } });
    return String(status);
  };
  const ownPort = request.socket.localPort;
  if (request.headers.host !== `127.0.0.1:${ownPort}` && request.headers.host !== `localhost:${ownPort}`)
    return refuse(421, 'Misdirected Request', 'This service answers to its own address only.');
  const endpoint = handlers.at(path);
  if (!endpoint) return refuse(404, 'The resource cannot be found.', 'HTTP 404. There is no service at this path.');
  if (request.method === 'POST') return endpoint.post(request, response, awaitsContinue);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(405, 'Method Not Allowed', 'Send SOAP by POST.', { Allow: 'GET, HEAD, POST' });
  if (!/\?wsdl$/i.test(request.url ?? ''))
    return refuse(200, 'Practice service', 'Send SOAP by POST. The description is at <a href="?wsdl">?wsdl</a>.');
  const description = await endpoint.wsdl();
  if (description === null) return refuse(404, 'The resource cannot be found.', 'HTTP 404. There is no description.');
  const headers = { 'Content-Type': 'text/xml; charset=utf-8' };
  await send(response, { status: 200, headers, body: textBody(description) });
  return 'wsdl';
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0]?.toLowerCase() ?? '/';
}

function started(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

async function stop(server: Server, running: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await Promise.all(running);
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Misbehaviour while an answer is sent. */
export interface Sending {
  /** Close the connection after half of the body. */
  readonly dropInMiddle?: boolean;
  readonly trickle?: { readonly bytes: number; readonly everyMs: number };
}

export function page(status: number, title: string, text: string): HttpAnswer {
  const html = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: textBody(html) };
}

/** Sends an answer with a Content-Length, as the interface requires, never chunked. */
export async function send(response: ServerResponse, answer: HttpAnswer, sending: Sending = {}): Promise<void> {
  const { sizeBytes } = answer.body;
  // Node's own line has a clock of its own; this is the clock of the times in the answers.
  const now = new Date().toUTCString();
  response.writeHead(answer.status, { Date: now, ...answer.headers, 'Content-Length': String(sizeBytes) });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const limit = sending.dropInMiddle ? Math.floor(sizeBytes / 2) : sizeBytes;
  let sent = 0;
  let before: Promise<void> = Promise.resolve();
  for await (const piece of answer.body.pieces()) {
    const part = piece.subarray(0, limit - sent);
    sent += part.length;
    if (sending.trickle) await trickle(response, part, sending.trickle);
    else {
      // One piece may be in transit while the next is produced; after that its memory is reused.
      const now = write(response, part);
      now.catch(() => undefined);
      await before;
      before = now;
    }
    if (sent >= limit) break;
  }
  await before;
  if (sending.dropInMiddle) response.destroy();
  else response.end();
}

async function trickle(response: ServerResponse, part: Buffer, { bytes, everyMs }: { bytes: number; everyMs: number }) {
  for (let at = 0; at < part.length; at += bytes) {
    await write(response, part.subarray(at, at + bytes));
    await wait(everyMs);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (bytes.length === 0) return resolve();
    // After the client closed the connection, write may never call back.
    const closed = () => reject(new Error('the client closed the connection'));
    if (response.destroyed || response.closed) return closed();
    response.once('close', closed);
    response.write(bytes, (error) => {
      response.off('close', closed);
      if (error) reject(error);
      else resolve();
    });
  });
}
