import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import { certificatePassword, makeClientCertificates } from '../harness/client-certificates.ts';
import { type CoreSetup, type RunningCore, startCore } from '../harness/core.ts';
import { type WrittenPolicy, writtenPolicy } from '../harness/policy.ts';

let started: RunningCore[] = [];
afterEach(async () => {
  for (const core of started) await core.stop();
  started = [];
});

async function start(policy: WrittenPolicy, setup: CoreSetup = {}): Promise<RunningCore> {
  const core = await startCore({ policy, ...setup });
  started.push(core);
  return core;
}

const office = {
  id: 'office',
  name: 'Office',
  baseUrl: 'https://service.example',
  mainPath: '/main.asmx',
  namespaceUri: 'urn:office/',
  soapVersion: '1.2',
} as const;
const own = { name: 'Own', baseUrl: 'https://own.example', mainPath: '/a.asmx', namespaceUri: 'urn:a/' };
const key = { apiKey: 'key-of-a-person', apiSig: 'sig-of-a-person' };
const managed = { ok: false, failure: { detail: 'managed' } };
const all = async (core: RunningCore) => (await core.must('connections.state', {})).connections;
const named = async (core: RunningCore, wanted: string) => {
  const found = (await all(core)).find(({ name }) => name === wanted);
  if (!found) throw new Error(`no connection ${wanted}`);
  return found;
};

