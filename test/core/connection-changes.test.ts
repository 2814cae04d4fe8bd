import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import type { Keychain } from '../../electron/core/foundation/ports.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const settings = {
  name: 'Head office',
  baseUrl: 'https://service.example',
  mainPath: '/v2/main.asmx',
  namespaceUri: 'https://service.example/api/',
};
const credentials = { apiKey: 'key-4711-never-shown', apiSig: 'sig-0815-never-shown' };
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

const saved = async (core: RunningCore) => (await core.must('connections.save', { settings, credentials })).id;
const state = async (core: RunningCore, id: string) =>
  (await core.must('connections.state', {})).connections.find((one) => one.id === id);

describe('stored credentials', () => {
  it('are set together with the settings, and are in no output', async () => {
    const core = await newCore();
    const connection = await core.must('connections.save', { settings, credentials });
    expect(connection.credentials).toBe('keychain');
    expect(JSON.parse(core.secrets.get(connection.id) ?? '')).toEqual(credentials);
    const half = await core.ask('connections.save', {
      id: connection.id,
      settings,
      credentials: { ...credentials, apiSig: ' ' },
    });
    expect(half).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { 'credentials.apiSig': expect.any(String) } },
    });
    expect(JSON.stringify([connection, half, core.events, core.log])).not.toMatch(/never-shown/);
  });

  it.each([
    ['host', { baseUrl: 'https://elsewhere.example' }],
    ['port', { baseUrl: 'https://service.example:8443' }],
    ['proxy', { proxy: { mode: 'manual' as const, address: 'http://proxy.example:3128' } }],
    ['certificate authority', { extraCa: pem }],
  ])('do not follow a changed %s', async (_what, change) => {
    const core = await newCore();
    const id = await saved(core);
    expect(await core.must('connections.save', { id, settings: { ...settings, ...change } })).toMatchObject({
      credentials: 'none',
    });
    expect(core.secrets.has(id)).toBe(false);
  });

  it('stay if only other settings change, and new ones may come with a new address', async () => {
    const core = await newCore();
    const id = await saved(core);
    const other = {
      ...settings,
      baseUrl: 'https://service.example/app',
      mainPath: '/x.asmx',
      soapVersion: '1.2' as const,
    };
    expect(await core.must('connections.save', { id, settings: other })).toMatchObject({ credentials: 'keychain' });
    const next = { apiKey: 'next-key', apiSig: 'next-sig' };
    const moved = { ...settings, baseUrl: 'https://elsewhere.example' };
    expect(await core.must('connections.save', { id, settings: moved, credentials: next })).toMatchObject({
      credentials: 'keychain',
    });
    expect(JSON.parse(core.secrets.get(id) ?? '')).toEqual(next);
  });

  it('stay if the change is refused', async () => {
    const core = await newCore();
    const id = await saved(core);
    await core.must('connections.save', { settings: { ...settings, name: 'Other' } });
    const taken = { ...settings, name: 'Other', baseUrl: 'https://elsewhere.example' };
    expect(await core.ask('connections.save', { id, settings: taken })).toMatchObject({ ok: false });
    expect(await state(core, id)).toMatchObject({ credentials: 'keychain', baseUrl: settings.baseUrl });
  });

  it('that the keychain does not remove are not used any more, also after a restart', async () => {
    const dataDir = await newFolder();
    const secrets = new Map<string, string>();
    const keychain: Keychain = { ...memoryKeychain(secrets), remove: async () => Promise.reject(new Error('locked')) };
    const first = await newCore({ dataDir, keychain });
    const id = await saved(first);
    const moved = { ...settings, baseUrl: 'http://127.0.0.1:9' };
    await first.must('connections.save', { id, settings: moved });
    expect(secrets.has(id)).toBe(true);
    const asked = { ok: false, failure: { code: 'not-connected' } };
    expect(await first.ask('service.testCredentials', { connectionId: id })).toMatchObject(asked);
    await first.stop();
    const second = await newCore({ dataDir, keychain });
    expect(await second.ask('service.testCredentials', { connectionId: id })).toMatchObject(asked);
    await second.must('connections.setCredentials', { id, ...credentials });
    expect(await state(second, id)).toMatchObject({ credentials: 'keychain' });
  });
});

