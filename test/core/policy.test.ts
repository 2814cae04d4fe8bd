import { afterEach, describe, expect, it } from 'vitest';
import { exportOf } from '../../contract/exports.ts';
import type { CallName } from '../../contract/index.ts';
import { settingNames } from '../../contract/settings.ts';
import { type CoreSetup, type RunningCore, startCore } from '../harness/core.ts';
import { type WrittenPolicy, writtenPolicy } from '../harness/policy.ts';

let running: RunningCore | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

async function start(policy: WrittenPolicy, setup: CoreSetup = {}): Promise<RunningCore> {
  running = await startCore({ policy, ...setup });
  return running;
}

const info = (core: RunningCore) => core.must('app.info', {});
const refused = (detail: string) => ({ ok: false, failure: { detail } });

describe('a policy', () => {
  it('sets the least seconds in which something can be taken back, of which a person can choose more', async () => {
    const policy = writtenPolicy({ requestWaitAtLeast: 20, registerWaitAtLeast: 5 });
    const core = await start(policy);
    await core.must('app.setPreferences', { requestWait: 3, registerWait: 30 });
    expect(await info(core)).toMatchObject({
      preferences: { requestWait: 20, registerWait: 30 },
      policy: { requestWaitAtLeast: 20, registerWaitAtLeast: 5 },
    });
    policy.set(null);
    await core.until('app.changed', ({ policy: now }) => !now.isPresent);
    expect((await info(core)).preferences).toMatchObject({ requestWait: 3, registerWait: 30 });
  });

  it('comes before the person, who comes before its recommendations, which come before what is built in', async () => {
    const policy = writtenPolicy({ recommended: { theme: 'dark', atOnce: 3, callsPerHour: 40 } });
    const core = await start(policy);
    expect((await info(core)).preferences).toMatchObject({ theme: 'dark', atOnce: 3, notifications: true });
    expect(await core.must('budget.state', {})).toMatchObject({ perHour: 40 });

    await core.must('app.setPreferences', { theme: 'light' });
    await core.must('tracking.setBudget', { perHour: 50, isAutomatic: true });
    expect((await info(core)).preferences).toMatchObject({ theme: 'light', atOnce: 3 });
    expect(await core.must('budget.state', {})).toMatchObject({ perHour: 50 });

    policy.set({ theme: 'contrast', callsPerHour: 60, recommended: { theme: 'dark' } });
    await core.until('app.changed', ({ preferences }) => preferences.theme === 'contrast');
    expect(await core.must('budget.state', {})).toMatchObject({ perHour: 60 });
    expect((await info(core)).policy).toMatchObject({ isPresent: true, locked: ['theme', 'callsPerHour'] });

    policy.set(null);
    await core.until('app.changed', ({ policy: now }) => !now.isPresent);
    expect((await info(core)).preferences).toMatchObject({ theme: 'light', atOnce: 8 });
    expect(await core.must('budget.state', {})).toMatchObject({ perHour: 50 });
  });

  it('locks what it sets, and leaves the rest to the person', async () => {
    const core = await start(writtenPolicy({ theme: 'dark', callsPerHour: 5 }));
    expect(await core.ask('app.setPreferences', { theme: 'light' })).toMatchObject(refused('managed'));
    expect(await core.ask('app.setPreferences', { theme: 'light', tray: true })).toMatchObject(refused('managed'));
    expect((await info(core)).preferences).toMatchObject({ theme: 'dark', tray: false });
    await core.must('app.setPreferences', { tray: true });
    expect((await info(core)).preferences).toMatchObject({ theme: 'dark', tray: true });
    expect(await core.ask('tracking.setBudget', { perHour: 9, isAutomatic: true })).toMatchObject(refused('managed'));
    await core.must('tracking.setBudget', { perHour: 5, isAutomatic: false });
    await core.must('app.resetPreferences', {});
    expect((await info(core)).preferences).toMatchObject({ theme: 'dark', tray: false });
  });

  it.each(Object.entries(exportOf))('can forbid %s', async (call, right) => {
    const core = await start(writtenPolicy({ [right]: false }));
    // Even of things that do not exist: it is asked first. The inputs only have to fit the schemas.
    const inputs: Partial<Record<CallName, unknown>> = {
      'documents.saveBatch': { batchId: 'b', format: 'csv' },
      'tracking.export': { connectionId: 'practice', format: 'csv', withSecretWords: false },
      'bulk.saveResults': { id: 'b', format: 'csv' },
      'verify.saveReport': { runId: 'r', format: 'csv' },
      'receipts.save': { connectionId: 'practice', documentId: 'd', format: 'json' },
      'diagnostics.save': { id: 'd' },
      'documents.download': { connectionId: 'practice', documentId: 'd', suggestedName: 'x.pdf' },
      'documents.downloadAll': { documents: [{ connectionId: 'practice', documentId: 'd' }] },
    };
    expect(await core.core.call(call, inputs[call as CallName] ?? {})).toMatchObject(refused('managed'));
    expect((await info(core)).policy.forbidden).toEqual([right]);
  });

  it('forbids to the command line what it forbids to the window', async () => {
    const core = await start(writtenPolicy({ saveDocuments: false, exportReports: false }));
    await expect(core.core.downloadTo('practice', 'd', '/tmp/x.pdf')).rejects.toMatchObject(refusal);
    await expect(core.core.reportTo('r', 'csv', '/tmp/x.csv', 'en')).rejects.toMatchObject(refusal);
  });

  it('names what it does not know, and goes on', async () => {
    const core = await start(writtenPolicy({ theme: 'dark', purple: 'secret', recommended: { exportLists: true } }));
    const { policy, notices, preferences } = await info(core);
    expect(preferences.theme).toBe('dark');
    expect(policy.problems).toEqual([
      { kind: 'unknown', key: 'purple', note: 'is no setting of this version' },
      { kind: 'unknown', key: 'recommended.exportLists', note: 'can be set, but not recommended' },
    ]);
    expect(notices).toEqual([]);
    expect(core.log.join('\n')).toContain('"key":"purple"');
    expect(core.log.join('\n')).not.toContain('secret');
  });
});

