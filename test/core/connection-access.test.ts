import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionSettings } from '../../contract/connections.ts';
import { selfSigned } from '../harness/certificate.ts';
import {
  type ClientCertificates,
  certificatePassword,
  makeClientCertificates,
} from '../harness/client-certificates.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { writtenPolicy } from '../harness/policy.ts';
import { replyOf } from '../harness/soap-texts.ts';
import { hasSquid, needsSquid, type Squid, squidUser, startSquid } from '../harness/squid.ts';
import { newCore, newFolder } from './jobs-setup.ts';

const { key, cert } = selfSigned({ organisation: 'Office Authority' });
const credentials = { apiKey: 'key-4711-never-shown', apiSig: 'sig-0815-never-shown' };
let own: ClientCertificates;
let server: Server;
let settings: ConnectionSettings;

/** A service that asks for a certificate and answers with the name in it. */
beforeAll(async () => {
  own = makeClientCertificates();
  const options = { key, cert, ca: own.authority, requestCert: true, rejectUnauthorized: false };
  server = createServer(options, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    const [, operation = ''] = /([A-Za-z]+)"?$/.exec(String(request.headers.soapaction)) ?? [];
    const answer = replyOf(operation, subject?.CN?.toString() ?? 'nobody');
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'text/xml' }).end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  settings = {
    name: 'Head office',
    baseUrl: `https://localhost:${(server.address() as { port: number }).port}`,
    mainPath: '/main.asmx',
    namespaceUri: 'https://service.example/ns/',
    extraCa: cert,
    proxy: { mode: 'none' },
  } as ConnectionSettings;
});
afterAll(() => {
  server.close();
  own.remove();
});

const tokenOf = async (core: RunningCore, name: string) => (await core.core.acceptPath(own.file(name))).token;
const certificate = async (core: RunningCore, name = 'ana.p12', password = certificatePassword) => ({
  tokens: [await tokenOf(core, name)],
  password,
});
const version = (core: RunningCore, id: string) => core.ask('service.version', { connectionId: id });
const saved = async (core: RunningCore) =>
  (await core.must('connections.save', { settings, credentials, clientCertificate: await certificate(core) })).id;
const shown = { subject: 'Ana Petrov', issuer: 'office', validUntil: '2099-01-01T00:00:00.000Z' };

