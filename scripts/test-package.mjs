// `npm run test:package`: is the packaging configuration valid and, where an Electron and the packaging tools are at hand, does the
// packaged and installed program do its main job? Needs `npm run build` before. Environment:
//   ELECTRON_OVERRIDE_DIST_PATH  folder of an Electron distribution to package (else what `npm start` or the tests use)
//   CUSTOM_FPM_PATH              an fpm for the deb package, where electron-builder cannot fetch its own
// The last line counts: `test:package: N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { electronForTests, installedElectron } from './electron-runtime.mjs';
import { checkArchive } from './package/archive.mjs';
import { checkBareRoot } from './package/bare-root.mjs';
import { checkInstalled } from './package/installed.mjs';
import { checkPackaged } from './package/packaged.mjs';
import { checkVersions } from './package/versions.mjs';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'release', 'check');
const standIn = resolve(root, '../shared/tools/fpm-stand-in');
const fpm = process.env.CUSTOM_FPM_PATH ?? (existsSync(standIn) ? standIn : null);
const tally = { passed: 0, failed: 0, skipped: 0 };

/** Runs one check: an error fails it, a returned text is the reason for skipping it. */
async function check(name, work) {
  let outcome = 'passed';
  let remark = '';
  try {
    const skipped = await work();
    if (typeof skipped === 'string') [outcome, remark] = ['skipped', skipped];
  } catch (error) {
    [outcome, remark] = ['failed', error instanceof Error ? error.message : String(error)];
  }
  tally[outcome] += 1;
  console.log(`${outcome.padEnd(7)} ${name}${remark ? `: ${remark}` : ''}`);
  return outcome === 'passed';
}

await check('the configuration is valid by electron-builder’s own schema', validateConfiguration);
const electron = findElectron();
const reason =
  electron.missing ?? (existsSync(join(root, 'dist', 'main', 'main.js')) ? null : 'not built (npm run build)');
if (reason !== null || process.platform !== 'linux') {
  const why = reason ?? 'only on Linux; other systems build their own installers';
  for (const name of [
    'the folder is built',
    'the archive and the fuses',
    'the packaged program writes a report',
    'the packaged program is locked as the tests of the window say',
    'the deb package is built',
    'the installed program',
  ]) {
    await check(name, () => why);
  }
} else if (await check('the folder is built', () => build('dir'))) {
  const folder = join(output, 'linux-unpacked');
  for (const [name, work] of [...checkArchive(folder), ...checkPackaged(folder)]) await check(name, work);
  const noFpm = fpm ? null : 'no CUSTOM_FPM_PATH, and electron-builder would have to fetch one';
  const built = await check('the deb package is built', () => noFpm ?? build('deb'));
  const deb = built ? readdirSync(output).find((name) => name.endsWith('.deb')) : undefined;
  const path = deb && join(output, deb);
  const checks = [...checkInstalled(path), ...checkVersions(path, packOlder), ...checkBareRoot(path)];
  for (const [name, work] of checks) await check(name, work);
}
console.log(`test:package: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;

async function validateConfiguration() {
  const { getConfig, validateConfiguration: validate } = await import('app-builder-lib/out/util/config/config.js');
  const { DebugLogger } = await import('builder-util');
  const config = await getConfig(root, join(root, 'electron-builder.yml'), null);
  await validate(config, new DebugLogger(false));
  for (const icon of [config.win.icon, config.mac.icon, config.linux.icon, config.nsis.include]) {
    if (!existsSync(join(root, icon))) throw new Error(`${icon} is not there`);
  }
}

function findElectron() {
  const installed = installedElectron();
  const folder = installed ? dirname(installed) : electronForTests();
  const version = folder && join(folder, 'version');
  if (!version || !existsSync(version)) return { missing: 'no Electron distribution here' };
  return { folder, version: readFileSync(version, 'utf8').trim().replace(/^v/, '') };
}

function build(target) {
  const folder = join(output, 'linux-unpacked');
  if (target === 'dir') rmSync(output, { recursive: true, force: true });
  // The package is built from the folder that was checked.
  runBuilder(root, target, output, target === 'dir' ? [] : [`--prepackaged=${folder}`]);
}

/** Packs the built sources in `folder` as a deb and returns its path. */
function packOlder(folder, to, settings) {
  runBuilder(folder, 'deb', to, settings);
  return join(to, readdirSync(to).find((name) => name.endsWith('.deb')) ?? 'no deb');
}

function runBuilder(folder, target, to, more) {
  const settings = [
    `-c.electronDist=${electron.folder}`,
    `-c.electronVersion=${electron.version}`,
    `-c.directories.output=${to}`,
    ...more,
  ];
  const cli = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const run = spawnSync(process.execPath, [cli, '--linux', target, '--x64', ...settings], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 600_000,
    env: { ...process.env, ...(fpm ? { CUSTOM_FPM_PATH: fpm } : {}) },
  });
  if (run.status !== 0) throw new Error(`electron-builder ${target}: ${shortened(`${run.stdout}${run.stderr}`)}`);
}

/** Start and end of a long output: one of them holds the cause. */
function shortened(text) {
  const words = text.replaceAll(/[ \t]+/g, ' ');
  return words.length > 4000 ? `${words.slice(0, 2000)} … ${words.slice(-2000)}` : words;
}