describe('connections of a policy', () => {
  it('are there, in use, locked where the policy says something, and the rest is the person’s', async () => {
    const core = await start(writtenPolicy({ connections: [office] }));
    const { connections, currentId } = await core.must('connections.state', {});
    expect(connections.map(({ name }) => name)).toEqual(['Practice service', 'Office']);
    const provided = await named(core, 'Office');
    const { id, managed: part } = provided;
    const settings = settingsOfConnection(provided);
    expect(currentId).toBe(id);
    expect(part).toEqual({
      isProvided: true,
      isBlocked: false,
      locked: ['name', 'baseUrl', 'mainPath', 'namespaceUri', 'soapVersion'],
    });
    const moved = { ...settings, baseUrl: 'https://elsewhere.example' };
    expect(await core.ask('connections.save', { id, settings: moved })).toMatchObject(managed);
    expect(await core.ask('connections.remove', { id })).toMatchObject(managed);
    await core.must('connections.save', {
      id,
      settings: { ...settings, ownerEmail: 'ana@office.example' },
      credentials: key,
    });
    expect(await named(core, 'Office')).toMatchObject({ ownerEmail: 'ana@office.example', credentials: 'keychain' });
  });

  it('keep credentials while they lead to the same place, and lose them when the policy moves them', async () => {
    const policy = writtenPolicy({ connections: [office] });
    const core = await start(policy);
    const { id } = await named(core, 'Office');
    await core.must('connections.setCredentials', { id, ...key });
    policy.set({ connections: [{ ...office, name: 'Main office' }] });
    await core.until('connections.changed', ({ connections }) =>
      connections.some(({ name }) => name === 'Main office'),
    );
    expect(await named(core, 'Main office')).toMatchObject({ id, credentials: 'keychain' });
    policy.set({ connections: [{ ...office, baseUrl: 'https://moved.example' }] });
    await core.until('connections.changed', ({ connections }) =>
      connections.some((one) => one.baseUrl === 'https://moved.example'),
    );
    expect(await named(core, 'Office')).toMatchObject({ id, credentials: 'none' });
    expect([...core.secrets.values()].join()).not.toContain('key-of-a-person');
  });

  it('lose the login at a proxy with another proxy, and the client certificate at another address only', async () => {
    const own = makeClientCertificates();
    const behind = { ...office, proxy: { mode: 'manual', address: 'http://proxy.example:3128' } };
    const policy = writtenPolicy({ connections: [behind] });
    const core = await start(policy);
    const { id } = await named(core, 'Office');
    const { token } = await core.core.acceptPath(own.file('ana.p12'));
    await core.must('connections.setAccess', {
      id,
      proxyLogin: { user: 'ana', password: 'word-of-a-person' },
      clientCertificate: { tokens: [token], password: certificatePassword },
    });
    own.remove();
    policy.set({ connections: [{ ...office, proxy: { mode: 'none' } }] });
    await core.until('connections.changed', ({ connections }) => connections.some(({ proxyLogin }) => !proxyLogin));
    await expect
      .poll(() => named(core, 'Office'))
      .toMatchObject({
        proxyLogin: null,
        clientCertificate: { subject: 'Ana Petrov' },
      });
    expect([...core.secrets.values()].join()).not.toContain('word-of-a-person');
    policy.set({ connections: [{ ...office, baseUrl: 'https://moved.example' }] });
    await expect.poll(() => named(core, 'Office')).toMatchObject({ clientCertificate: null });
  });

  it('never contain credentials, and one that cannot be used does not take the others with it', async () => {
    const broken = { id: 'broken', name: 'Broken', baseUrl: 'ftp://x', mainPath: '/', namespaceUri: 'urn:x/' };
    const core = await start(
      writtenPolicy({ connections: [{ ...office, ...key }, broken, { ...office, name: 'Twice' }] }),
    );
    expect((await all(core)).map(({ name }) => name)).toEqual(['Practice service', 'Office']);
    const { policy } = await core.must('app.info', {});
    expect(policy.problems.map((one) => `${one.kind} ${one.key}`)).toEqual([
      'unknown connections[0].apiKey',
      'unknown connections[0].apiSig',
      'wrong-value connections[1].baseUrl',
      'wrong-value connections.office',
    ]);
    expect(JSON.stringify([await all(core), policy, core.log])).not.toContain('of-a-person');
  });

  it('that come while somebody works are offered, and put into use by that person or at the next start', async () => {
    const policy = writtenPolicy();
    const core = await start(policy);
    expect(await core.must('connections.state', {})).toMatchObject({ currentId: 'practice', offeredId: null });
    policy.set({ connections: [office] });
    const offered = await core.until('connections.changed', ({ connections }) => connections.length === 2);
    const { id } = await named(core, 'Office');
    expect(offered).toMatchObject({ currentId: 'practice', offeredId: id });
    await core.must('connections.use', { id });
    expect(await core.must('connections.state', {})).toMatchObject({ currentId: id, offeredId: null });
    const later = await start(writtenPolicy({ connections: [office] }));
    expect((await later.must('connections.state', {})).currentId).toBe(id);
  });

  it('that come before the one in use, or in its place, move nobody who works', async () => {
    const policy = writtenPolicy({ connections: [office] });
    const core = await start(policy);
    const { id } = await named(core, 'Office');
    const branch = { ...office, id: 'branch', name: 'Branch' };
    policy.set({ connections: [branch, office] });
    await core.until('connections.changed', ({ connections }) => connections.length === 3);
    const { id: branchId } = await named(core, 'Branch');
    expect(await core.must('connections.state', {})).toMatchObject({ currentId: id, offeredId: branchId });
    policy.set({ connections: [branch] });
    await core.until('connections.changed', ({ connections }) =>
      connections.some(({ name, managed }) => name === 'Office' && !managed),
    );
    expect(await core.must('connections.state', {})).toMatchObject({ currentId: id, offeredId: branchId });
    // Staying is a choice, too.
    await core.must('connections.use', { id });
    expect(await core.must('connections.state', {})).toMatchObject({ currentId: id, offeredId: null });
  });

  it('stay as the person’s own when the policy goes', async () => {
    const policy = writtenPolicy({ connections: [office] });
    const core = await start(policy);
    policy.set(null);
    await core.until('connections.changed', ({ connections }) =>
      connections.some(({ name, managed }) => name === 'Office' && !managed),
    );
    const { id } = await named(core, 'Office');
    await core.must('connections.remove', { id });
    expect(await all(core)).toHaveLength(1);
  });
});

