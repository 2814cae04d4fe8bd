import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashFile } from '../../../electron/core/files/hash-file.ts';
import { probePath } from '../../../electron/soap/probe-path.ts';
import type { ServiceTarget } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { fetchWsdl } from '../../../electron/soap/wsdl/fetch-wsdl.ts';
import { selfSigned } from '../../harness/certificate.ts';
import { freePort } from '../../harness/free-port.ts';
import { httpAnswer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, enveloped, replyOf, targetFor } from '../../harness/soap-texts.ts';
import { hasSquid, needsSquid, type Squid, squidUser, startSquid } from '../../harness/squid.ts';

const { key, cert } = selfSigned({ organisation: 'Office Authority' });
const reply = replyOf('AddQuickNote', '1');
let open: Squid;
let basic: Squid;
let ntlm: Squid;
let secure: Server;
let plain: RawServer;
let secureUrl = '';
let heads: string[] = [];

beforeEach(needsSquid);
beforeAll(async () => {
  if (!hasSquid) return;
  [open, basic, ntlm] = await Promise.all([
    startSquid(),
    startSquid({ asks: 'basic', hosts: ['service.example'] }),
    startSquid({ asks: 'ntlm' }),
  ]);
  secure = createServer({ key, cert }, (request, response) => {
    heads.push(JSON.stringify(request.headers));
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'text/xml' }).end(reply));
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  secureUrl = `https://localhost:${(secure.address() as { port: number }).port}`;
  plain = await startRawServer(async (peer) => {
    heads.push(await peer.nextRequest());
    peer.socket.end(httpAnswer(200, 'text/xml', reply));
  });
});
afterAll(async () => {
  await Promise.all([open, basic, ntlm].map((squid) => squid?.close()));
  secure?.close();
  await plain?.close();
});
beforeEach(() => {
  heads = [];
});

const through = (...squids: readonly { readonly port: number }[]) =>
  squids.map(({ port }) => `PROXY 127.0.0.1:${port}`).join('; ');
const loginAt = (squid: Squid, password = squidUser.password): ServiceTarget['proxyLogin'] => ({
  user: squidUser.user,
  password,
  proxies: [through(squid)],
});

async function note(baseUrl: string, more: Partial<ServiceTarget>) {
  const departures: string[] = [];
  const timeouts = { connectMs: 5_000, idleMs: 5_000, answerMs: 5_000 };
  const client = createSoapClient(targetFor(baseUrl, { extraCa: cert, timeouts, ...more }), credentials);
  try {
    const options = { onDeparture: () => void departures.push('departed') };
    const { raw } = await client.invoke('AddQuickNote', { QuickNoteMessage: 'm' }, options);
    return { raw, departures: departures.length };
  } finally {
    client.close();
  }
}

describe('through squid', () => {
  it('https goes by CONNECT, http in absolute form', async () => {
    expect(await note(secureUrl, { proxy: through(open) })).toEqual({ raw: '1', departures: 1 });
    expect(await open.saw(/^CONNECT localhost:\d+ 200$/)).toBeTruthy();
    expect(await note(plain.url, { proxy: through(open) })).toEqual({ raw: '1', departures: 1 });
    expect(await open.saw(/^POST http:\/\/127.0.0.1:\d+\/V2\/service.asmx 200$/)).toBeTruthy();
  });

  it('the name of the service is looked up by the proxy', async () => {
    const url = plain.url.replace('127.0.0.1', 'service.example');
    expect((await note(url, { proxy: through(basic), proxyLogin: loginAt(basic) })).raw).toBe('1');
  });

  it('a dead proxy is passed over before anything departs, and tried last from then on', async () => {
    const dead = { port: await freePort() };
    const client = createSoapClient(
      targetFor(secureUrl, { extraCa: cert, proxy: `${through(dead, open)}; DIRECT` }),
      credentials,
    );
    const before = (await open.requests()).length;
    expect((await client.invoke('AddQuickNote', {})).raw).toBe('1');
    expect((await client.invoke('AddQuickNote', {})).raw).toBe('1');
    client.close();
    await expect.poll(async () => (await open.requests()).length).toBe(before + 2);
    expect(heads).toHaveLength(2);
  });

  it('a proxy that refuses is not gone around, although the next way is open', async () => {
    const proxy = `${through(open)}; DIRECT`;
    const failure = { code: 'service-unreachable', detail: 'proxy-refused', serviceCode: '403' };
    await expect(note('https://refused.example', { proxy })).rejects.toMatchObject({ failure });
    const asks = { code: 'service-unreachable', detail: 'proxy-login-needed' };
    await expect(note(secureUrl, { proxy: `${through(basic)}; DIRECT` })).rejects.toMatchObject({ failure: asks });
    expect(heads).toEqual([]);
  });
});

