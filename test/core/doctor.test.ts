import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp, request, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DoctorReport, type DoctorStep, doctorSteps } from '../../contract/connections.ts';
import type { CallInput } from '../../contract/index.ts';
import type { RunningPractice } from '../../electron/core/foundation/ports.ts';
import { daysFromNow, selfSigned } from '../harness/certificate.ts';
import { assetsDir, type RunningCore, startCore } from '../harness/core.ts';
import { startPractice } from '../harness/practice.ts';

let core: RunningCore;
let service: RunningPractice;
let practiceDir: string;
let pacAnswer = 'DIRECT';
const servers: TcpServer[] = [];

beforeAll(async () => {
  core = await startCore({ resolveProxy: async () => pacAnswer, mayBeInClear: true });
  practiceDir = await mkdtemp(join(tmpdir(), 'sealdesk-doctor-'));
  service = await startPractice({ dataDir: practiceDir, assetsDir });
});
afterAll(async () => {
  await core.stop();
  await service.close();
  await rm(practiceDir, { recursive: true });
});
afterEach(() => {
  pacAnswer = 'DIRECT';
  for (const server of servers.splice(0)) server.close();
});

async function listen<S extends TcpServer | Server>(server: S): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createTcp();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

type Settings = CallInput<'connections.save'>['settings'];
let count = 0;

async function examine(
  baseUrl: string,
  more: Partial<Settings> = {},
  credentials?: { apiKey: string; apiSig: string },
) {
  const { mainPath, easySignPath, namespaceUri } = service;
  const timeouts = { connectMs: 1000, idleMs: 2000, answerMs: 3000 };
  const settings = { name: `Number ${count++}`, baseUrl, mainPath, easySignPath, namespaceUri, timeouts, ...more };
  const { id } = await core.must('connections.save', { settings });
  if (credentials) await core.must('connections.setCredentials', { id, ...credentials });
  return await core.must('connections.doctor', { id });
}

const results = (report: DoctorReport) => report.steps.map(({ step, result }) => `${step}: ${result}`);
const stepOf = (report: DoctorReport, name: DoctorStep['step']) => report.steps.find(({ step }) => step === name);

describe('a connection without faults', () => {
  it('passes all steps that apply, publishes each step, and costs nothing', async () => {
    const report = await core.must('connections.doctor', { id: 'practice' });
    expect(results(report)).toEqual([
      'name-lookup: passed',
      'tcp: passed',
      'proxy: not-tried',
      'tls: not-tried',
      'soap: passed',
      'version: passed',
      'schedule: passed',
      'element-names: passed',
      'credentials: passed',
      'status: passed',
      'details: passed',
      'signature-list: passed',
      'easy-sign: passed',
    ]);
    expect(report.steps.map(({ step }) => step)).toEqual(doctorSteps);
    const published = core.events.filter(({ name }) => name === 'connections.doctorProgressed');
    expect(published.map(({ value }) => (value as { steps: unknown[] }).steps.length)).toEqual(
      doctorSteps.map((_, index) => index + 1),
    );
    expect(core.practice.control().requests()).toEqual({
      GetVersion: 1,
      GetSchedule: 1,
      GetAuthToken: 1,
      GetDocumentStatus: 1,
      GetDocumentDetails: 1,
      GetESignList: 2,
    });
    expect(stepOf(report, 'easy-sign')?.note).toBe('offers AddNewEasySignDocument and AddNewEasySignTemplate');
    for (const { step } of report.steps) expect(report.text).toContain(step);
  });

  it('passes over SOAP 1.2', async () => {
    const report = await examine(service.baseUrl, { soapVersion: '1.2' });
    expect(stepOf(report, 'soap')).toMatchObject({ result: 'passed', note: 'SOAP 1.2' });
  });

  it('passes over TLS and a proxy, and reports who issued the certificate', async () => {
    const certificate = selfSigned({ organisation: 'Example Authority' });
    const port = await listen(
      createHttps(certificate, (incoming, outgoing) => {
        const { hostname, port: inner } = new URL(service.baseUrl);
        const headers = { ...incoming.headers, host: `${hostname}:${inner}` };
        const onward = request({ host: hostname, port: inner, path: incoming.url, method: incoming.method, headers });
        onward.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers)));
        incoming.pipe(onward);
      }),
    );
    const proxy = await listen(connectProxy());
    const report = await examine(
      `https://127.0.0.1:${port}`,
      { extraCa: certificate.cert, proxy: { mode: 'manual', address: `http://127.0.0.1:${proxy}` } },
      { apiKey: service.apiKey, apiSig: service.apiSig },
    );
    expect(report.steps.map(({ result }) => result)).toEqual(doctorSteps.map(() => 'passed'));
    expect(stepOf(report, 'proxy')?.note).toBe(`127.0.0.1:${proxy} connects to 127.0.0.1:${port}`);
    expect(stepOf(report, 'tls')?.note).toMatch(/issued by Example Authority, valid until \w+/);
    const out = JSON.stringify([report, core.events, core.log]);
    expect(out).not.toContain(service.apiKey);
    expect(out).not.toContain(service.apiSig);
  });
});

