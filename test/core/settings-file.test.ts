import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCore, startCore } from '../harness/core.ts';
import { defaultPreferences } from '../harness/default-preferences.ts';

let dataDir: string;
let running: RunningCore | null = null;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-settings-'));
});
afterEach(async () => {
  await running?.stop();
  running = null;
  await rm(dataDir, { recursive: true, force: true });
});

const start = async () => {
  running = await startCore({ dataDir });
  return running;
};
const path = () => join(dataDir, 'settings.json');
const damaged = async () => (await readdir(dataDir)).filter((name) => name.startsWith('settings.json.damaged-'));

describe('settings.json', () => {
  it('keeps preferences after a restart, and leaves no temporary file', async () => {
    const first = await start();
    await first.must('app.setPreferences', { theme: 'dark', language: 'de' });
    await first.stop();
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('.new'));
    expect((await stat(path())).mode & 0o077).toBe(0);
    const { preferences, notices } = await (await start()).must('app.info', {});
    expect(preferences).toEqual({ ...defaultPreferences, theme: 'dark', language: 'de' });
    expect(notices).toEqual([]);
  });

  it('offers the tour once, in the first start of all', async () => {
    const first = await start();
    expect([await first.must('app.offerTour', {}), await first.must('app.offerTour', {})]).toEqual([true, false]);
    await first.must('app.setPreferences', { theme: 'dark', language: 'de' });
    await first.stop();
    const second = await start();
    expect(await second.must('app.offerTour', {})).toBe(false);
    expect((await second.must('app.info', {})).preferences.theme).toBe('dark');
  });

  it.each([
    ['cut in half', '{"version": 1, "preferences": {"the'],
    ['empty', ''],
    ['with an unknown value', '{"version": 1, "preferences": {"theme": "purple", "language": "system"}}'],
    ['with a number out of bounds', '{"version": 1, "preferences": {"atOnce": 99}}'],
    ['far too large', JSON.stringify({ version: 1, preferences: {}, filling: 'x'.repeat(1_000_001) })],
    ['of a later program', '{"version": 99}'],
    ['not JSON at all', '\u0000\u0001\u0002'],
    ['a prototype', '{"__proto__": {"version": 1}}'],
  ])('that is %s is set aside, reported, and defaults hold', async (_what, text) => {
    await writeFile(path(), text);
    const core = await start();
    const { preferences, notices } = await core.must('app.info', {});
    expect(preferences).toEqual(defaultPreferences);
    const [aside, ...others] = await damaged();
    expect(others).toEqual([]);
    expect(notices).toMatchObject([{ kind: 'settings-set-aside', fileName: aside }]);
    expect(await readFile(join(dataDir, String(aside)), 'utf8')).toBe(text);

    await core.must('app.setPreferences', { theme: 'light', language: 'system' });
    expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ preferences: { theme: 'light' } });
  });

  it('keeps what only a newer version knows, also when preferences change or are reset', async () => {
    const newer = {
      version: 1,
      preferences: { theme: 'dark', later: { kept: [1, 2] } },
      window: { alsoKept: true },
    };
    await writeFile(path(), JSON.stringify(newer));
    const core = await start();
    const { preferences, notices } = await core.must('app.info', {});
    expect(preferences).toEqual({ ...defaultPreferences, theme: 'dark' });
    expect(notices).toEqual([]);
    await core.must('app.setPreferences', { atOnce: 3 });
    const written = async () => JSON.parse(await readFile(path(), 'utf8'));
    expect(await written()).toEqual({
      ...newer,
      tourOffered: false,
      preferences: { ...newer.preferences, atOnce: 3 },
    });
    await core.must('app.resetPreferences', {});
    expect(await written()).toEqual({
      ...newer,
      tourOffered: false,
      preferences: { later: newer.preferences.later },
    });
  });

  it('changes only what is given, also when two changes are made at once', async () => {
    const core = await start();
    await Promise.all([
      core.must('app.setPreferences', { theme: 'contrast' }),
      core.must('app.setPreferences', { tray: true }),
    ]);
    expect((await core.must('app.info', {})).preferences).toEqual({
      ...defaultPreferences,
      theme: 'contrast',
      tray: true,
    });
  });

  it.each([{ atOnce: 0 }, { atOnce: 9 }, { atOnce: 1.5 }, { theme: 'purple' }, { later: 1 }])(
    'refuses %j',
    async (change) => {
      const core = await start();
      expect(await core.core.call('app.setPreferences', change)).toMatchObject({
        ok: false,
        failure: { code: 'bad-input' },
      });
      expect((await core.must('app.info', {})).preferences).toEqual(defaultPreferences);
    },
  );

  it('resets the preferences and the limits of automatic calls', async () => {
    const core = await start();
    await core.must('app.setPreferences', { theme: 'dark', atOnce: 2, notifications: false });
    await core.must('tracking.setBudget', { perHour: 7, isAutomatic: false });
    await core.must('app.resetPreferences', {});
    expect((await core.must('app.info', {})).preferences).toEqual(defaultPreferences);
    expect(await core.must('budget.state', {})).toMatchObject({ perHour: 120, isAutomatic: true });
  });

  it('is set aside if it is a folder', async () => {
    await mkdir(path());
    expect((await (await start()).must('app.info', {})).notices).toHaveLength(1);
    expect(await damaged()).toHaveLength(1);
  });

  it('removes a dismissed notice, and emits an event', async () => {
    await writeFile(path(), 'half');
    const core = await start();
    const [notice] = (await core.must('app.info', {})).notices;
    await core.must('app.dismissNotice', { id: String(notice?.id) });
    expect(core.events.at(-1)).toMatchObject({ name: 'app.changed', value: { notices: [] } });
    await core.must('app.dismissNotice', { id: 'never existed' });
  });

  it('reports a failed write, and changes nothing', async () => {
    const core = await start();
    await mkdir(path());
    const answer = await core.ask('app.setPreferences', { theme: 'dark', language: 'system' });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'storage-unusable' } });
    expect((await core.must('app.info', {})).preferences.theme).toBe('system');
  });
});

describe('a damaged database', () => {
  it('prevents the program from starting, and nothing in the folder is touched', async () => {
    const text = 'this is no database at all, not even a little'.repeat(100);
    await writeFile(join(dataDir, 'sealdesk.db'), text);
    await expect(start()).rejects.toMatchObject({ failure: { detail: 'database-damaged' } });
    expect(await readdir(dataDir)).toEqual(['sealdesk.db']);
    expect(await readFile(join(dataDir, 'sealdesk.db'), 'utf8')).toBe(text);
  });
});
