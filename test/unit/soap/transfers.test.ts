import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../contract/failure.ts';
import type { CallOptions, DocumentSource, ServiceTarget, SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { overwriteKeepingTime, setOldTime } from '../../harness/overwrite.ts';
import { httpAnswer, type RawPeer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, enveloped, replyOf, targetFor } from '../../harness/soap-texts.ts';
import { sampled } from '../../harness/test-length.ts';

const xml = 'text/xml; charset=utf-8';
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const added = httpAnswer(200, xml, replyOf('AddNewDocument', guid));
const validated = httpAnswer(200, xml, replyOf('ValidateDocument', 'Valid'));
const fault = enveloped('<soap-env:Fault><faultcode>c</faultcode><faultstring>no</faultstring></soap-env:Fault>');

let folder = '';
let server: RawServer | undefined;
let client: SoapClient | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer-'));
});
afterEach(async () => {
  client?.close();
  await server?.close();
  await rm(folder, { recursive: true });
});

/** For a peer that is silent. */
const short = { connectMs: 250, idleMs: 250, answerMs: 250 };

async function connect(serve: (peer: RawPeer, index: number) => Promise<void>, more: Partial<ServiceTarget> = {}) {
  server = await startRawServer(serve);
  client = createSoapClient(
    targetFor(server.url, { timeouts: { connectMs: 700, idleMs: 700, answerMs: 700 }, ...more }),
    credentials,
  );
  return client;
}

async function documentOf(sizeBytes: number): Promise<DocumentSource & { readonly bytes: Buffer }> {
  const bytes = Buffer.from(Array.from({ length: Math.min(sizeBytes, 8192) }, (_, at) => (at * 7919) >> 3));
  const whole = Buffer.alloc(sizeBytes, bytes.length > 0 ? bytes : 0);
  const path = join(folder, `document-${sizeBytes}`);
  await writeFile(path, whole);
  return { path, sizeBytes, sha256: createHash('sha256').update(whole).digest('hex'), bytes: whole };
}

const settled = (work: Promise<unknown> | undefined) =>
  (work ?? Promise.resolve()).then(
    (value) => ({ value, failure: undefined as Failure | undefined }),
    (error: { failure: Failure }) => ({ value: undefined, failure: error.failure }),
  );
const add = (Document: DocumentSource, options?: CallOptions) =>
  settled(client?.invoke('AddNewDocument', { creditType: 1, Document }, options));
const validate = (ServiceDocument: DocumentSource, options?: CallOptions) =>
  settled(client?.invoke('ValidateDocument', { ServiceDocument }, options));
const noSockets = async () => {
  for (let turn = 0; turn < 50 && server?.open() !== 0; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(server?.open()).toBe(0);
};

describe('documents on the wire', () => {
  it.each(sampled([0, 1, 2, 3, 49_151, 49_152, 49_153, 786_431, 786_433, 1_000_000, 5_000_001], { short: 2, ci: 1 }))(
    '%i bytes arrive as they are',
    async (size) => {
      let request = '';
      await connect(async (peer) => {
        request = await peer.nextRequest();
        peer.socket.end(added);
      });
      const document = await documentOf(size);
      const callbacks: string[] = [];
      let last = { sent: -1, total: 0 };
      const { value } = await add(document, {
        onDeparture: () => void callbacks.push('departure'),
        onAnswer: () => callbacks.push('answer'),
        onSent: (sent, total) => {
          expect(sent).toBeGreaterThanOrEqual(last.sent);
          last = { sent, total };
        },
      });
      expect(value).toEqual({ raw: guid });
      const base64 = /<Document>(.*)<\/Document>/s.exec(request)?.[1] ?? '';
      expect(base64 === document.bytes.toString('base64')).toBe(true);
      expect(callbacks).toEqual(['departure', 'answer']);
      const length = Number(/Content-Length: (\d+)/.exec(request)?.[1]);
      expect(last).toEqual({ sent: length, total: length });
      expect(/^Expect: 100-continue\r$/m.test(request)).toBe(length > 1_048_576);
      await noSockets();
    },
  );

  it('a long text shows progress on a slow connection and does not count as stalled', async () => {
    const seen: number[] = [];
    await connect(
      async (peer) => {
        peer.socket.pause();
        // A little at a time, for longer than the limit on progress in all.
        const pace = setInterval(() => {
          peer.socket.resume();
          setTimeout(() => peer.socket.pause(), 5);
        }, 120);
        await peer.nextRequest({ discardBody: true });
        clearInterval(pace);
        peer.socket.end(httpAnswer(200, xml, replyOf('AddNewEasySignTemplate', guid)));
      },
      { timeouts: { connectMs: 700, idleMs: 500, answerMs: 5_000 } },
    );
    const args = { TemplateID: 'T', XMLData: 'some text '.repeat(1_500_000) };
    const { value } = await settled(
      client?.invoke('AddNewEasySignTemplate', args, { onSent: (sentBytes) => seen.push(sentBytes) }),
    );
    expect(value).toEqual({ raw: guid });
    expect(seen.length).toBeGreaterThan(100);
  });

  it('waits at most a second for a peer without support for Expect', async () => {
    await connect(
      async (peer) => {
        await peer.arrived(1);
        const head = peer.received().toString('latin1');
        await peer.arrived(head.indexOf('\r\n\r\n') + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1]));
        peer.socket.end(added);
      },
      { timeouts: { connectMs: 500, idleMs: 5_000, answerMs: 5_000 } },
    );
    const since = performance.now();
    expect((await add(await documentOf(1_500_000))).value).toEqual({ raw: guid });
    expect(performance.now() - since).toBeGreaterThan(900);
    expect(performance.now() - since).toBeLessThan(4_000);
  });
});

