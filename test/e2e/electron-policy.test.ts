import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { electronPath, findElectron, openDesktops, removeHomes, startDesktop } from '../harness/electron.ts';
import { makePolicyPlace, type PolicyPlace, policyPlaceMissing } from '../harness/policy-place.ts';

const noPlace = policyPlaceMissing();
const electron = findElectron();
const noWindow = noPlace ?? ('missing' in electron ? electron.missing : null);
const skipped = (reason: string | null) => (reason ? ` (skipped: ${reason})` : '');

let place: PolicyPlace;
beforeEach(() => {
  if (noPlace === null) place = makePolicyPlace();
});
afterEach(async () => {
  for (const desktop of [...openDesktops]) await desktop.quit();
  if (noPlace === null) place.remove();
});

const office = {
  id: 'office',
  name: 'Office',
  baseUrl: 'https://service.invalid',
  mainPath: '/main.asmx',
  namespaceUri: 'https://service.invalid/ns/',
};

describe.skipIf(noWindow)(`the desktop program under a policy${skipped(noWindow)}`, () => {
  afterAll(removeHomes);

  it('follows it in window and system, and shows why nothing can be changed', async () => {
    place.put({ theme: 'dark', language: 'de', connections: [office], surprise: 1 });
    const { app, page } = await startDesktop({ starter: place.starter(electronPath()) });
    await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('button', { name: /^Einstellungen/ }).click();
    await expect.poll(() => page.locator('main').innerText()).toContain('Von Ihrer Organisation verwaltet');
    expect(await page.locator('main').innerText()).toContain('surprise: is no setting of this version');
    place.put({ connections: [office] });
    await expect
      .poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource), { timeout: 30_000 })
      .toBe('system');
  });
});

describe.skipIf(noPlace)(`the command line under a policy${skipped(noPlace)}`, () => {
  let cli: CommandLine;
  let elsewhere: string;
  beforeAll(async () => {
    cli = await buildCommandLine();
    elsewhere = mkdtempSync(join(tmpdir(), 'sealdesk-downloads-'));
  });
  afterAll(() => {
    cli.remove();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [program = '', ...words] = [...place.words, ...cli.words(args)];
    const home = { HOME: cli.home, XDG_CONFIG_HOME: join(cli.home, '.config'), LC_ALL: 'C' };
    const { status, stdout, stderr } = spawnSync(program, words, {
      encoding: 'utf8',
      cwd: elsewhere,
      env: { PATH: process.env.PATH, ...home, ...env },
    });
    return { code: status, out: stdout, err: stderr };
  }

  it('prints the policy, with its errors, and says so in other commands', () => {
    expect(run(['policy'])).toMatchObject({ code: 0, out: '/etc/sealdesk/policy.json: no policy\n' });
    place.put({ atOnce: 2, purple: 1, recommended: { theme: 'dark' } });
    const printed = run(['policy']);
    expect(printed.code).toBe(1);
    for (const line of ['atOnce = 2', 'theme = "dark"', 'purple: is no setting of this version'])
      expect(printed.out).toContain(line);
    expect(JSON.parse(run(['policy', '--json']).out)).toMatchObject({
      operation: 'policy',
      ok: false,
      details: { isPresent: true, set: { atOnce: 2 }, problems: [{ kind: 'unknown', key: 'purple' }] },
    });
    place.put('{');
    expect(run(['version']).err).toContain('policy has errors (/etc/sealdesk/policy.json)');
  });

  it('refuses what is not allowed, and nothing in the environment changes that', () => {
    place.put({ saveDocuments: false, exportDiagnostics: false, ownConnections: false, connections: [office] });
    const download = run(['download', '6f9619ff-8b86-d011-b42d-00cf4fc964ff']);
    expect(download).toMatchObject({ code: 2 });
    expect(download.out + download.err).toContain('not allowed by the organisation');
    const report = run(['support']);
    expect(report).toMatchObject({ code: 2 });
    expect(report.out + report.err).toContain('does not allow a report');
    expect(readdirSync(elsewhere)).toEqual([]);
    const tries = { SEALDESK_POLICY: '/dev/null', SEALDESK_POLICY_FILE: '', XDG_CONFIG_DIRS: elsewhere };
    const own = ['--url', 'https://own.invalid', '--namespace', 'urn:x/', '--main-path', '/a.asmx'];
    const version = run(['version', ...own], tries);
    expect(version).toMatchObject({ code: 2 });
    expect(version.out + version.err).toContain('only connections of the policy are allowed');
    // The one of the policy is known by its name, and is really asked.
    expect(run(['version', '--connection', 'Office'])).toMatchObject({ code: 4 });
  });

  it('refuses a file that others can write, and sends nothing', () => {
    place.put({ connections: [office] });
    const [program = '', ...words] = place.words;
    execFileSync(program, [...words, 'chmod', 'o+w', '/etc/sealdesk/policy.json']);
    const printed = run(['policy']);
    expect(printed).toMatchObject({ code: 1 });
    expect(printed.out).toContain('chmod go-w');
    const own = ['--url', 'https://own.invalid', '--namespace', 'urn:x/', '--main-path', '/a.asmx'];
    expect(run(['version', ...own])).toMatchObject({ code: 2 });
    expect(run(['version'])).toMatchObject({ code: 0 });
  });
});
