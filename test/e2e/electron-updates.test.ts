import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UpdateProblem, UpdateState } from '../../contract/app.ts';
import { enSettings } from '../../locales/en/window/settings.ts';
import { selfSigned } from '../harness/certificate.ts';
import { ask } from '../harness/desktop-bridge.ts';
import {
  type Desktop,
  electronPath,
  findElectron,
  newHome,
  openDesktops,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { makePolicyPlace, type PolicyPlace, policyPlaceMissing } from '../harness/policy-place.ts';
import { appImage, newKey, startFeed, type UpdateFeed } from '../harness/update-feed.ts';

const electron = findElectron();
const root = resolve(import.meta.dirname, '../..');
const why =
  'missing' in electron
    ? electron.missing
    : process.env.SEALDESK_PACKAGED
      ? 'a package is tried by itself'
      : policyPlaceMissing();

/** What stands in for the AppImage: when it is started it leaves a word beside itself. */
const program = (word: string) =>
  Buffer.from(`#!/bin/sh\necho ${word} "$@" > "$(dirname "$0")/started"\n${'#'.repeat(200_000)}\n`);
const { problem: sentences } = enSettings.update;
const older = program('older');
const newer = program('newer');

describe.skipIf(why !== null)(
  `an AppImage that updates itself, in real Electron${why ? ` (skipped: ${why})` : ''}`,
  () => {
    let engine = '';
    let folder = '';
    let file = '';
    let place: PolicyPlace;
    let feed: UpdateFeed;

    // Electron counts as a packaged program if its file is not called electron.
    beforeAll(() => {
      engine = mkdtempSync(join(tmpdir(), 'sealdesk-engine-'));
      const from = dirname(electronPath());
      const dist = join(engine, 'dist');
      // On another disk there are no links, but their folders.
      if (spawnSync('cp', ['-al', from, dist]).status !== 0) spawnSync('cp', ['-a', `${from}/.`, dist]);
      spawnSync('mv', [join(dist, 'electron'), join(dist, 'sealdesk')]);
      symlinkSync(join(root, 'assets'), join(dist, 'resources', 'assets'));
    });
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sealdesk-appimage-'));
      mkdirSync(join(folder, 'cache'));
      file = join(folder, 'Sealdesk.AppImage');
      writeFileSync(file, older, { mode: 0o755 });
      place = makePolicyPlace();
      feed = await startFeed();
      policy();
    });
    afterEach(async () => {
      for (const desktop of [...openDesktops]) await desktop.quit();
      await feed.close();
      place.remove();
      rmSync(folder, { recursive: true, force: true });
    });
    afterAll(() => {
      rmSync(engine, { recursive: true, force: true });
      removeHomes();
    });

    const policy = (more: object = {}) =>
      place.put({ updateFeed: feed.address, updateKey: feed.key.setting, proxy: 'none', language: 'en', ...more });
    const start = (home = newHome()) =>
      startDesktop({
        home,
        starter: place.starter(join(engine, 'dist', 'sealdesk')),
        env: { APPIMAGE: file, XDG_CACHE_HOME: join(folder, 'cache') },
      });
    const settled = async (desktop: Desktop): Promise<UpdateState> => {
      await expect
        .poll(async () => (await ask(desktop, 'updates.state', {})).stage, { timeout: 60_000 })
        .toMatch(/^(idle|ready|off)$/);
      return await ask(desktop, 'updates.state', {});
    };
    const check = async (desktop: Desktop) => {
      await expect.poll(async () => (await ask(desktop, 'updates.state', {})).stage).toBe('idle');
      await ask(desktop, 'updates.check', {});
      return await settled(desktop);
    };
    /** Only the program is there, as it was. */
    const isAsBefore = () => {
      expect(readFileSync(file).equals(older)).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(['Sealdesk.AppImage', 'cache']);
    };

    it('is replaced when it quits, after the window said so', async () => {
      feed.offer('9.0.0', newer);
      const desktop = await start();
      const { page } = desktop;
      await page.getByRole('button', { name: /^Settings/ }).click();
      await page.getByRole('button', { name: 'Check now' }).click();
      const notices = page.getByRole('region', { name: 'Notices' });
      await expect.poll(() => notices.innerText().catch(() => '')).toContain('Version 9.0.0 is ready.');
      await expect.poll(() => page.locator('[data-setting=updates]').innerText()).toContain('Restart to finish');
      expect(readFileSync(file).equals(older)).toBe(true);
      await desktop.quit();
      expect(readFileSync(file).equals(newer)).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(['Sealdesk.AppImage', 'cache']);
      expect(feed.asked).toEqual(['latest-linux.yml', 'latest-linux.yml.sig', appImage('9.0.0')]);
    });

    it('is replaced and started again over https, by a certificate that the policy trusts', async () => {
      const certificate = selfSigned({ organisation: 'Updates' });
      await feed.close();
      feed = await startFeed(certificate);
      feed.offer('9.0.0', newer);
      policy({ extraCa: certificate.cert });
      const desktop = await start();
      expect(await check(desktop)).toMatchObject({ stage: 'ready', version: '9.0.0', problem: null });
      const ended = new Promise((done) => desktop.app.process().once('exit', done));
      await desktop.page.getByRole('button', { name: 'Restart to finish' }).first().click();
      await ended;
      expect(readFileSync(file).equals(newer)).toBe(true);
      await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true);
      expect(readFileSync(join(folder, 'started'), 'utf8')).toContain('newer');
    });

    it('is not replaced while files wait', async () => {
      feed.offer('9.0.0', newer);
      const desktop = await start();
      expect(await check(desktop)).toMatchObject({ stage: 'ready' });
      await waitingJob(desktop);
      expect(await ask(desktop, 'updates.restart', {})).toBe('work-running');
      await desktop.quit();
      expect(readFileSync(file).equals(older)).toBe(true);
    });

    it('fetches nothing while files wait, and does when they are gone', async () => {
      feed.offer('9.0.0', newer);
      const desktop = await start();
      await waitingJob(desktop);
      await ask(desktop, 'updates.check', {});
      await expect.poll(async () => (await ask(desktop, 'updates.state', {})).stage).toBe('available');
      expect(feed.asked).not.toContain(appImage('9.0.0'));
      await ask(desktop, 'jobs.cancelWaiting', {});
      await expect.poll(async () => (await ask(desktop, 'updates.state', {})).stage).toBe('ready');
    });

    const list = 'latest-linux.yml';
    const hostile: readonly (readonly [string, UpdateProblem, () => void])[] = [
      ['a truncated file', 'damaged', () => feed.answer(appImage('9.0.0'), cut)],
      [
        'a file that ends early with its length told',
        'damaged',
        () => feed.write(appImage('9.0.0'), newer.subarray(0, 100_000)),
      ],
      ['another file of the same length', 'damaged', () => feed.write(appImage('9.0.0'), program('evil!'))],
      ['a far larger file', 'damaged', () => feed.answer(appImage('9.0.0'), endless)],
      ['an older version', 'older', () => feed.offer('0.0.9', newer)],
      ['a signature by another key', 'unsigned', () => feed.offer('9.0.0', newer, { key: newKey().pem })],
      ['a list that was changed after it was signed', 'unsigned', () => feed.write(list, `${feed.read(list)} `)],
      ['no signature', 'unsigned', () => feed.remove(`${list}.sig`)],
      ['a list that is far too large', 'unusable', () => feed.answer(list, endless)],
      ['a list that drips', 'too-slow', () => feed.answer(list, drip)],
      ['a redirect of the list', 'redirected', () => feed.answer(list, elsewhere)],
      ['a redirect of the file', 'redirected', () => feed.answer(appImage('9.0.0'), elsewhere)],
      ['an error of the server', 'unreachable', () => feed.answer(list, (response) => response.writeHead(500).end())],
    ];

    it('stays as it was, byte for byte, whatever the server does, and says why', async () => {
      const desktop = await start();
      await desktop.page.getByRole('button', { name: /^Settings/ }).click();
      for (const [what, problem, prepare] of hostile) {
        for (const name of [list, `${list}.sig`, appImage('9.0.0')]) feed.answer(name, null);
        feed.offer('9.0.0', newer);
        if (problem === 'older') feed.remove(appImage('9.0.0'));
        prepare();
        const state = await check(desktop);
        expect([what, state.stage, state.problem]).toEqual([what, 'idle', problem]);
        const card = desktop.page.locator('[data-setting=updates] [role=status]');
        await expect.poll(() => card.innerText(), { message: what }).toBe(sentences[problem]);
        isAsBefore();
      }
      await feed.close();
      expect(await check(desktop)).toMatchObject({ stage: 'idle', problem: 'unreachable' });
      feed = await startFeed();
      await desktop.quit();
      isAsBefore();
    });

    it('is not replaced by a file that was changed after it was fetched', async () => {
      feed.offer('9.0.0', newer);
      const home = newHome();
      const desktop = await start(home);
      expect(await check(desktop)).toMatchObject({ stage: 'ready' });
      const beside = readdirSync(folder).find((name) => name.endsWith('.update')) ?? 'nothing beside';
      writeFileSync(join(folder, beside), program('evil!'));
      const ended = new Promise((done) => desktop.app.process().once('exit', done));
      expect(await ask(desktop, 'updates.restart', {})).toBe('restarting');
      await ended;
      const started = join(folder, 'started');
      await expect.poll(() => (existsSync(started) ? readFileSync(started, 'utf8') : '')).toContain('older');
      rmSync(started);
      isAsBefore();
      const again = await start(home);
      expect(await settled(again)).toMatchObject({ stage: 'idle', problem: 'not-installed' });
      await expect
        .poll(() => again.page.getByRole('region', { name: 'Notices' }).innerText())
        .toContain('9.0.0 could not');
    });

    it('gives no update to those who are not in a stage', async () => {
      feed.offer('9.0.0', newer, { staging: 0 });
      const desktop = await start();
      expect(await check(desktop)).toMatchObject({ stage: 'idle', problem: null, version: null });
      feed.offer('9.0.0', newer, { staging: 100 });
      expect(await check(desktop)).toMatchObject({ stage: 'ready', version: '9.0.0' });
    });

    it('asks nobody without a feed, without a key, and where the policy says no; and forgets what it fetched', async () => {
      feed.offer('9.0.0', newer);
      const desktop = await start();
      expect(await check(desktop)).toMatchObject({ stage: 'ready' });
      const before = feed.asked.length;
      const offReason = async () => (await ask(desktop, 'updates.state', {})).offReason;
      for (const [change, reason] of [
        [{ updates: false }, 'policy'],
        [{ updateKey: null }, 'no-key'],
        [{ updateFeed: null }, 'no-feed'],
      ] as const) {
        policy(change);
        await expect.poll(offReason).toBe(reason);
        await ask(desktop, 'updates.check', {});
      }
      await desktop.quit();
      isAsBefore();
      expect(feed.asked.length).toBe(before);
    });

    it('is off where the person may not replace the file', async () => {
      // Root may write everywhere: a folder that is no folder any more stands in for it.
      rmSync(file);
      file = join(folder, 'gone', 'Sealdesk.AppImage');
      const desktop = await start();
      expect(await settled(desktop)).toMatchObject({ stage: 'off', offReason: 'not-replaceable' });
    });
  },
);