describe('an answer before the body has left', () => {
  const answers = [
    [401, httpAnswer(401, 'text/html', '<p>no</p>'), 'reply-unreadable', 'http-status'],
    [413, httpAnswer(413, 'text/html', '<p>big</p>'), 'reply-unreadable', 'http-status'],
    [302, httpAnswer(302, '', '', 'Location: http://127.0.0.1:9/\r\n'), 'reply-unreadable', 'redirected'],
    [200, httpAnswer(200, 'text/html', '<p>portal</p>'), 'reply-unreadable', 'html-page'],
    [500, httpAnswer(500, xml, fault), 'service-refused', 'soap-fault'],
  ] as const;
  it.each(sampled(answers, { short: 4, ci: 2 }))('%i instead of "continue"', async (_status, answer, code, detail) => {
    let bodyBytes = -1;
    await connect(async (peer) => {
      await peer.arrived(1);
      peer.socket.end(answer);
      await new Promise((resolve) => setTimeout(resolve, 50));
      bodyBytes = peer.received().length;
    });
    expect((await add(await documentOf(20_000_000))).failure).toMatchObject({ code, detail });
    await noSockets();
    expect(bodyBytes).toBeLessThan(1_000);
  });

  it.each(sampled(answers, { short: 4, ci: 2 }))(
    '%i in the middle of the body, with a peer that closes at once',
    async (_status, answer, code, detail) => {
      for (let turn = 0; turn < 5; turn++) {
        await connect(async (peer) => {
          await peer.arrived(1);
          peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          await peer.arrived(300_000);
          peer.socket.pause();
          peer.socket.write(answer, () => peer.socket.destroy());
        });
        expect((await add(await documentOf(20_000_000))).failure).toMatchObject({ code, detail });
        await noSockets();
        await server?.close();
      }
    },
  );
});

