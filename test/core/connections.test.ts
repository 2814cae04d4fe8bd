import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import { memoryKeychain, type RunningCore, startCore } from '../harness/core.ts';
import { leastProcessorMs } from '../harness/processor-time.ts';

const cores: RunningCore[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.stop();
});
const start = async (...given: Parameters<typeof startCore>) => {
  const core = await startCore(...given);
  cores.push(core);
  return core;
};

const settings = {
  name: 'Head office',
  baseUrl: 'https://service.example',
  mainPath: '/v2/main.asmx',
  namespaceUri: 'https://service.example/api/',
};
const apiKey = 'key-4711-never-shown';
const apiSig = 'sig-0815-never-shown';

/** All texts that left the core: call results, events and log lines. */
const everything = (core: RunningCore, answers: unknown) => JSON.stringify([answers, core.events, core.log]);

async function filesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, text: await readFile(join(parentPath, name), 'latin1') })),
  );
}

describe('the practice connection', () => {
  it('exists from the start, is in use, and cannot be removed or given credentials', async () => {
    const core = await start();
    const { connections, currentId } = await core.must('connections.state', {});
    expect(connections).toMatchObject([{ id: 'practice', kind: 'practice', credentials: 'this-run' }]);
    expect(currentId).toBe('practice');
    for (const answer of [
      await core.ask('connections.remove', { id: 'practice' }),
      await core.ask('connections.setCredentials', { id: 'practice', apiKey, apiSig }),
      await core.ask('connections.forgetCredentials', { id: 'practice' }),
    ]) {
      expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
    }
    expect(core.practice.starts()).toBe(0);
  });

  it('keeps changed settings, but never a changed address', async () => {
    const core = await start();
    const [practice] = (await core.must('connections.state', {})).connections;
    if (!practice) throw new Error('no practice connection');
    const { id } = practice;
    const own = settingsOfConnection(practice);
    const changed = await core.must('connections.save', {
      id,
      settings: { ...own, soapVersion: '1.2', parallel: 5, baseUrl: 'https://elsewhere.example' },
    });
    expect(changed).toMatchObject({ id, kind: 'practice', soapVersion: '1.2', parallel: 5, baseUrl: own.baseUrl });
    expect((await core.must('connections.state', {})).connections).toHaveLength(1);
    await core.must('service.version', { connectionId: 'practice' });
  });
});