/** A job that waits: its service cannot be reached. */
async function waitingJob(desktop: Desktop): Promise<void> {
  const settings = { name: 'None', baseUrl: 'http://127.0.0.1:9', mainPath: '/a.asmx', namespaceUri: 'urn:x/' };
  const { id: connectionId } = await ask(desktop, 'connections.save', { settings });
  await ask(desktop, 'connections.setCredentials', { id: connectionId, apiKey: 'key', apiSig: 'signature' });
  const [sample] = await ask(desktop, 'files.samples', {});
  const intake = await ask(desktop, 'files.scan', { tokens: [sample?.token ?? ''], purpose: 'register' });
  const { batchId } = await ask(desktop, 'documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
  await expect
    .poll(async () => (await ask(desktop, 'jobs.list', { batchId })).jobs.map(({ state }) => state))
    .toEqual(['waiting']);
}

type Response = Parameters<NonNullable<Parameters<UpdateFeed['answer']>[1]>>[0];

function cut(response: Response): void {
  response.writeHead(200, { 'Content-Length': newer.length });
  response.write(newer.subarray(0, 100_000), () => response.destroy());
}

function endless(response: Response): void {
  const block = Buffer.alloc(65_536, 35);
  const more = (): void =>
    void (response.destroyed || (response.write(block) ? setImmediate(more) : response.once('drain', more)));
  more();
}

function drip(response: Response): void {
  const timer = setInterval(() => response.write('#'), 500);
  response.on('close', () => clearInterval(timer));
}

function elsewhere(response: Response): void {
  response.writeHead(302, { Location: 'http://127.0.0.1:9/elsewhere' }).end();
}
