import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentSink } from '../../../electron/core/files/target-file.ts';
import type { SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { type RawPeer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, replyOf, targetFor } from '../../harness/soap-texts.ts';

let server: RawServer | undefined;
let client: SoapClient | undefined;
afterEach(async () => {
  client?.close();
  await server?.close();
});

async function connect(serve: (peer: RawPeer) => Promise<void>): Promise<SoapClient> {
  server = await startRawServer(async (peer) => {
    await peer.nextRequest();
    await serve(peer);
  });
  client = createSoapClient(targetFor(server.url), credentials);
  return client;
}

/** Takes a document in blocks of 100,000 bytes and asks for a pause after each. */
function slowSink(pauseMs: number): DocumentSink & { whole(): Buffer; readonly pauses: number } {
  const full: Buffer[] = [];
  let pauses = 0;
  let due = false;
  const sink = {
    buffer: Buffer.alloc(100_000),
    at: 0,
    reserve(bytes: number) {
      if (sink.at + bytes <= sink.buffer.length) return;
      full.push(sink.buffer.subarray(0, sink.at));
      sink.buffer = Buffer.alloc(100_000);
      sink.at = 0;
      due = true;
    },
    settle() {
      if (!due) return undefined;
      due = false;
      pauses += 1;
      return sleep(pauseMs);
    },
    get sizeBytes() {
      return full.reduce((sum, { length }) => sum + length, sink.at);
    },
    whole: () => Buffer.concat([...full, sink.buffer.subarray(0, sink.at)]),
    get pauses() {
      return pauses;
    },
  };
  return sink;
}

const head = (bytes: number, more = '') =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: ${bytes}\r\n${more}\r\n`;
const document = randomBytes(3_000_001);
const body = Buffer.from(replyOf('GetDocument', document.toString('base64')));

const servings: readonly (readonly [string, (peer: RawPeer) => Promise<void>])[] = [
  [
    'all at once, and the end of the connection at once',
    async ({ socket }) => void socket.end(Buffer.concat([Buffer.from(head(body.length)), body])),
  ],
  [
    'the head alone',
    async ({ socket }) => {
      socket.write(head(body.length));
      await sleep(30);
      socket.write(body);
    },
  ],
  [
    'the head in pieces, then a little of the body',
    async ({ socket }) => {
      const whole = Buffer.concat([Buffer.from(head(body.length)), body]);
      for (const [from, to] of [
        [0, 20],
        [20, 60],
        [60, 400],
        [400, 100_000],
      ]) {
        socket.write(whole.subarray(from, to));
        await sleep(10);
      }
      socket.write(whole.subarray(100_000));
    },
  ],
  [
    'after "continue" and "early hints", which nobody asked for',
    async ({ socket }) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n');
      await sleep(10);
      socket.write(head(body.length));
      socket.write(body);
    },
  ],
  [
    'with bytes behind the end',
    async ({ socket }) => {
      socket.write(head(body.length));
      await sleep(30);
      socket.write(Buffer.concat([body, Buffer.from('HTTP/1.1 500 No\r\n\r\n'), body]));
    },
  ],
  [
    'chunked',
    async ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (let at = 0; at < body.length; at += 70_000) {
        const part = body.subarray(at, at + 70_000);
        socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
      }
      socket.end('0\r\n\r\n');
    },
  ],
  [
    'until the connection ends',
    async ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n');
      socket.end(body);
    },
  ],
];

describe('a document that bypasses node:http', () => {
  it.each(servings)('is the same: %s', async (_what, serve) => {
    const sink = slowSink(2);
    await (await connect(serve)).receive('id', sink);
    expect(sink.whole().equals(document)).toBe(true);
    expect(sink.pauses).toBeGreaterThan(2);
    await expect.poll(() => server?.open()).toBe(0);
  });

  it('holds the peer back while the consumer is busy', async () => {
    const sink = slowSink(300);
    let sentBytes = 0;
    const receiving = connect(async ({ socket }) => {
      socket.write(head(400 * 1024 * 1024));
      const block = Buffer.alloc(1024 * 1024, 'A');
      socket.write(replyOf('GetDocument', '').split('</r:GetDocumentResult>')[0] ?? '');
      for (let count = 0; count < 100; count++) {
        const taken = new Promise((resolve) => socket.write(block, resolve));
        await taken;
        sentBytes += block.length;
      }
    });
    const controller = new AbortController();
    const ended = (await receiving).receive('id', sink, { signal: controller.signal });
    ended.catch(() => undefined);
    await sleep(500);
    // What the system keeps on both sides may be some megabytes.
    expect(sentBytes).toBeLessThan(40 * 1024 * 1024);
    controller.abort();
    await expect(ended).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await expect.poll(() => server?.open()).toBe(0);
  });

  it.each([
    ['with an orderly end', (peer: RawPeer) => void peer.socket.end()],
    ['with a reset', (peer: RawPeer) => void peer.socket.resetAndDestroy()],
  ])('that breaks off %s rejects', async (_what, breakOff) => {
    const receiving = await connect(async (peer) => {
      peer.socket.write(head(body.length));
      await sleep(30);
      peer.socket.write(body.subarray(0, 1_000_000));
      await sleep(50);
      breakOff(peer);
    });
    await expect(receiving.receive('id', slowSink(1))).rejects.toMatchObject({
      failure: { code: 'reply-unreadable', detail: 'truncated-reply' },
    });
  });

  it('that stalls rejects', async () => {
    const receiving = await connect(async ({ socket }) => {
      socket.write(head(body.length));
      await sleep(30);
      socket.write(body.subarray(0, 1_000_000));
    });
    await expect(receiving.receive('id', slowSink(1))).rejects.toMatchObject({
      failure: { code: 'service-timeout', detail: 'no-progress-in-time' },
    });
    await expect.poll(() => server?.open()).toBe(0);
  });
});
