import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One connection on the side of a raw server. */
export interface RawPeer {
  readonly socket: Socket;
  /** Everything that has arrived on this connection. */
  received(): Buffer;
  /** The next whole request: head and as many bytes of body as Content-Length says. Resolves with the raw text. */
  nextRequest(options?: { readonly discardBody?: boolean }): Promise<string>;
  /** Resolves when at least this number of bytes has arrived in total. */
  arrived(bytes: number): Promise<void>;
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  /** Connections still open on this side. */
  readonly open: () => number;
  close(): Promise<void>;
}

function peerOf(socket: Socket): RawPeer {
  let chunks: Buffer[] = [];
  let total = 0;
  let start = 0;
  let wake: () => void = () => undefined;
  let ended = false;
  socket.on('data', (chunk) => {
    total += chunk.length;
    chunks.push(chunk);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  const change = () =>
    new Promise<void>((resolve, reject) => {
      if (ended) return reject(new Error('the peer has gone'));
      wake = resolve;
    });
  const all = () => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] ?? Buffer.alloc(0);
  };
  return {
    socket,
    received: all,
    async arrived(bytes) {
      while (total < bytes) await change();
    },
    async nextRequest({ discardBody = false } = {}) {
      let end = -1;
      while (end < 0) {
        end = all().indexOf('\r\n\r\n', start);
        if (end < 0) await change();
      }
      const head = all().toString('latin1', start, end + 4);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (/^expect: 100-continue/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      while (total < end + 4 + length) await change();
      const text = discardBody ? head : all().toString('latin1', start, end + 4 + length);
      start = end + 4 + length;
      return text;
    },
  };
}

/** `tls`: bytes inside of TLS instead of plain ones. `port`: a certain port instead of a free one. */
interface RawOptions {
  readonly tls?: TlsOptions;
  readonly port?: number;
}

/** A server of raw bytes on 127.0.0.1: `serve` runs once for every connection and may misbehave in any way. */
export async function startRawServer(
  serve: (peer: RawPeer, index: number) => Promise<void> | void,
  options: RawOptions = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket) => {
    socket.on('error', () => undefined);
    Promise.resolve(serve(peerOf(socket), connections++)).catch(() => undefined);
  };
  const server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
  // With TLS these are the connections below, which exist even if no handshake is completed.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A server that answers every request with the XML, and the status (200), that it is given at that moment. */
export function startXmlServer(reply: () => { readonly xml: string; readonly status?: number }): Promise<RawServer> {
  return startRawServer(async (peer) => {
    await peer.nextRequest();
    const { xml, status = 200 } = reply();
    peer.socket.end(httpAnswer(status, 'text/xml; charset=utf-8', xml));
  });
}

/** An HTTP answer as bytes, with Content-Length and Connection: close. */
export function httpAnswer(status: number, type: string, body: string | Buffer, more = ''): Buffer {
  const bytes = Buffer.from(body as string);
  const typed = type ? `Content-Type: ${type}\r\n` : '';
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} X\r\n${typed}Content-Length: ${bytes.length}\r\n${more}Connection: close\r\n\r\n`),
    bytes,
  ]);
}