describe('the network steps', () => {
  it('fail at an unknown host name', async () => {
    const report = await examine('https://nobody.invalid', {
      timeouts: { connectMs: 5000, idleMs: 1000, answerMs: 1000 },
    });
    expect(stepOf(report, 'name-lookup')).toMatchObject({
      result: 'failed',
      failure: { code: 'service-unreachable', detail: expect.stringMatching(/name-not-resolved|no-connect-in-time/) },
    });
    expect(
      results(report)
        .slice(1)
        .every((line) => line.endsWith('not-tried')),
    ).toBe(true);
    expect(report.steps).toHaveLength(doctorSteps.length);
  });

  it('fail at a closed port', async () => {
    const report = await examine(`http://127.0.0.1:${await closedPort()}`);
    expect(stepOf(report, 'name-lookup')?.result).toBe('passed');
    expect(stepOf(report, 'tcp')).toMatchObject({ result: 'failed', failure: { detail: 'connection-refused' } });
    expect(report.steps.slice(2).map(({ result }) => result)).toEqual(doctorSteps.slice(2).map(() => 'not-tried'));
  });

  it('fail at an untrusted certificate, and report its issuer and the reason', async () => {
    const port = await listen(createTls(selfSigned({ organisation: 'Nobody We Know' }), (socket) => socket.end()));
    const tls = stepOf(await examine(`https://127.0.0.1:${port}`), 'tls');
    expect(tls).toMatchObject({ result: 'failed', failure: { detail: 'tls-untrusted', retryable: false } });
    expect(tls?.note).toMatch(/not trusted: DEPTH_ZERO_SELF_SIGNED_CERT; .*issued by Nobody We Know/);
  });

  it('fail at a certificate that has expired or is for another host', async () => {
    const old = selfSigned({ organisation: 'Old', from: daysFromNow(-30), until: daysFromNow(-1) });
    const port = await listen(createTls(old, (socket) => socket.end()));
    const expired = await examine(`https://127.0.0.1:${port}`, { extraCa: old.cert });
    expect(stepOf(expired, 'tls')?.note).toContain('CERT_HAS_EXPIRED');

    const right = selfSigned({ organisation: 'Right' });
    const other = await listen(createTls(right, (socket) => socket.end()));
    const misnamed = await examine(`https://127.0.0.2:${await forward('127.0.0.2', other)}`, { extraCa: right.cert });
    expect(stepOf(misnamed, 'tls')).toMatchObject({ result: 'failed', failure: { detail: 'tls-untrusted' } });
  });

  it('fail at a server that does not speak TLS or does not answer', async () => {
    const plain = await listen(createHttp());
    expect(stepOf(await examine(`https://127.0.0.1:${plain}`), 'tls')?.failure?.detail).toBe('tls-failed');
    const held: Socket[] = [];
    const silent = await listen(createTcp((socket) => held.push(socket)));
    const report = await examine(`https://127.0.0.1:${silent}`);
    expect(stepOf(report, 'tls')?.failure?.detail).toBe('no-connect-in-time');
    for (const socket of held) socket.destroy();
  });

  it('fail at a proxy that is unreachable or refuses', async () => {
    const gone = await examine('https://127.0.0.1:9', {
      proxy: { mode: 'manual', address: `http://127.0.0.1:${await closedPort()}` },
    });
    expect(stepOf(gone, 'tcp')).toMatchObject({ result: 'failed', failure: { detail: 'proxy-failed' } });
    const refusing = await listen(connectProxy('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    const refused = await examine('https://127.0.0.1:9', {
      proxy: { mode: 'manual', address: `http://127.0.0.1:${refusing}` },
    });
    expect(stepOf(refused, 'proxy')).toMatchObject({ result: 'failed', note: 'the proxy answered HTTP 407' });
  });

  it('try the next proxy of the system if the first one fails', async () => {
    pacAnswer = `PROXY 127.0.0.1:${await closedPort()}; DIRECT`;
    const report = await examine(service.baseUrl);
    expect(report.steps).toHaveLength(doctorSteps.length);
    expect(stepOf(report, 'tcp')?.note).toContain('connected to the service');
    expect(stepOf(report, 'version'), report.text).toMatchObject({ result: 'passed' });
  });

  it('fail if the system names only proxies of an unsupported kind', async () => {
    pacAnswer = 'SOCKS5 127.0.0.1:1080';
    const report = await examine(service.baseUrl);
    expect(report.steps.map(({ step }) => step)).toEqual(doctorSteps);
    expect(stepOf(report, 'proxy')).toMatchObject({ result: 'failed', failure: { detail: 'proxy-failed' } });
  });

  it('report an unencrypted connection to another computer', async () => {
    pacAnswer = `PROXY 127.0.0.1:${await listen(createHttp((_in, out) => out.end('<html>portal</html>')))}`;
    const report = await examine('http://service.example');
    expect(report.text).toContain('documents and credentials can be read on the way');
  });
});