describe.each([
  ['https', () => secureUrl],
  ['http', () => plain.url],
])('signing in at squid for %s', (_kind, url) => {
  it('with the right password reaches the service, which sees nothing of it', async () => {
    expect(await note(url(), { proxy: through(basic), proxyLogin: loginAt(basic) })).toMatchObject({ raw: '1' });
    expect(heads.join().toLowerCase()).not.toContain('proxy-authorization');
  });

  it.each([
    ['none', 'proxy-login-needed', () => null],
    ['a wrong one', 'proxy-login-refused', () => loginAt(basic, 'wrong-password')],
    ['one for another proxy', 'proxy-login-needed', () => loginAt(open)],
  ])('with %s is refused, and no add is in doubt', async (_what, detail, proxyLogin) => {
    const failure = { code: 'service-unreachable', detail, retryable: false };
    const asked = note(url(), { proxy: through(basic), proxyLogin: proxyLogin() });
    await expect(asked).rejects.toMatchObject({ failure });
    expect(heads).toEqual([]);
  });

  it('by Windows (NTLM) is refused in words of its own', async () => {
    const failure = { code: 'service-unreachable', detail: 'proxy-login-unsupported' };
    const asked = note(url(), { proxy: through(ntlm), proxyLogin: loginAt(ntlm) });
    await expect(asked).rejects.toMatchObject({ failure: { ...failure, note: expect.stringContaining('ntlm') } });
  });
});

it('a large add that squid refuses in the middle is not in doubt', async () => {
  const path = join(tmpdir(), `squid-large-${process.pid}.pdf`);
  await writeFile(path, Buffer.alloc(6 * 1024 * 1024, 'x'));
  const client = createSoapClient(targetFor(plain.url, { proxy: through(basic) }), credentials);
  const Document = { path, ...(await hashFile(path)) };
  const sent = client.invoke('AddNewDocument', { Document, creditType: 1 });
  await expect(sent).rejects.toMatchObject({
    failure: { code: 'service-unreachable', detail: 'proxy-login-needed' },
  });
  client.close();
  await rm(path);
});

describe('what asks besides the client', () => {
  const wsdl = '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="https://service.example/ns/"/>';
  const fault = enveloped(
    '<soap-env:Fault><faultcode>soap-env:Client</faultcode><faultstring>no such operation</faultstring></soap-env:Fault>',
  );
  it('signs in too: reading a WSDL, and the probe of the doctor', async () => {
    const server = await startRawServer(async (peer) => {
      const isGet = (await peer.nextRequest()).startsWith('GET');
      peer.socket.end(isGet ? httpAnswer(200, 'text/xml', wsdl) : httpAnswer(500, 'text/xml', fault));
    });
    const way = { proxy: through(basic), proxyLogin: loginAt(basic) };
    const needed = { failure: { code: 'service-unreachable', detail: 'proxy-login-needed' } };
    const address = `${server.url}/?wsdl`;
    await expect(fetchWsdl(address, { proxy: way.proxy })).rejects.toMatchObject(needed);
    await expect(fetchWsdl(address, way)).rejects.toMatchObject({ failure: { detail: 'wsdl-unusable' } });
    const { signal } = new AbortController();
    const target = targetFor(server.url, way);
    expect(await probePath(new URL(server.url), target, signal)).toMatchObject({ raw: expect.any(String) });
    const signedOut = probePath(new URL(server.url), { ...target, proxyLogin: null }, signal);
    await expect(signedOut).rejects.toMatchObject(needed);
    await server.close();
  });
});
