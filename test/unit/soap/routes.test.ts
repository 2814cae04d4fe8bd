import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { openLink } from '../../../electron/soap/wire/connect.ts';
import { createRoute } from '../../../electron/soap/wire/network-route.ts';
import { httpAnswer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, replyOf, targetFor } from '../../harness/soap-texts.ts';

const reply = httpAnswer(200, 'text/xml', replyOf('AddQuickNote', '1'));
let folder = '';
let certificate = '';
let secure: Server;
let securePort = 0;
let proxy: RawServer;
let plain: RawServer;
let seen: string[] = [];

/** A certificate for `localhost` that nobody issued but itself; made anew so that it never expires in the repository. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'routes-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
      '-subj',
      '/O=Test Authority/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ],
    { stdio: 'ignore' },
  );
  certificate = readFileSync(cert, 'utf8');
  secure = createTlsServer({ key: readFileSync(key), cert: certificate }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(reply));
  });
  await new Promise<void>((resolve) => secure.listen(0, resolve));
  securePort = (secure.address() as { port: number }).port;
  plain = await startRawServer(async (peer) => {
    seen.push((await peer.nextRequest()).split('\r\n', 1)[0] ?? '');
    peer.socket.end(reply);
  });
  proxy = await startRawServer(async (peer) => {
    const line = (await peer.nextRequest()).split('\r\n', 1)[0] ?? '';
    seen.push(line);
    const to = /^CONNECT localhost:(\d+) /.exec(line);
    const [, status, question] = /(\d+)(-asks)?\.refused\.example/.exec(line) ?? [];
    const more = question ? 'Proxy-Authenticate: Basic realm="x"\r\n' : '';
    if (!to) return void peer.socket.end(status ? httpAnswer(Number(status), '', '', more) : reply);
    const through = connect(Number(to[1]), 'localhost', () => {
      peer.socket.write('HTTP/1.1 200 OK\r\n\r\n');
      peer.socket.pipe(through).pipe(peer.socket);
    });
    through.on('error', () => peer.socket.destroy());
  });
});
afterAll(async () => {
  secure.close();
  await proxy.close();
  await plain.close();
  rmSync(folder, { recursive: true });
});

async function note(baseUrl: string, proxyText: string, extraCa = '') {
  seen = [];
  const client = createSoapClient(targetFor(baseUrl, { proxy: proxyText, extraCa }), credentials);
  try {
    return await client.invoke('AddQuickNote', { QuickNoteMessage: 'm' });
  } finally {
    client.close();
  }
}

describe('TLS', () => {
  it('an untrusted certificate is refused before a byte of the request leaves', async () => {
    const failure = { code: 'service-unreachable', detail: 'tls-untrusted', retryable: false };
    await expect(note(`https://localhost:${securePort}`, 'DIRECT')).rejects.toMatchObject({ failure });
  });
  it('and stays refused if the environment switches checks off', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const failure = { code: 'service-unreachable', detail: 'tls-untrusted' };
      await expect(note(`https://localhost:${securePort}`, 'DIRECT')).rejects.toMatchObject({ failure });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
  it('the connection’s extra certificate makes it trusted, for its own host name only', async () => {
    expect(await note(`https://localhost:${securePort}`, 'DIRECT', certificate)).toEqual({ raw: '1' });
    const other = note(`https://127.0.0.1:${securePort}`, 'DIRECT', certificate);
    await expect(other).rejects.toMatchObject({ failure: { detail: 'tls-untrusted' } });
    const target = targetFor('', { extraCa: certificate });
    const link = await openLink(new URL(`https://localhost:${securePort}`), createRoute(target));
    expect(link.issuer).toBe('Test Authority');
    link.socket.destroy();
  });
  it('a peer without TLS is tls-failed', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined).end('no TLS here'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await expect(note(`https://127.0.0.1:${port}`, '')).rejects.toMatchObject({ failure: { detail: 'tls-failed' } });
    silent.close();
  });
  it.each(['x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'text that is no certificate: %j',
    async (text) => {
      const failure = { code: 'bad-input', fields: { extraCa: expect.any(String) } };
      await expect(note(`https://localhost:${securePort}`, 'DIRECT', text)).rejects.toMatchObject({ failure });
    },
  );
});

describe('proxies', () => {
  it.each([
    ['with the question for a login nothing was done', '407-asks', 'service-unreachable', 'proxy-login-needed'],
    ['without it the service may have it', '407', 'outcome-unknown', 'http-status'],
  ])('answer 407 to the whole of an add: %s', async (_what, host, code, detail) => {
    const noted = note(`http://${host}.refused.example`, `PROXY 127.0.0.1:${proxy.port}`);
    await expect(noted).rejects.toMatchObject({ failure: { code, detail } });
  });
  it('http goes through in absolute form', async () => {
    expect(await note('http://service.example:81/p', `PROXY 127.0.0.1:${proxy.port}`)).toEqual({ raw: '1' });
    expect(seen).toEqual(['POST http://service.example:81/p/V2/service.asmx HTTP/1.1']);
  });
  it('https goes through a tunnel', async () => {
    expect(await note(`https://localhost:${securePort}`, `PROXY 127.0.0.1:${proxy.port}`, certificate)).toEqual({
      raw: '1',
    });
    expect(seen).toEqual([`CONNECT localhost:${securePort} HTTP/1.1`]);
  });
  it('the next entry is tried if no connection can be made', async () => {
    expect(await note(plain.url, 'SOCKS 127.0.0.1:1; PROXY 127.0.0.1:1; DIRECT')).toEqual({ raw: '1' });
    expect(seen).toEqual(['POST /V2/service.asmx HTTP/1.1']);
  });
  it.each([
    ['that refuses the tunnel', 'proxy-refused', 'https://403.refused.example', () => `PROXY 127.0.0.1:${proxy.port}`],
    ['that is not there', 'proxy-failed', 'https://service.example', () => 'PROXY 127.0.0.1:1'],
    ['of a kind that cannot be used', 'proxy-failed', 'https://service.example', () => 'SOCKS5 127.0.0.1:1'],
  ])('one %s', async (_name, detail, url, text) => {
    await expect(note(url, text())).rejects.toMatchObject({
      failure: { code: 'service-unreachable', detail },
    });
  });
});

it('a host name that does not exist is service-unreachable', async () => {
  await expect(note('http://no-such-host.invalid', 'DIRECT')).rejects.toMatchObject({
    failure: { code: 'service-unreachable' },
  });
});

it('a peer that never completes the connection is no-connect-in-time', async () => {
  const silent = await startRawServer(() => undefined);
  const client = createSoapClient(
    targetFor(silent.url.replace('http', 'https'), { timeouts: { connectMs: 200, idleMs: 500, answerMs: 500 } }),
    credentials,
  );
  const failure = { code: 'service-unreachable', detail: 'no-connect-in-time' };
  await expect(client.invoke('AddQuickNote', {})).rejects.toMatchObject({ failure });
  await expect(client.invoke('GetVersion', {})).rejects.toMatchObject({ failure });
  client.close();
  await silent.close();
});