describe('the service steps', () => {
  it('skip the credentials step without credentials, and fail it with wrong ones', async () => {
    expect(stepOf(await examine(service.baseUrl), 'credentials')?.result).toBe('not-tried');
    const wrong = { apiKey: 'wrong-key-1234', apiSig: 'wrong-sig-1234' };
    const report = await examine(service.baseUrl, {}, wrong);
    expect(stepOf(report, 'credentials')).toMatchObject({
      result: 'failed',
      failure: { code: 'credentials-rejected' },
    });
    expect(report.text).not.toContain('wrong-key');
  });

  it('fail at a web page and say that it is one, on the Easy Sign path too', async () => {
    const port = await listen(
      createHttp((_in, out) => out.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')),
    );
    const report = await examine(`http://127.0.0.1:${port}`);
    expect(stepOf(report, 'soap')).toMatchObject({ result: 'failed', failure: { detail: 'html-page' } });
    expect(stepOf(report, 'version')).toMatchObject({ result: 'not-tried', note: 'soap failed' });
    expect(stepOf(report, 'easy-sign')).toMatchObject({ result: 'failed', failure: { detail: 'html-page' } });
  });

  it('fail with another namespace or path', async () => {
    const namespace = await examine(service.baseUrl, { namespaceUri: 'https://other.example/api' });
    expect(namespace.steps.some(({ result }) => result === 'failed')).toBe(true);
    expect(namespace.text).toContain('does not end with a slash');
    const path = await examine(service.baseUrl, { mainPath: '/nowhere.asmx', easySignPath: '/nowhere/easy.asmx' });
    expect(stepOf(path, 'soap')?.result).toBe('failed');
    expect(stepOf(path, 'easy-sign')).toMatchObject({
      result: 'failed',
      note: 'HTTP 404, text/html',
      proposal: 'check-easy-sign-path',
    });
  });
});

/** An HTTP proxy that supports only CONNECT; it answers with `refusal` if given. */
function connectProxy(refusal?: string): Server {
  const server = createHttp();
  server.on('connect', (incoming, socket) => {
    if (refusal) return socket.end(refusal);
    const [host, port] = String(incoming.url).split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return server;
}

/** Another loopback address that leads to a port of 127.0.0.1. */
async function forward(host: string, to: number): Promise<number> {
  const server = createTcp((socket) => {
    const onward = connect(to, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
