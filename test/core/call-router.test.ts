import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallInput, type CallName, calls } from '../../contract/index.ts';
import { type RunningCore, startCore } from '../harness/core.ts';

let running: RunningCore;
beforeAll(async () => {
  running = await startCore();
});
afterAll(() => running.stop());

/** Calls as a hostile window could: any name, any input. */
const call = (name: unknown, input: unknown) => running.core.call(name as string, input);

async function refused(name: unknown, input: unknown) {
  const answer = await call(name, input);
  expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input', retryable: false } });
  const text = JSON.stringify(answer);
  expect(text.length).toBeLessThan(10_000);
  return answer.ok ? undefined : answer.failure;
}

const settings = {
  name: 'At the door',
  baseUrl: 'https://service.example',
  mainPath: '/v2/main.asmx',
  namespaceUri: 'https://service.example/api/',
};

describe('names', () => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'app',
    'app.info ',
    'APP.INFO',
    'app.__proto__',
    '',
    'x'.repeat(5_000_000),
    '\u0000',
  ])('refuses a name that is not in the contract (%#)', async (name) => {
    await refused(name, {});
  });

  it.each([
    [undefined],
    [null],
    [42],
    [Symbol('app.info')],
    [['app.info']],
    [{ toString: () => 'app.info' }],
    [() => 'app.info'],
  ])('refuses a name that is no string (%#)', async (name) => {
    await refused(name, {});
  });

  it('answers every call of the contract with an envelope, whatever the input', async () => {
    for (const name of Object.keys(calls)) {
      for (const input of [undefined, null, 7, 'text', [], [[]], { unknown: true }, new Map(), new Date(0)]) {
        expect((await call(name, input)).ok, `${name} ${String(input)}`).toBe(false);
      }
    }
  });
});