describe('a connection', () => {
  it('is added, used, changed, kept over a restart, and removed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-connections-'));
    const first = await start({ dataDir });
    const { id } = await first.must('connections.save', { settings });
    await first.must('connections.use', { id });
    await first.must('connections.save', { id, settings: { ...settings, soapVersion: '1.2' } });
    expect(first.events.filter(({ name }) => name === 'connections.changed')).toHaveLength(3);
    await first.stop();

    const second = await start({ dataDir });
    const { connections, currentId } = await second.must('connections.state', {});
    expect(currentId).toBe(id);
    expect(connections[1]).toMatchObject({ ...settings, id, kind: 'service', soapVersion: '1.2', credentials: 'none' });
    await second.must('connections.remove', { id });
    expect(await second.must('connections.state', {})).toMatchObject({ connections: [{}], currentId: 'practice' });
    await expect
      .poll(() => second.ask('connections.use', { id }))
      .toMatchObject({ ok: false, failure: { code: 'not-found' } });
    await second.stop();
    await rm(dataDir, { recursive: true });
  });

  it.each([
    ['Foo', 'bad-input'],
    ['GetDocument.Emails', 'bad-input'],
    ['ServiceDocumentID', undefined],
    ['GetESignList.SecretWord', undefined],
    ['GetVersionResult', undefined],
  ])('has %s in its table of element names: %s', async (element, code) => {
    const core = await start();
    const elementNames = { [element]: 'Own' };
    const saved = await core.ask('connections.save', { settings: { ...settings, elementNames } });
    expect(saved.ok ? undefined : saved.failure.code).toBe(code);
  });

  it('must have a unique name', async () => {
    const core = await start();
    const { id } = await core.must('connections.save', { settings });
    expect(await core.ask('connections.save', { settings })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { 'settings.name': 'is taken' } },
    });
    await core.must('connections.save', { id, settings });
  });

  it('is left as it is and counted where it cannot be read; the others work', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-connections-'));
    const first = await start({ dataDir });
    const broken = ['{"name":"Of', JSON.stringify({ ...settings, ofNewerProgram: 1 })];
    const ids: string[] = [];
    for (const name of ['Good', 'Broken', 'Newer'])
      ids.push((await first.must('connections.save', { settings: { ...settings, name } })).id);
    await first.stop();
    const database = new DatabaseSync(join(dataDir, 'sealdesk.db'));
    for (const [n, text] of broken.entries())
      database.prepare('UPDATE connections SET settings = ? WHERE id = ?').run(text, ids[n + 1] ?? '');
    const core = await start({ dataDir });
    const state = await core.must('connections.state', {});
    expect(state.connections.map(({ name }) => name).slice(1)).toEqual(['Good']);
    expect(state.unreadable).toBe(2);
    await core.must('connections.save', { id: ids[0], settings: { ...settings, name: 'Better' } });
    const call = { connectionId: ids[1] ?? '', listType: 1, maxItems: 0 } as const;
    expect(await core.ask('signatures.refresh', call)).toMatchObject({ failure: { code: 'not-connected' } });
    const rows = database.prepare('SELECT settings FROM connections WHERE id IN (?, ?) ORDER BY position');
    expect(rows.all(ids[1] ?? '', ids[2] ?? '').map(({ settings: text }) => text)).toEqual(broken);
    database.close();
    await core.stop();
    await rm(dataDir, { recursive: true });
  });

  it('is read alone with each call, however many there are', async () => {
    const core = await start();
    let last = '';
    for (let n = 0; n < 150; n += 1)
      ({ id: last } = await core.must('connections.save', { settings: { ...settings, name: `Office ${n}` } }));
    const all = await leastProcessorMs(5, () => core.must('connections.state', {}));
    const call = { connectionId: last, listType: 1, maxItems: 0 };
    const one = await leastProcessorMs(5, () => core.ask('signatures.refresh', call));
    expect(one).toBeLessThan(all / 3);
  });

  it('without credentials fails before anything is sent', async () => {
    const core = await start();
    const { id } = await core.must('connections.save', { settings });
    expect(await core.ask('service.testCredentials', { connectionId: id })).toMatchObject({
      ok: false,
      failure: { code: 'not-connected' },
    });
  });
});