describe('an add whose answer is lost is in doubt, a read is not', () => {
  const cases: [string, (peer: RawPeer, answer: Buffer) => void, string][] = [
    ['closed without an answer', (peer) => peer.socket.end(), 'connection-lost'],
    ['reset', (peer) => peer.socket.resetAndDestroy(), 'connection-lost'],
    ['silence', () => undefined, 'no-answer-in-time'],
    ['half an answer', (peer, good) => peer.socket.end(good.subarray(0, good.length - 40)), 'truncated-reply'],
    [
      'an answer that stalls',
      (peer, good) => void peer.socket.write(good.subarray(0, good.length - 40)),
      'no-progress-in-time',
    ],
    ['a web page', (peer) => peer.socket.end(httpAnswer(200, 'text/html', '<p>')), 'html-page'],
    ['a gateway’s 502', (peer) => peer.socket.end(httpAnswer(502, 'text/html', '<p>')), 'http-status'],
    ['a redirect', (peer) => peer.socket.end(httpAnswer(302, '', '', 'Location: /error\r\n')), 'redirected'],
    [
      'the reply to something else',
      (peer) => peer.socket.end(httpAnswer(200, xml, replyOf('GetVersion', '1'))),
      'wrong-reply',
    ],
  ];
  it.each(cases)('%s', async (_name, answer, detail) => {
    await connect(
      async (peer, index) => {
        await peer.nextRequest();
        answer(peer, index === 0 ? added : validated);
      },
      detail.endsWith('-in-time') ? { timeouts: short } : {},
    );
    const document = await documentOf(1_000);
    expect((await add(document)).failure).toMatchObject({ code: 'outcome-unknown', detail, retryable: false });
    const { failure } = await validate(document);
    expect(failure?.detail).toBe(detail);
    expect(['service-unreachable', 'service-timeout', 'reply-unreadable']).toContain(failure?.code);
    expect(server?.connections()).toBe(2);
  });

  it.each([411, 414, 415, 431])('a request whose head HTTP refused is not in doubt: %i', async (status) => {
    await connect(async (peer) => {
      await peer.nextRequest();
      peer.socket.end(httpAnswer(status, 'text/html', '<p>'));
    });
    const { failure } = await add(await documentOf(10));
    expect(failure).toMatchObject({ code: 'reply-unreadable', serviceCode: `${status}` });
  });

  it.each([401, 403, 404, 405, 407, 413])(
    'a %i after the whole request is in doubt, whoever says it',
    async (status) => {
      const asks = 'WWW-Authenticate: Basic realm="x"\r\nProxy-Authenticate: Basic realm="x"\r\n';
      for (const type of ['text/html', 'text/xml']) {
        await connect(async (peer) => {
          await peer.nextRequest();
          peer.socket.end(httpAnswer(status, type, '<p/>', asks));
        });
        const { failure } = await add(await documentOf(10));
        expect(failure).toMatchObject({ code: 'outcome-unknown', detail: 'http-status', serviceCode: `${status}` });
        await server?.close();
      }
    },
  );

  it.each([
    ['a 401 with', 401, 0],
    ['a 404 with', 404, 0],
    ['a 413 with the beginning of', 413, 40],
  ])(
    '%s the answer of the service is in doubt, as the service has read the request',
    async (_with, status, missing) => {
      const answer = replyOf('AddNewDocument', guid);
      await connect(async (peer) => {
        await peer.nextRequest();
        peer.socket.end(httpAnswer(status, 'text/xml', answer.slice(0, answer.length - missing)));
      });
      const { failure } = await add(await documentOf(10));
      expect(failure).toMatchObject({ code: 'outcome-unknown', serviceCode: `${status}` });
    },
  );

  it('a peer that stops taking bytes', async () => {
    let stopped: RawPeer | undefined;
    await connect(async (peer) => {
      stopped = peer;
      await peer.arrived(1);
      peer.socket.pause();
    });
    expect((await add(await documentOf(30_000_000))).failure).toMatchObject({
      code: 'outcome-unknown',
      detail: 'no-progress-in-time',
    });
    // It sees the end of the connection only behind what it has not read.
    stopped?.socket.resume();
    await noSockets();
  });

  it('without a server nothing was sent', async () => {
    await connect(async () => undefined);
    await server?.close();
    let departed = false;
    const onDeparture = () => {
      departed = true;
    };
    const { failure } = await add(await documentOf(10), { onDeparture });
    expect(failure).toMatchObject({ code: 'service-unreachable', detail: 'connection-refused', retryable: true });
    expect(departed).toBe(false);
  });

  it.each([10, 2_000_000])('no byte of %i leaves before its departure is recorded', async (size) => {
    let [arrived, early] = [false, false];
    await connect(async (peer) => {
      peer.socket.once('data', () => {
        arrived = true;
      });
      await peer.nextRequest({ discardBody: true });
      peer.socket.end(added);
    });
    const recorded = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      early = arrived;
    };
    expect((await add(await documentOf(size), { onDeparture: recorded })).value).toEqual({ raw: guid });
    expect([arrived, early]).toEqual([true, false]);
  });

  it('a read is sent again if a keep-alive connection had been closed', async () => {
    await connect(async (peer) => {
      await peer.nextRequest();
      const reply = replyOf('GetVersion', '1');
      peer.socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(reply)}\r\n\r\n${reply}`,
      );
      await peer.nextRequest();
      peer.socket.resetAndDestroy();
    });
    for (let turn = 0; turn < 3; turn++) expect(await client?.invoke('GetVersion', {})).toEqual({ raw: '1' });
  });

  it('a read that may cost something is not: the service may have it', async () => {
    let requests = 0;
    await connect(async (peer) => {
      await peer.nextRequest();
      requests += 1;
      const reply = replyOf('ValidateDocument', 'Valid');
      peer.socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(reply)}\r\n\r\n${reply}`,
      );
      await peer.nextRequest();
      requests += 1;
      peer.socket.resetAndDestroy();
    });
    const validate = async () => client?.invoke('ValidateDocument', { ServiceDocument: await documentOf(10) });
    expect(await validate()).toEqual({ raw: 'Valid' });
    await expect(validate()).rejects.toMatchObject({ failure: { detail: 'connection-lost' } });
    expect(requests).toBe(2);
  });
});