describe('a policy about all connections', () => {
  it('sets proxy, certificates and limits of each, and gives back what was stored', async () => {
    const policy = writtenPolicy();
    const core = await start(policy);
    const { id } = await core.must('connections.save', { settings: { ...own, parallel: 4 }, credentials: key });
    policy.set({
      proxy: 'http://proxy.example:3128',
      parallel: 1,
      connections: [{ ...office, proxy: { mode: 'none' } }],
    });
    await core.until('connections.changed', ({ connections }) =>
      connections.some(({ managed }) => managed?.isProvided),
    );
    expect(await named(core, 'Own')).toMatchObject({
      proxy: { mode: 'manual', address: 'http://proxy.example:3128' },
      parallel: 1,
      credentials: 'keychain',
      managed: { isProvided: false, locked: ['proxy', 'parallel'] },
    });
    expect(await named(core, 'Office')).toMatchObject({ proxy: { mode: 'none' }, parallel: 1 });

    const settings = settingsOfConnection(await named(core, 'Own'));
    expect(
      await core.ask('connections.save', { id, settings: { ...settings, proxy: { mode: 'none' } } }),
    ).toMatchObject(managed);
    await core.must('connections.save', { id, settings: { ...settings, name: 'Mine' } });
    policy.set(null);
    await core.until('app.changed', ({ policy: now }) => !now.isPresent);
    expect(await named(core, 'Mine')).toMatchObject({
      proxy: { mode: 'system' },
      parallel: 4,
      credentials: 'keychain',
    });
  });

  it('can allow only connections of the policy: others are neither added nor used', async () => {
    const policy = writtenPolicy();
    const core = await start(policy);
    const { id } = await core.must('connections.save', { settings: own, credentials: key });
    policy.set({ ownConnections: false, connections: [office] });
    await core.until('connections.changed', ({ connections }) => connections.some(({ managed }) => managed?.isBlocked));
    expect(await core.ask('connections.save', { settings: { ...own, name: 'More' } })).toMatchObject(managed);
    expect(await core.ask('connections.findOrAdd', { settings: { ...own, name: 'More' } })).toMatchObject(managed);
    expect(await core.ask('service.version', { connectionId: id })).toMatchObject(managed);
    await core.must('connections.remove', { id });
  });

  it('sets the proxy through which a description is read, also for a new connection', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const core = await start(writtenPolicy({ proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }));
    const answer = await core.ask('connections.readWsdl', {
      address: 'https://own.example/?wsdl',
      way: { proxy: { mode: 'none' } },
    });
    proxy.close();
    expect(answer.ok).toBe(false);
    expect(asked).toEqual(['own.example:443']);
  });

  it('is refused to a new connection that wants another proxy', async () => {
    const core = await start(writtenPolicy({ proxy: 'system' }));
    const settings = { ...own, proxy: { mode: 'manual' as const, address: 'http://other.example:1' } };
    expect(await core.ask('connections.save', { settings })).toMatchObject(managed);
    expect(await core.ask('connections.findOrAdd', { settings })).toMatchObject(managed);
    await core.must('connections.findOrAdd', { settings: own });
  });
});

describe('a policy whose proxy cannot be read', () => {
  it('sends nothing over any connection', async () => {
    const core = await start(writtenPolicy({ proxy: 'socks5://proxy.example' }));
    const { id } = await core.must('connections.save', { settings: own, credentials: key });
    expect(await core.ask('service.version', { connectionId: id })).toMatchObject({
      failure: { code: 'not-connected', detail: 'policy-broken' },
    });
    expect(await core.ask('connections.readWsdl', { address: 'https://own.example/?wsdl' })).toMatchObject({
      failure: { code: 'not-connected', detail: 'policy-broken' },
    });
  });
});
