import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePath } from '../../hosts/preview/preview-ports.ts';
import { type PreviewServer, servePreview } from '../../hosts/preview/preview-server.ts';
import { type RunningCore, startCore } from '../harness/core.ts';
import { plainPdf } from '../harness/pdf.ts';

describe('access to the browser preview', () => {
  let running: RunningCore;
  let server: PreviewServer;
  let page: string;
  let origin: string;
  let token: string;
  beforeAll(async () => {
    running = await startCore({ host: 'preview' });
    page = mkdtempSync(join(tmpdir(), 'sealdesk-page-'));
    mkdirSync(join(page, 'renderer/assets'), { recursive: true });
    writeFileSync(
      join(page, 'renderer/index.html'),
      '<!doctype html><head><style nonce="__CSP_NONCE__"></style></head>',
    );
    writeFileSync(join(page, 'renderer/assets/app.js'), 'void 0;');
    writeFileSync(join(page, 'renderer/.hidden.js'), 'void 0;');
    writeFileSync(join(page, 'outside.js'), 'outside');
    const bridgeScript = resolve(import.meta.dirname, '../../hosts/preview/page-bridge.js');
    server = await servePreview({
      core: running.core,
      folders: { renderer: join(page, 'renderer'), bridgeScript },
      port: 0,
    });
    origin = new URL(server.address).origin;
    token = new URL(server.address).hash.slice('#token='.length);
  });
  afterAll(async () => {
    await server.close();
    await running.stop();
    rmSync(page, { recursive: true, force: true });
  });

  /** Exactly these bytes: fetch would put a path and headers in order. */
  function raw(method: string, path: string, headers: Record<string, string>, body = ''): Promise<string> {
    const { hostname, port } = new URL(origin);
    const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers });
    const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
    return new Promise((done, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      });
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      socket.on('close', () => done(answer));
      socket.on('error', reject);
    });
  }

  const held = () => ({ Authorization: `Bearer ${token}` });
  const call = (headers: Record<string, string>, body = '{"name":"app.info","input":{}}') =>
    raw('POST', '/call', { 'Content-Type': 'application/json', ...headers }, body);

  it('keeps the token out of requests and cookies, which go to every port of a host', async () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
    for (const path of ['/', '/bridge.js']) expect(await raw('GET', path, held())).not.toMatch(/^set-cookie:/im);
    expect(await call({ Cookie: `token=${token}`, Origin: origin })).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('lets its own page in', async () => {
    const index = await raw('GET', '/', held());
    expect(index).toMatch(/^HTTP\/1\.1 200 /);
    expect(index).toContain('<head><script src="/bridge.js"></script>');
    expect(index).not.toContain('__CSP_NONCE__');
    expect(index).toMatch(/Content-Security-Policy: default-src 'none'; script-src 'self';.*connect-src 'self'/i);
    expect(await raw('GET', '/assets/app.js', held())).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw('GET', '/bridge.js', held())).toMatch(/^HTTP\/1\.1 200 /);
    expect(await call({ ...held(), Origin: origin })).toContain('"host":"preview"');
  });

  it.each([
    ['no token', () => ({ Origin: origin }), 401],
    ['a wrong token', () => ({ Origin: origin, Authorization: `Bearer ${'x'.repeat(32)}` }), 401],
    ['a foreign origin', () => ({ ...held(), Origin: 'http://evil.example' }), 403],
    ['a null origin', () => ({ ...held(), Origin: 'null' }), 403],
    ['the origin of another port', () => ({ ...held(), Origin: 'http://127.0.0.1:1' }), 403],
    ['no origin', () => held(), 403],
    ['another name for this address', () => ({ ...held(), Origin: origin, Host: 'evil.example' }), 403],
    [
      'localhost',
      () => ({ ...held(), Origin: origin, Host: new URL(origin).host.replace('127.0.0.1', 'localhost') }),
      403,
    ],
    ['a form', () => ({ ...held(), Origin: origin, 'Content-Type': 'text/plain' }), 415],
  ])('refuses a call with %s', async (_what, headers, status) => {
    const answer = await call(headers());
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toContain('preview"');
  });

  it.each([
    ['no token', '/events', {}, 401],
    ['a wrong token', '/events', { Authorization: 'Bearer guess' }, 401],
    ['a foreign origin', '/events', { Origin: 'http://evil.example' }, 403],
    ['another name', '/', { Host: 'evil.example' }, 403],
  ])('gives nothing out for %s at %s', async (_what, path, headers, status) => {
    expect(await raw('GET', path, headers as Record<string, string>)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it.each([
    '/../outside.js',
    '/assets/../../outside.js',
    '/%2e%2e/outside.js',
    '/..%2foutside.js',
    '/..\\outside.js',
    '//outside.js',
    '/.hidden.js',
    '/assets/',
    '/constructor',
    `/${'a/'.repeat(20)}x.js`,
    '/assets/app.js%00.html',
  ])('serves nothing beside the page: %s', async (path) => {
    const answer = await raw('GET', path, held());
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('outside\r\n');
  });

  it.each([
    ['not JSON', '{', 400],
    ['no name', '{"input":{}}', 400],
    ['a list', '[]', 400],
  ])('refuses %s as a call', async (_what, body, status) => {
    expect(await call({ ...held(), Origin: origin }, body)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('refuses a call of more than 256 MiB before it is read', async () => {
    const { hostname, port } = new URL(origin);
    const headers = { Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json', Origin: origin, ...held() };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /call HTTP/1.1\r\n${lines.join('')}Content-Length: ${256 * 2 ** 20 + 1}\r\n\r\n{`);
    });
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('leaves what the call may say to the core', async () => {
    const answer = await call({ ...held(), Origin: origin }, '{"name":"__proto__","input":{}}');
    expect(answer).toContain('"code":"bad-input"');
  });

  it('takes the bytes of a file', async () => {
    const bytes = plainPdf('taken').toString('latin1');
    const answer = await raw('POST', '/take?name=a%20%2F%20b.pdf', { ...held(), Origin: origin }, bytes);
    const { value } = JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? '{}');
    expect(value).toMatchObject({ token: expect.any(String), isFolder: false });
    const intake = await running.must('files.scan', { tokens: [value.token], purpose: 'register' });
    expect(intake).toMatchObject({ fileCount: 1, totalBytes: bytes.length });
    expect(await raw('POST', '/take?name=a.pdf', { ...held() }, bytes)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('names downloads inside of its folder and replaces nothing', () => {
    const folder = join(page, 'Downloads');
    const named = freePath(folder, '../../etc/passwd');
    expect([dirname(named), basename(named)]).toEqual([folder, expect.stringMatching(/^_[^/]*passwd$/)]);
    const first = freePath(folder, 'a.pdf');
    writeFileSync(first, '');
    expect(freePath(folder, 'a.pdf')).toBe(join(folder, 'a (2).pdf'));
  });
});