describe('files that changed', () => {
  it('another size, a missing file, a folder are found before anything leaves', async () => {
    await connect(async () => undefined);
    const document = await documentOf(100);
    expect((await add({ ...document, sizeBytes: 99 })).failure?.code).toBe('file-changed');
    expect((await add({ ...document, path: join(folder, 'no') })).failure).toMatchObject({
      code: 'file-unreadable',
      detail: 'file-missing',
    });
    expect((await add({ ...document, path: folder })).failure).toMatchObject({
      code: 'file-unreadable',
      detail: 'file-is-folder',
    });
    expect(server?.connections()).toBe(0);
  });

  it.each([
    ['shorter', (path: string) => truncate(path, 1_000)],
    ['other bytes', (path: string) => writeFile(path, Buffer.alloc(20_000_000))],
    [
      'other bytes with the time put back',
      async (path: string) => overwriteKeepingTime(path, Buffer.alloc(20_000_000)),
    ],
  ])('%s while it is being sent: the request is never completed', async (_name, change) => {
    const document = await documentOf(20_000_000);
    setOldTime(document.path);
    let request: Buffer = Buffer.alloc(0);
    await connect(async (peer) => {
      await peer.arrived(1);
      await change(document.path);
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      await new Promise((resolve) => peer.socket.once('close', resolve));
      request = peer.received();
    });
    expect((await add(document)).failure?.code).toBe('file-changed');
    await noSockets();
    expect(request.includes('</Document>')).toBe(false);
  });

  it('longer while it is being sent: what was announced arrives', async () => {
    const document = await documentOf(20_000_000);
    let request = '';
    await connect(async (peer) => {
      await peer.arrived(1);
      await appendFile(document.path, 'x');
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      request = await peer.nextRequest();
      peer.socket.end(added);
    });
    expect((await add(document)).value).toEqual({ raw: guid });
    expect(request.includes(`>${document.bytes.toString('base64')}<`)).toBe(true);
  });
});