describe('an address in http', () => {
  const clear = { ...settings, baseUrl: 'http://service.example' };

  it('on another computer is saved only if the host confirms it', async () => {
    const core = await newCore();
    for (const call of ['connections.save', 'connections.findOrAdd'] as const) {
      expect(await core.ask(call, { settings: clear })).toMatchObject({
        ok: false,
        failure: { code: 'bad-input', fields: { 'settings.baseUrl': 'is not encrypted' } },
      });
    }
    expect(core.dialogs.inClear).toEqual(['http://service.example', 'http://service.example']);
    expect((await core.must('connections.state', {})).connections).toHaveLength(1);
    const id = await saved(core);
    expect(await core.ask('connections.save', { id, settings: clear })).toMatchObject({ ok: false });
    expect(await state(core, id)).toMatchObject({ credentials: 'keychain', baseUrl: settings.baseUrl });
  });

  it('on this computer needs the same if it is reached through a proxy on another one', async () => {
    const core = await newCore();
    const through = (address: string) => ({
      settings: {
        ...settings,
        name: address,
        baseUrl: 'http://127.0.0.1:9',
        proxy: { mode: 'manual' as const, address },
      },
    });
    expect(await core.ask('connections.findOrAdd', through('http://proxy.example:3128'))).toMatchObject({
      failure: { fields: { 'settings.baseUrl': 'is not encrypted' } },
    });
    expect(await core.ask('connections.findOrAdd', through('http://127.0.0.1:3128'))).toMatchObject({ ok: true });
  });

  it('is asked about once for each origin, and not on this computer', async () => {
    const core = await newCore({ mayBeInClear: true });
    const { id } = await core.must('connections.save', { settings: clear });
    await core.must('connections.save', { id, settings: { ...clear, parallel: 3 } });
    for (const [name, baseUrl] of Object.entries({
      a: 'http://127.0.0.1:9',
      b: 'http://localhost',
      c: 'http://[::1]:8',
    })) {
      await core.must('connections.save', { settings: { ...settings, name, baseUrl } });
    }
    expect(core.dialogs.inClear).toEqual(['http://service.example']);
  });
});