describe('credentials', () => {
  it('are stored in the keychain and appear in no output', async () => {
    const core = await start();
    const { id } = await core.must('connections.save', { settings: { ...settings, baseUrl: 'http://127.0.0.1:9' } });
    const answers = [
      await core.must('connections.setCredentials', { id, apiKey, apiSig }),
      await core.must('connections.state', {}),
      await core.ask('service.testCredentials', { connectionId: id }),
      await core.must('connections.doctor', { id }),
      await core.ask('connections.setCredentials', { id: 'nobody', apiKey, apiSig }),
      await core.ask('connections.save', { settings: { ...settings, baseUrl: `http://${apiKey}@host` } }),
      await core.core.call('app.info', { [apiSig]: apiKey }),
    ];
    expect(answers[0]).toEqual({ kept: 'keychain' });
    expect(answers[1]).toMatchObject({ connections: [{}, { credentials: 'keychain' }] });
    expect(JSON.parse(core.secrets.get(id) ?? '')).toEqual({ apiKey, apiSig });
    const out = everything(core, answers);
    expect(out).toContain(id);
    expect(out).not.toContain(apiKey);
    expect(out).not.toContain(apiSig);
  });

  it('of the practice service appear in no output either', async () => {
    const seen: string[] = [];
    const { startPractice } = await import('../harness/practice.ts');
    const { assetsDir } = await import('../harness/core.ts');
    const core = await start({
      practice: {
        start: async (dataDir) => {
          const running = await startPractice({ dataDir, assetsDir });
          seen.push(running.apiKey, running.apiSig);
          return running;
        },
      },
    });
    const answers = [
      await core.must('service.testCredentials', { connectionId: 'practice' }),
      await core.must('service.version', { connectionId: 'practice' }),
      await core.must('connections.doctor', { id: 'practice' }),
      await core.must('connections.state', {}),
    ];
    expect(seen).toHaveLength(2);
    for (const secret of seen) expect(everything(core, answers)).not.toContain(secret);
  });

  it('are written to no file, whether stored or not', async () => {
    const fails = async () => Promise.reject(new Error('no keychain'));
    for (const keychain of [undefined, { get: fails, set: fails, remove: fails }]) {
      const core = await start({ keychain });
      const { id } = await core.must('connections.save', { settings: { ...settings, baseUrl: 'http://127.0.0.1:9' } });
      await core.must('connections.setCredentials', { id, apiKey, apiSig });
      await core.ask('service.testCredentials', { connectionId: id });
      await core.must('service.addQuickNote', { connectionId: id, message: 'waits for the service' });
      await core.until('jobs.changed', ({ jobs }) => jobs.some((job) => job.failure !== null));
      const files = await filesBelow(core.dataDir);
      expect(files.map(({ name }) => name)).toContain('sealdesk.db');
      for (const { name, text } of files) {
        expect(text.includes(apiKey) || text.includes(apiSig), name).toBe(false);
      }
    }
  });

  it('are read again after a restart, and removed on request and with their connection', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-credentials-'));
    const first = await start({ dataDir });
    const { id } = await first.must('connections.save', { settings });
    await first.must('connections.setCredentials', { id, apiKey, apiSig });
    await first.stop();
    const kept = first.secrets;
    const second = await start({ dataDir, keychain: memoryKeychain(kept) });
    expect((await second.must('connections.state', {})).connections[1]?.credentials).toBe('keychain');
    await second.must('connections.forgetCredentials', { id });
    expect(kept.size).toBe(0);
    expect((await second.must('connections.state', {})).connections[1]?.credentials).toBe('none');
    await second.must('connections.setCredentials', { id, apiKey, apiSig });
    await second.must('connections.remove', { id });
    await expect.poll(() => kept.size).toBe(0);
    await second.stop();
    await rm(dataDir, { recursive: true });
  });

  it('are kept for this run if the keychain fails in any way, with one notice', async () => {
    const fails = async () => Promise.reject(new Error(`the keychain quotes ${apiKey}`));
    const core = await start({ keychain: { get: fails, set: fails, remove: fails } });
    const { id } = await core.must('connections.save', { settings: { ...settings, baseUrl: 'http://127.0.0.1:9' } });
    const answers = [
      await core.must('connections.setCredentials', { id, apiKey, apiSig }),
      await core.must('connections.setCredentials', { id, apiKey, apiSig }),
      await core.must('connections.state', {}),
      await core.must('app.info', {}),
      await core.ask('service.testCredentials', { connectionId: id }),
    ];
    expect(answers[0]).toEqual({ kept: 'this-run' });
    expect(answers[2]).toMatchObject({ connections: [{}, { credentials: 'this-run' }] });
    expect(answers[3]).toMatchObject({ notices: [{ kind: 'keychain-unavailable', fileName: null }] });
    // The credentials are used: only the service is missing now.
    expect(answers[4]).toMatchObject({ ok: false, failure: { code: 'service-unreachable' } });
    expect(everything(core, answers)).not.toContain(apiKey);
    await core.must('connections.forgetCredentials', { id });
    expect((await core.must('connections.state', {})).connections[1]?.credentials).toBe('none');
  });

  it('that are no longer readable in the keychain count as missing', async () => {
    const core = await start();
    const { id } = await core.must('connections.save', { settings });
    await core.must('connections.setCredentials', { id, apiKey, apiSig });
    core.secrets.set(id, '{"apiKey": 5');
    expect(await core.ask('service.testCredentials', { connectionId: id })).toMatchObject({
      ok: false,
      failure: { code: 'not-connected' },
    });
    expect((await core.must('connections.state', {})).connections[1]?.credentials).toBe('none');
  });
});