describe('a client certificate', () => {
  it('is used by calls, shown without its key, and kept over a restart, with its file nowhere in clear', async () => {
    const dataDir = await newFolder();
    const secrets = new Map<string, string>();
    const first = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    const id = await saved(first);
    expect(await version(first, id)).toMatchObject({ ok: true, value: { raw: 'Ana Petrov' } });
    const state = await first.must('connections.state', {});
    expect(state.connections.find((one) => one.id === id)?.clientCertificate).toEqual({ ...shown, kept: 'keychain' });
    expect(JSON.stringify([state, first.events, first.log])).not.toContain(certificatePassword);
    await first.stop();

    const bytes = readFileSync(own.file('ana.p12'));
    for (const name of await readdir(dataDir, { recursive: true })) {
      const written = await readFile(join(dataDir, name)).catch(() => Buffer.alloc(0));
      expect(written.includes(certificatePassword), name).toBe(false);
      expect(
        written.includes(bytes.subarray(40, 140)) || written.includes(bytes.toString('base64', 42, 102)),
        name,
      ).toBe(false);
    }
    expect([...secrets.keys()]).toContain(`${id}.certificate`);

    const second = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    expect(await version(second, id)).toMatchObject({ ok: true, value: { raw: 'Ana Petrov' } });
    expect(await second.must('connections.save', { id, settings, clientCertificate: null })).toMatchObject({
      clientCertificate: null,
    });
    expect(await version(second, id)).toMatchObject({ ok: true, value: { raw: 'nobody' } });
    expect([...secrets.keys()]).not.toContain(`${id}.certificate`);
  });

  it('that cannot be used changes nothing', async () => {
    const core = await newCore();
    const id = await saved(core);
    const other = { ...settings, name: 'Other' };
    const wrong = await core.ask('connections.save', {
      id,
      settings: other,
      clientCertificate: await certificate(core, 'ana.p12', 'wrong'),
    });
    expect(wrong).toMatchObject({
      failure: { code: 'bad-input', fields: { 'clientCertificate.password': 'is wrong' } },
    });
    const old = await core.ask('connections.setAccess', { id, clientCertificate: await certificate(core, 'old.p12') });
    expect(old).toMatchObject({ failure: { fields: { clientCertificate: 'is encrypted in an old way' } } });
    const { connections } = await core.must('connections.state', {});
    expect(connections.find((one) => one.id === id)).toMatchObject({
      name: 'Head office',
      credentials: 'keychain',
      clientCertificate: shown,
    });
  });

  it('brings no authorities where the policy says which ones are trusted', async () => {
    writeFileSync(own.file('service.pem'), cert);
    const pair = [
      '-in',
      own.file('ana.pem'),
      '-inkey',
      own.file('ana-plain.key'),
      '-certfile',
      own.file('service.pem'),
    ];
    const words = ['pkcs12', '-export', ...pair, '-out', own.file('chain.p12')];
    execFileSync('openssl', [...words, '-passout', `pass:${certificatePassword}`], { stdio: 'ignore' });
    const policy = writtenPolicy();
    const core = await newCore({ policy });
    const clientCertificate = await certificate(core, 'chain.p12');
    const { id } = await core.must('connections.save', { settings: { ...settings, extraCa: '' }, clientCertificate });
    const answered = { ok: true, value: { raw: 'Ana Petrov' } };
    const untrusted = { failure: { code: 'service-unreachable', detail: 'tls-untrusted' } };
    const address = `${settings.baseUrl}/main.asmx?wsdl`;
    const fetched = () => core.ask('connections.readWsdl', { address, way: { id } });
    expect(await version(core, id)).toMatchObject(answered);
    expect(await fetched()).toMatchObject({ failure: { detail: 'wsdl-unusable' } });

    const inForce = async (extraCa: string) => {
      policy.set({ extraCa });
      await expect
        .poll(async () => {
          const { connections } = await core.must('connections.state', {});
          return connections.find((one) => one.id === id)?.extraCa;
        })
        .toBe(extraCa);
    };
    await inForce(own.authority);
    expect(await version(core, id)).toMatchObject(untrusted);
    expect(await fetched()).toMatchObject(untrusted);
    const doctor = await core.must('connections.doctor', { id });
    expect(doctor.steps.find(({ step }) => step === 'tls')).toMatchObject({ result: 'failed' });
    await inForce(`${own.authority}${cert}`);
    expect(await version(core, id)).toMatchObject(answered);
  });

  it('does not follow a changed address, and another one makes the credentials be entered again', async () => {
    const core = await newCore();
    const id = await saved(core);
    const replaced = { id, settings, clientCertificate: await certificate(core, 'stranger.p12') };
    expect(await core.must('connections.save', replaced)).toMatchObject({ credentials: 'none' });
    await core.must('connections.setCredentials', { id, ...credentials });
    const elsewhere = { ...settings, baseUrl: 'https://elsewhere.example' };
    expect(await core.must('connections.save', { id, settings: elsewhere })).toMatchObject({
      credentials: 'none',
      clientCertificate: null,
    });
    expect([...core.secrets.keys()].filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('stays if only proxy or authorities change', async () => {
    const core = await newCore();
    const id = await saved(core);
    const changed = { ...settings, extraCa: `${cert}\n${own.authority}`, proxy: { mode: 'system' as const } };
    expect(await core.must('connections.save', { id, settings: changed })).toMatchObject({
      credentials: 'none',
      clientCertificate: shown,
    });
  });

  it('is kept for this run without a keychain', async () => {
    const dataDir = await newFolder();
    const broken = async () => Promise.reject(new Error('locked'));
    const keychain = { get: async () => null, set: broken, remove: broken };
    const core = await newCore({ dataDir, keychain });
    const { id, clientCertificate } = await core.must('connections.save', {
      settings,
      clientCertificate: await certificate(core),
    });
    expect(clientCertificate).toEqual({ ...shown, kept: 'this-run' });
    expect(await version(core, id)).toMatchObject({ value: { raw: 'Ana Petrov' } });
    await core.stop();
    const next = await newCore({ dataDir, keychain });
    const { connections } = await next.must('connections.state', {});
    expect(connections.find((one) => one.id === id)).toMatchObject({ clientCertificate: null });
  });
});

describe('a login at the proxy', () => {
  let squid: Squid;
  beforeEach(needsSquid);
  beforeAll(async () => {
    if (hasSquid) squid = await startSquid({ asks: 'basic' });
  });
  afterAll(() => squid?.close());
  const through = (port = squid.port) => ({
    ...settings,
    proxy: { mode: 'manual' as const, address: `http://127.0.0.1:${port}` },
  });
  const login = squidUser;

  it('is used by calls and by the doctor, kept over a restart, and in no output', async () => {
    const dataDir = await newFolder();
    const secrets = new Map<string, string>();
    const first = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    const { id } = await first.must('connections.save', { settings: through(), credentials });
    const needed = { failure: { code: 'service-unreachable', detail: 'proxy-login-needed' } };
    expect(await version(first, id)).toMatchObject(needed);
    const doctor = await first.must('connections.doctor', { id });
    expect(doctor.steps.find(({ step }) => step === 'proxy')).toMatchObject({ result: 'failed', ...needed });
    const wrong = { user: login.user, password: 'wrong-password' };
    await first.must('connections.setAccess', { id, proxyLogin: wrong });
    expect(await version(first, id)).toMatchObject({ failure: { detail: 'proxy-login-refused' } });

    const kept = await first.must('connections.save', { id, settings: through(), proxyLogin: login });
    expect(kept).toMatchObject({ credentials: 'keychain', proxyLogin: { user: login.user, kept: 'keychain' } });
    expect(await version(first, id)).toMatchObject({ ok: true });
    const again = await first.must('connections.doctor', { id });
    expect(again.steps.find(({ step }) => step === 'proxy')).toMatchObject({ result: 'passed' });
    expect(JSON.stringify([kept, again, first.events, first.log])).not.toContain(login.password);
    await first.stop();
    for (const name of await readdir(dataDir, { recursive: true })) {
      const written = await readFile(join(dataDir, name)).catch(() => Buffer.alloc(0));
      expect(written.includes(login.password), name).toBe(false);
    }

    const second = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    expect(await version(second, id)).toMatchObject({ ok: true });
    await second.must('connections.setAccess', { id, proxyLogin: null });
    expect(await version(second, id)).toMatchObject(needed);
  });

  it('does not follow a changed proxy', async () => {
    const core = await newCore();
    const { id } = await core.must('connections.save', { settings: through(), proxyLogin: login });
    expect(await core.must('connections.save', { id, settings: through(1) })).toMatchObject({ proxyLogin: null });
    expect([...core.secrets.keys()]).not.toContain(`${id}.proxy`);
  });

  it('is for the proxies that the system named when it was entered, not for others', async () => {
    const other = await startSquid({ asks: 'basic' });
    let answer = `PROXY 127.0.0.1:${squid.port}`;
    const core = await newCore({ resolveProxy: async () => answer });
    const system = { ...settings, proxy: { mode: 'system' as const } };
    const { id } = await core.must('connections.save', { settings: system, proxyLogin: login });
    expect(await version(core, id)).toMatchObject({ ok: true });
    answer = `PROXY 127.0.0.1:${other.port}`;
    expect(await version(core, id)).toMatchObject({ failure: { detail: 'proxy-login-needed' } });
    await other.close();
  });

  it('serves the reading of a WSDL before anything is saved, and of a saved connection', async () => {
    const core = await newCore();
    const address = `${settings.baseUrl}/main.asmx?wsdl`;
    const onto = {
      baseUrl: '',
      mainPath: '',
      easySignPath: '',
      namespaceUri: '',
      soapVersion: '1.1' as const,
      elementNames: {},
      extraCa: cert,
    };
    const { proxy } = through();
    // The service answers, with something else than a WSDL.
    const reached = { failure: { detail: 'wsdl-unusable' } };
    const refused = { failure: { detail: 'proxy-login-needed' } };
    expect(await core.ask('connections.readWsdl', { address, onto, way: { proxy } })).toMatchObject(refused);
    expect(await core.ask('connections.readWsdl', { address, onto, way: { proxy, proxyLogin: login } })).toMatchObject(
      reached,
    );
    const { id } = await core.must('connections.save', { settings: through(), proxyLogin: login });
    expect(await core.ask('connections.readWsdl', { address, onto, way: { proxy, id } })).toMatchObject(reached);
  });
});