describe('cancelling', () => {
  it('before, while connecting, in the middle of the body, and after it', async () => {
    const document = await documentOf(20_000_000);
    await connect(async (peer) => {
      await peer.nextRequest({ discardBody: true });
    });
    expect((await add(document, { signal: AbortSignal.abort() })).failure?.code).toBe('cancelled');
    expect(server?.connections()).toBe(0);
    const middle = new AbortController();
    const early = await add(document, { signal: middle.signal, onSent: (sent) => sent > 3_000_000 && middle.abort() });
    expect(early.failure?.code).toBe('cancelled');
    await noSockets();
    const late = new AbortController();
    const after = await add(document, {
      signal: late.signal,
      onSent: (sent, total) => void (sent === total && setTimeout(() => late.abort(), 50)),
    });
    expect(after.failure?.code).toBe('outcome-unknown');
    await noSockets();
    const read = new AbortController();
    const asked = validate(document, {
      signal: read.signal,
      onSent: (sent, total) => void (sent === total && setTimeout(() => read.abort(), 50)),
    });
    expect((await asked).failure?.code).toBe('cancelled');
    await noSockets();
  });

  it('while a proxy does not answer', async () => {
    await connect(async () => undefined);
    const own = createSoapClient(
      targetFor('https://service.example', { proxy: `PROXY 127.0.0.1:${server?.port}` }),
      credentials,
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect((await settled(own.invoke('AddQuickNote', {}, { signal: controller.signal }))).failure?.code).toBe(
      'cancelled',
    );
    await noSockets();
    own.close();
  });

  it.each([0, 1, 400, 20_000, 3_000_000])('a download after %i bytes leaves no file and no socket', async (bytes) => {
    const whole = httpAnswer(200, xml, replyOf('GetDocument', Buffer.alloc(3_000_000, 'abc').toString('base64')));
    const controller = new AbortController();
    await connect(async (peer) => {
      await peer.nextRequest();
      peer.socket.write(whole.subarray(0, bytes));
      setTimeout(() => controller.abort(), 60);
    });
    const { failure } = await settled(
      client?.download('id', { path: join(folder, 'out.pdf') }, { signal: controller.signal }),
    );
    expect(failure?.code).toBe('cancelled');
    expect(await readdir(folder)).toEqual([]);
    await noSockets();
  });
});

describe('downloads', () => {
  const serveOne = (answer: Buffer) =>
    connect(async (peer) => {
      await peer.nextRequest();
      peer.socket.end(answer);
    });
  const fetched = async (answer: Buffer, target = join(folder, 'out.pdf')) => {
    await serveOne(answer);
    return settled(client?.download('id', { path: target }));
  };
  it('writes the file to its target and returns its hash', async () => {
    const { bytes } = await documentOf(2_000_003);
    const { value } = await fetched(httpAnswer(200, xml, replyOf('GetDocument', bytes.toString('base64'))));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(value).toEqual({ sizeBytes: 2_000_003, sha256, path: join(folder, 'out.pdf') });
    expect((await readdir(folder)).sort()).toEqual(['document-2000003', 'out.pdf']);
  });
  const reply = (inner: string | null) => httpAnswer(200, xml, replyOf('GetDocument', inner));
  it.each(['Not Found', 'True', 'Invalid Document'])('reports the text %j and writes no file', async (words) => {
    const { failure } = await fetched(reply(words));
    expect(failure).toMatchObject({ code: 'reply-unreadable', detail: 'wrong-reply', raw: words });
    expect(await readdir(folder)).toEqual([]);
  });
  it('accepts the shortest PDF', async () => {
    const { value } = await fetched(reply(Buffer.from('%PDF-1.4').toString('base64')));
    expect(value).toMatchObject({ sizeBytes: 8 });
  });
  it.each([
    ['credentials-rejected', 'negative-code', '-121', reply('-121')],
    ['service-refused', 'negative-code', '-154', reply('-154')],
    ['service-refused', 'negative-code', '-154', reply(' &#45;154\n')],
    ['service-refused', 'no-document-in-reply', undefined, reply(null)],
    ['service-refused', 'no-document-in-reply', undefined, reply('')],
    ['service-refused', 'soap-fault', 'c', httpAnswer(500, xml, fault)],
    ['reply-unreadable', 'wrong-reply', undefined, reply('not a document!')],
    ['reply-unreadable', 'wrong-reply', undefined, reply('QUJ')],
    ['reply-unreadable', 'wrong-reply', undefined, reply(`${'A'.repeat(300_000)}-${'A'.repeat(300_000)}`)],
    ['reply-unreadable', 'wrong-reply', undefined, reply('<x>QUJD</x>')],
    [
      'reply-unreadable',
      'wrong-reply',
      undefined,
      httpAnswer(200, xml, replyOf('GetDocument', 'QUJD').replaceAll('https:', 'x:')),
    ],
    ['reply-unreadable', 'truncated-reply', undefined, reply('QUJD'.repeat(100_000)).subarray(0, 300_000)],
    [
      'reply-unreadable',
      'truncated-reply',
      undefined,
      httpAnswer(200, xml, replyOf('GetDocument', 'QUJD').slice(0, -30)),
    ],
    ['reply-unreadable', 'not-xml', undefined, httpAnswer(200, xml, `<!DOCTYPE a>${replyOf('GetDocument', 'QUJD')}`)],
    [
      'reply-unreadable',
      'not-xml',
      undefined,
      httpAnswer(200, 'text/xml; charset=klingon', replyOf('GetDocument', 'QUJD')),
    ],
    ['reply-unreadable', 'html-page', undefined, httpAnswer(200, 'text/html', '<p>')],
    [
      'reply-unreadable',
      'reply-too-large',
      undefined,
      httpAnswer(200, xml, ' '.repeat(400_000) + replyOf('GetDocument', 'QUJD')),
    ],
  ])('%s, %s', async (code, detail, serviceCode, answer) => {
    const { failure } = await fetched(answer);
    expect(failure).toMatchObject({ code, detail, ...(serviceCode ? { serviceCode } : {}) });
    expect(await readdir(folder)).toEqual([]);
    await noSockets();
  });
  it('a stalled peer is a time-out', async () => {
    await connect(
      async (peer) => {
        await peer.nextRequest();
        peer.socket.write(reply('QUJD'.repeat(100_000)).subarray(0, 300_000));
      },
      { timeouts: short },
    );
    expect((await settled(client?.download('id', { path: join(folder, 'out.pdf') }))).failure).toMatchObject({
      code: 'service-timeout',
      detail: 'no-progress-in-time',
    });
    expect(await readdir(folder)).toEqual([]);
    await noSockets();
  });
  it('a target that cannot be written replaces nothing', async () => {
    expect((await fetched(reply('QUJD'), join(folder, 'no', 'out.pdf'))).failure).toMatchObject({
      code: 'file-unreadable',
      detail: 'target-not-writable',
    });
  });
  it('too little disk space is found before the download', async () => {
    const huge = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 900000000000001\r\n\r\n`);
    expect((await fetched(huge)).failure).toMatchObject({
      code: 'storage-full',
      note: expect.stringMatching(/needs 675000000000001 bytes$/),
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
