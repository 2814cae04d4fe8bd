/* What `npm run test:package` runs: scripts/test-package.mjs. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkArchive } from './archive.mjs';
import { checkBareRoot } from './bare-root.mjs';
import { buildLinux, findElectron, fpm, runBuilder, unpacked } from './build.mjs';
import { checkDeclared } from './declared.mjs';
import { checkDeployment, readDeployment } from './deployment.mjs';
import { checkInstalled } from './installed.mjs';
import { checkLintian } from './lintian.mjs';
import { checkMsi } from './msi.mjs';
import { startOtherPackages } from './other-packages.mjs';
import { checkPackaged } from './packaged.mjs';
import { checkSameBytes } from './same-bytes.mjs';
import { checkSizes, sizes } from './sizes.mjs';
import { makeSmallProgram } from './small-program.mjs';
import { packageTestLength } from './test-length.mjs';
import { absentTools, missingTool } from './tools.mjs';
import { checkVersions } from './versions.mjs';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, 'release', 'check');
// The folder of this run: an ordinary person works in it, too.
chmodSync(tmpdir(), 0o1777);
const tally = { passed: 0, failed: 0, skipped: 0 };

/** Runs one check: an error fails it, a returned text is the reason for skipping it. */
async function check(name, work) {
  const start = performance.now();
  let outcome = 'passed';
  let remark = '';
  try {
    const skipped = await work();
    if (typeof skipped === 'string') [outcome, remark] = ['skipped', skipped];
  } catch (error) {
    [outcome, remark] = ['failed', error instanceof Error ? error.message : String(error)];
  }
  tally[outcome] += 1;
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  console.log(`${outcome.padEnd(7)} ${seconds} s  ${name}${remark ? `: ${remark}` : ''}`);
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
    'the other packages',
    'the MSI',
    'a second build gives the same bytes',
    'the installed program',
  ]) {
    await check(name, () => why);
  }
} else {
  const { isFull, why } = packageTestLength();
  console.log(`${isFull ? 'All checks' : 'The quick checks'}: ${why}`);
  for (const said of absentTools()) console.log(`Checks will be skipped: ${said}`);
  if (await check('what packing needs is here', () => needs('strip', 'xz', 'dpkg-deb'))) await checkPackages(isFull);
}
console.log(`test:package: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;

function needs(...tools) {
  const missing = missingTool(...tools);
  if (missing) throw new Error(missing);
}

/** All that can be known of the packages, or what takes a few minutes. */
async function checkPackages(isFull) {
  const env = isFull ? {} : { SEALDESK_QUICK_DEB: '1' };
  if (!(await check('the folder is built', buildFolder))) return;
  const folder = unpacked(output);
  const others = join(root, 'release', 'others');
  const program = fillOthers(others, isFull ? folder : null);
  const otherChecks = startOtherPackages(others);
  for (const [name, work] of [...checkArchive(folder), ...checkPackaged(folder)]) await check(name, work);
  const noFpm = fpm ? null : 'no CUSTOM_FPM_PATH, and electron-builder would have to fetch one';
  const built = await check('the deb package is built', () => noFpm ?? buildLinux('deb', { output, electron, env }));
  const deb = built ? readdirSync(output).find((name) => name.endsWith('.deb')) : undefined;
  const path = deb && join(output, deb);
  const lintian = checkLintian(path);
  const checks = [
    ...checkSizes(folder, isFull ? path : undefined),
    ...(isFull ? checkSameBytes(output, path ? [path] : [], electron) : []),
    ...checkInstalled(path, checkDeclared(folder)),
    ...(isFull
      ? [...checkVersions(path, packOlder), ...checkBareRoot(path, packFolder), ...checkDeployment(path)]
      : readDeployment()),
    ...checkMsi(program, output),
    ...otherChecks,
    ...lintian,
  ];
  for (const [name, work] of checks) await check(name, work);
  for (const line of sizes(folder, [output, join(output, 'msi'), others])) console.log(line);
}

/** Lays what the packages besides the deb are made of into a folder: the program, or a small one in its place. */
function fillOthers(others, folder) {
  const program = unpacked(others);
  rmSync(others, { recursive: true, force: true });
  mkdirSync(others, { recursive: true });
  if (folder) spawnSync('cp', ['-al', folder, program]);
  else makeSmallProgram(program, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  return program;
}

async function validateConfiguration() {
  const { getConfig, validateConfiguration: validate } = await import('app-builder-lib/out/util/config/config.js');
  const { DebugLogger } = await import('builder-util');
  const config = await getConfig(root, join(root, 'electron-builder.yml'), null);
  await validate(config, new DebugLogger(false));
  for (const icon of [config.win.icon, config.mac.icon, config.linux.icon, config.nsis.include]) {
    if (!existsSync(join(root, icon))) throw new Error(`${icon} is not there`);
  }
}

function buildFolder() {
  rmSync(output, { recursive: true, force: true });
  buildLinux('dir', { output, electron });
}

/** Packs the built sources in `from` as a deb and returns its path. */
function packOlder(from, to, settings) {
  runBuilder('deb', { from, output: to, electron, settings, env: { SEALDESK_QUICK_DEB: '1' } });
  return join(to, readdirSync(to).find((name) => name.endsWith('.deb')) ?? 'no deb');
}

/** Packs an unpacked program. */
function packFolder(target, folder, to, settings) {
  runBuilder(target, { from: root, output: to, electron, settings: [`--prepackaged=${folder}`, ...settings] });
}