describe('input', () => {
  it('is accepted if it fits the schema', async () => {
    expect(await call('app.info', {})).toMatchObject({ ok: true, value: { version: '0.0.0-test' } });
  });

  it('is refused with the paths of the wrong fields, without quoting values', async () => {
    const failure = await refused('connections.save', {
      settings: {
        ...settings,
        baseUrl: 'ftp://pasted-secret.example',
        timeouts: { connectMs: 1, idleMs: 1000, answerMs: 1000 },
      },
    });
    expect(Object.keys(failure?.fields ?? {}).sort()).toEqual(['settings.baseUrl', 'settings.timeouts.connectMs']);
    expect(JSON.stringify(failure)).not.toContain('pasted-secret');
  });

  it('is refused with unknown keys, without repeating them', async () => {
    const failure = await refused('app.info', { 'pasted-secret': 1 });
    expect(JSON.stringify(failure)).not.toContain('pasted-secret');
  });

  it('is refused with own keys named like prototype members, which pollute nothing', async () => {
    await refused('app.info', JSON.parse('{"__proto__": {"polluted": true}}'));
    await refused('connections.save', { settings: JSON.parse('{"__proto__": {"name": "x"}}') });
    const names = JSON.parse('{"__proto__": "Evil", "constructor": "Evil"}');
    await call('connections.save', { settings: { ...settings, elementNames: names } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });

  it('is refused if it cannot be serialised: cycles, functions, getters, classes, symbols, big numbers', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let asked = 0;
    const trap = Object.defineProperty({}, 'theme', {
      enumerable: true,
      get: () => {
        asked += 1;
        throw new Error('trapped');
      },
    });
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trapped');
        },
      },
    );
    class Preferences {
      theme = 'dark';
    }
    const inputs = [
      cycle,
      () => 1,
      { theme: () => 'dark' },
      trap,
      throwing,
      new Preferences(),
      { [Symbol('x')]: 1 },
      { theme: 10n },
      Number.NaN,
    ];
    for (const input of inputs) await refused('app.setPreferences', input);
    expect(asked).toBe(0);
  });

  it('is refused quickly if it is too large: long strings, many parts, deep nesting', async () => {
    let deep: unknown = {};
    for (let level = 0; level < 50_000; level += 1) deep = { deep };
    const begun = performance.now();
    await refused('app.setPreferences', { theme: 'x'.repeat(50_000_000) });
    await refused('app.setPreferences', { ['k'.repeat(50_000_000)]: 1 });
    await refused('files.scan', { tokens: Array.from({ length: 1_000_000 }, () => 'x'), purpose: 'verify' });
    await refused('app.setPreferences', deep);
    await refused('app.setPreferences', Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`k${at}`, 1])));
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('is refused with characters that XML does not allow', async () => {
    for (const name of ['a\u0000b', 'a\u001bb', 'a\ud800b', 'two\nlines']) {
      const failure = await refused('connections.save', { settings: { ...settings, name } });
      expect(failure?.fields).toHaveProperty(['settings.name']);
    }
  });

  it('is answered with not-found for unknown IDs', async () => {
    const answers = [
      await call('connections.use', { id: '__proto__' }),
      await call('connections.remove', { id: 'constructor' }),
      await call('files.scan', { tokens: ['__proto__'], purpose: 'verify' }),
      await call('files.page', { intakeId: 'toString', which: 'files', offset: 0, limit: 1 }),
      await call('service.version', { connectionId: 'nobody' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });
});

/** Input that passes every schema, about objects that do not exist. */
const aboutNothing = (id: string): { readonly [N in CallName]?: CallInput<N> } => {
  const emails = ['signer@example.com'];
  return {
    'app.dismissNotice': { id },
    'connections.save': { id, settings },
    'connections.remove': { id },
    'connections.use': { id },
    'connections.setCredentials': { id, apiKey: 'k', apiSig: 's' },
    'connections.forgetCredentials': { id },
    'connections.readWsdl': { token: id },
    'connections.doctor': { id },
    'files.scan': { tokens: [id], purpose: 'register' },
    'files.scanForAll': { tokens: [id] },
    'files.page': { intakeId: id, which: 'skipped', offset: 2 ** 40, limit: 500 },
    'jobs.list': { batchId: id, offset: 2 ** 40 },
    'jobs.cancel': { jobId: id },
    'jobs.sendAgain': { jobId: id },
    'jobs.dismiss': { jobIds: [id, id] },
    'documents.register': { connectionId: id, intakeId: id, creditType: -1 },
    'documents.list': { connectionId: id, search: '%_*"\'; DROP TABLE documents; --', offset: 2 ** 40 },
    'documents.status': { connectionId: id, documentId: id },
    'documents.details': { connectionId: id, documentId: id },
    'documents.openById': { connectionId: id, documentId: id },
    'documents.download': { connectionId: id, documentId: id, suggestedName: '../../x' },
    'documents.showDownload': { taskId: id },
    'tasks.stop': { taskId: id },
    'verify.start': { connectionId: id, intakeId: id },
    'verify.tryAgain': { runId: id, index: 2 ** 40 },
    'verify.results': { runId: id },
    'signatures.request': { kind: 'plain', connectionId: id, emails, fileToken: id, creditType: 1 },
    'signatures.refresh': { connectionId: id, listType: 1 },
    'service.version': { connectionId: id },
    'service.schedule': { connectionId: id },
    'service.testCredentials': { connectionId: id },
    'service.addQuickNote': { connectionId: id, message: 'x' },
    'notes.keepUnsent': { connectionId: id, message: 'x', description: '' },
  };
};

describe('input about objects that do not exist', () => {
  it.each(['nobody', '__proto__', 'constructor', '../../etc/passwd', '0'])(
    'is no surprise to any call: %s',
    async (id) => {
      for (const [name, input] of Object.entries(aboutNothing(id))) {
        const answer = await call(name, input);
        const codes = ['not-found', 'bad-input'];
        if (!answer.ok) expect(codes, `${name} ${JSON.stringify(answer)}`).toContain(answer.failure.code);
        else expect(JSON.stringify(answer.value), name).toMatch(/^null$|"total":0|"credentials"/);
      }
    },
  );
});

describe('unexpected errors', () => {
  it('become a bug with a reference to the log, without their text', async () => {
    const broken = await startCore({
      practice: { start: async () => Promise.reject(new Error('text with key-abcdef inside')) },
    });
    const answer = await broken.core.call('service.version', { connectionId: 'practice' });
    await broken.stop();
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'bug', reference: expect.stringMatching(/^[0-9a-f]{8}$/) },
    });
    const reference = answer.ok ? '' : String(answer.failure.reference);
    expect(broken.log.filter((line) => line.includes(reference))).toHaveLength(1);
    expect(JSON.stringify([answer, broken.log])).not.toContain('key-abcdef');
  });

  it('in one listener harm neither the other listeners nor the call', async () => {
    const heard: string[] = [];
    const stopBad = running.core.onEvent(() => {
      throw new Error('bad listener');
    });
    const stopGood = running.core.onEvent((name) => heard.push(name));
    expect(await call('app.setPreferences', { theme: 'dark', language: 'system' })).toEqual({ ok: true, value: null });
    stopBad();
    stopGood();
    expect(heard).toEqual(['app.changed']);
    await call('app.setPreferences', { theme: 'light', language: 'system' });
    expect(heard).toHaveLength(1);
  });

  it('are no bugs after the core was closed: calls answer cancelled', async () => {
    const other = await startCore();
    await other.stop();
    expect(await other.core.call('app.info', {})).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    await other.core.close();
  });
});