describe('what is known of a connection', () => {
  const health = async (core: RunningCore, id: string) => (await core.must('connections.state', {})).health[id]?.state;

  it('is what its last call or check showed, over a restart, until it changes', async () => {
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig, close } = await newService();
    const dataDir = await newFolder();
    const secrets = new Map<string, string>();
    const first = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    const own = { name: 'Here', baseUrl, mainPath, easySignPath, namespaceUri };
    const { id } = await first.must('connections.save', { settings: own });
    expect(await health(first, id)).toBeUndefined();
    await first.must('connections.doctor', { id });
    expect(await health(first, id)).toBeUndefined();

    await first.must('connections.setCredentials', { id, apiKey, apiSig: 'wrong' });
    await first.must('connections.doctor', { id });
    expect(await health(first, id)).toBe('credentials-refused');
    await first.must('connections.setCredentials', { id, apiKey, apiSig });
    expect(await health(first, id)).toBeUndefined();
    await first.must('service.testCredentials', { connectionId: id });
    expect(await health(first, id)).toBe('works');
    await first.stop();

    const second = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    expect(await health(second, id)).toBe('works');
    await close();
    expect(await second.ask('service.testCredentials', { connectionId: id })).toMatchObject({ ok: false });
    expect(await health(second, id)).toBe('unreachable');
    await second.must('connections.save', { id, settings: { ...own, name: 'There' } });
    expect(await health(second, id)).toBe('unreachable');
    await second.must('connections.save', { id, settings: { ...own, soapVersion: '1.2' } });
    expect(await health(second, id)).toBeUndefined();
  });

  it('is not that nothing gets through where one operation fails and others are answered', async () => {
    const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
    const connectionId = await connect(core, service);
    const [job] = await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['lease.pdf'])));
    const document = { connectionId, documentId: job?.documentId ?? '' };
    const download = async () => {
      core.dialogs.targets.push(join(folder, 'copy.pdf'));
      const begun = await core.must('documents.download', document);
      return core.untilTask('download', ({ taskId, state }) => taskId === begun?.taskId && state !== 'running');
    };
    const away = { state: 'failed', failure: { code: 'service-unreachable' } };
    service.control.misbehave({ mischief: { kind: 'drop-before' }, operation: 'GetDocument' });
    // Nothing was answered since: it may be the whole service.
    expect(await download()).toMatchObject(away);
    expect(await health(core, connectionId)).toBe('unreachable');
    await core.must('documents.status', document);
    expect(await health(core, connectionId)).toBe('works');
    // Its own place says that it failed.
    expect(await download()).toMatchObject(away);
    expect(await health(core, connectionId)).toBe('works');

    // What was answered before fails now: it is the service.
    await service.close();
    expect(await core.ask('documents.status', document)).toMatchObject({ ok: false });
    expect(await health(core, connectionId)).toBe('unreachable');
  });

  it('is a fault where the service answers, but the check finds something else', async () => {
    const { baseUrl, easySignPath, namespaceUri, apiKey, apiSig } = await newService();
    const core = await newCore();
    const wrong = { name: 'Wrong path', baseUrl, mainPath: '/nothing.asmx', easySignPath, namespaceUri };
    const { id } = await core.must('connections.save', { settings: wrong, credentials: { apiKey, apiSig } });
    await core.must('connections.doctor', { id });
    expect(await health(core, id)).toBe('faulty');
  });

  it('is that fault also while calls that take another way are answered, until a check finds it mended', async () => {
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = await newService();
    const core = await newCore();
    const wrong = { name: 'Wrong Easy Sign', baseUrl, mainPath, easySignPath: '/nothing.asmx', namespaceUri };
    const { id } = await core.must('connections.save', { settings: wrong, credentials: { apiKey, apiSig } });
    await core.must('connections.doctor', { id });
    const fault = { state: 'faulty', faultStep: 'easy-sign' };
    expect((await core.must('connections.state', {})).health[id]).toMatchObject(fault);
    await core.must('service.testCredentials', { connectionId: id });
    expect((await core.must('connections.state', {})).health[id]).toMatchObject(fault);
    await core.must('connections.save', { id, settings: { ...wrong, easySignPath } });
    await core.must('connections.doctor', { id });
    expect(await health(core, id)).toBe('works');
  });

  it('is not that it works where the check leaves a step open, whatever calls are answered, over a restart', async () => {
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = await newService({ hidesWsdl: true });
    const [dataDir, secrets] = [await newFolder(), new Map<string, string>()];
    const core = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    const settings = { name: 'No WSDL', baseUrl, mainPath, easySignPath, namespaceUri };
    const { id } = await core.must('connections.save', { settings });
    const { steps } = await core.must('connections.doctor', { id });
    expect(steps.filter(({ result }) => result === 'unclear').map(({ step }) => step)).toEqual(['easy-sign']);
    // Nobody asked with credentials yet.
    expect(await health(core, id)).toBeUndefined();
    await core.must('connections.setCredentials', { id, apiKey, apiSig });
    await core.must('connections.doctor', { id });
    expect(await health(core, id)).toBe('unclear');
    await core.stop();
    const again = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
    const open = { state: 'unclear', faultStep: 'easy-sign' };
    expect((await again.must('connections.state', {})).health[id]).toMatchObject(open);
    await again.must('service.testCredentials', { connectionId: id });
    expect(await health(again, id)).toBe('unclear');
    await again.must('connections.setCredentials', { id, apiKey, apiSig });
    await again.must('service.testCredentials', { connectionId: id });
    expect(await health(again, id)).toBe('works');
  });

  it('is not that it cannot be reached where it answers with an error status', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'html', status: 503 } });
    expect(await core.ask('service.testCredentials', { connectionId })).toMatchObject({ ok: false });
    expect(await health(core, connectionId)).toBe('away');
    service.control.misbehave({ mischief: { kind: 'html' } });
    expect(await core.ask('service.testCredentials', { connectionId })).toMatchObject({ ok: false });
    expect(await health(core, connectionId)).toBe('page');
    service.control.misbehave({ mischief: { kind: 'early', status: 302 } });
    expect(await core.ask('service.testCredentials', { connectionId })).toMatchObject({ ok: false });
    expect(await health(core, connectionId)).toBe('redirected');
  });

  it('is nothing for the practice connection', async () => {
    const core = await newCore();
    await core.must('service.testCredentials', { connectionId: 'practice' });
    await core.must('connections.doctor', { id: 'practice' });
    expect((await core.must('connections.state', {})).health).toEqual({});
  });
});

describe("the program's own names", () => {
  it('are in the language of the window, and stay where a person changed them', async () => {
    const core = await newCore({ host: 'desktop', systemLanguages: ['de-AT'] });
    const [practice] = (await core.must('connections.state', {})).connections;
    if (!practice) throw new Error('no practice connection');
    expect(practice).toMatchObject({
      name: 'Übungsdienst',
      lists: [{ name: 'Zur Unterschrift' }, { name: 'Unterschrieben' }],
    });
    const { id } = practice;
    const own = settingsOfConnection(practice);
    const lists = own.lists.map((list) => (list.value === 2 ? { ...list, name: 'Fertig' } : list));
    await core.must('connections.save', { id, settings: { ...own, lists } });
    const { preferences } = await core.must('app.info', {});
    await core.must('app.setPreferences', { ...preferences, language: 'en' });
    const english = await core.until(
      'connections.changed',
      ({ connections }) => connections[0]?.name === 'Practice service',
    );
    expect(english.connections[0]?.lists).toEqual([
      { value: 1, name: 'Out for signature', meaning: 'waiting' },
      { value: 2, name: 'Fertig', meaning: 'signed' },
    ]);
    expect(english.connections[0]?.creditTypes[0]?.name).toBe('Document credits');
    await core.must('connections.save', { id, settings: { ...own, name: 'Probe' } });
    expect((await state(core, id))?.name).toBe('Probe');
  });
});