const refusal = { failure: { detail: 'managed' } };

describe('a policy that cannot be read', () => {
  it('leaves in force what was locked before', async () => {
    const policy = writtenPolicy({ theme: 'dark', exportLists: false });
    const core = await start(policy);
    policy.set('/etc/sealdesk/policy.json is not valid JSON');
    await core.until('app.changed', ({ notices }) => notices.some(({ kind }) => kind === 'policy-broken'));
    const { policy: state, preferences } = await info(core);
    expect(state).toMatchObject({
      locked: ['theme', 'exportLists'],
      problems: [{ kind: 'unusable', key: '', note: '/etc/sealdesk/policy.json is not valid JSON' }],
    });
    expect(preferences.theme).toBe('dark');
    expect(await core.ask('people.export', {})).toMatchObject(refused('managed'));

    policy.set({ theme: 'light' });
    await core.until('app.changed', ({ preferences: now }) => now.theme === 'light');
    expect((await info(core)).notices).toEqual([]);
  });

  it('at the start locks everything, forbids every export, and sends nothing to a service', async () => {
    const first = await start(writtenPolicy());
    const address = { baseUrl: 'https://service.example', mainPath: '/a.asmx', namespaceUri: 'urn:a/' };
    const { id } = await first.must('connections.save', { settings: { name: 'Own', ...address } });
    await first.core.close();
    const core = await start(writtenPolicy('no'), { dataDir: first.dataDir });
    const { policy } = await info(core);
    expect(policy.locked).toEqual(settingNames);
    expect(policy.forbidden).toHaveLength(5);
    expect(await core.ask('app.setPreferences', { theme: 'dark' })).toMatchObject(refused('managed'));
    expect(await core.ask('connections.doctor', { id })).toMatchObject(refused('policy-broken'));
    // The practice service sends nothing anywhere.
    await core.must('service.version', { connectionId: 'practice' });
    await core.stop();
    await first.stop();
  });

  it('in one value locks that one, as it was before', async () => {
    const policy = writtenPolicy({ atOnce: 2 });
    const core = await start(policy);
    policy.set({ atOnce: 'many', theme: 'purple', exportLists: 'perhaps', notifications: 0 });
    await core.until('app.changed', ({ policy: now }) => now.locked.includes('theme'));
    const { policy: state, preferences, notices } = await info(core);
    expect(preferences).toMatchObject({ atOnce: 2, theme: 'system', notifications: false });
    expect(state.locked).toEqual(['theme', 'notifications', 'atOnce', 'exportLists']);
    expect(state.forbidden).toEqual(['exportLists']);
    expect(state.problems.map(({ key }) => key)).toEqual(['atOnce', 'theme', 'exportLists']);
    expect(notices).toMatchObject([{ kind: 'policy-broken' }]);
    expect(await core.ask('app.setPreferences', { theme: 'dark' })).toMatchObject(refused('managed'));
  });
});
