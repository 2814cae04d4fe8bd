// `npm run test:package`: is the packaging configuration valid and, where an Electron and the packaging tools are at hand, does the
// packaged and installed program do its main job? Needs `npm run build` before. Environment:
//   ELECTRON_OVERRIDE_DIST_PATH  folder of an Electron distribution to package (else what `npm start` or the tests use)
//   CUSTOM_FPM_PATH              an fpm for the deb package, where electron-builder cannot fetch its own
// The last line counts: `test:package: N passed, N failed, N skipped`.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkArchive } from './package/archive.mjs';
import { checkBareRoot } from './package/bare-root.mjs';
import { buildLinux, findElectron, fpm, runBuilder, unpacked } from './package/build.mjs';
import { checkDeployment } from './package/deployment.mjs';
import { checkInstalled } from './package/installed.mjs';
import { checkLintian } from './package/lintian.mjs';
import { checkMsi } from './package/msi.mjs';
import { startOtherPackages } from './package/other-packages.mjs';
import { checkPackaged } from './package/packaged.mjs';
import { checkSameBytes } from './package/same-bytes.mjs';
import { checkSizes, sizes } from './package/sizes.mjs';
import { checkVersions } from './package/versions.mjs';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'release', 'check');
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
    'the other packages',
    'the MSI',
    'a second build gives the same bytes',
    'the installed program',
  ]) {
    await check(name, () => why);
  }
} else if (await check('the folder is built', buildFolder)) {
  const folder = unpacked(output);
  const others = join(root, 'release', 'others');
  const otherChecks = startOtherPackages(folder, others);
  for (const [name, work] of [...checkArchive(folder), ...checkPackaged(folder)]) await check(name, work);
  const noFpm = fpm ? null : 'no CUSTOM_FPM_PATH, and electron-builder would have to fetch one';
  const built = await check('the deb package is built', () => noFpm ?? buildLinux('deb', { output, electron }));
  const deb = built ? readdirSync(output).find((name) => name.endsWith('.deb')) : undefined;
  const path = deb && join(output, deb);
  const checks = [
    ...checkSizes(folder, path),
    ...checkLintian(path),
    ...checkSameBytes(output, path ? [path] : [], electron),
    ...checkInstalled(path),
    ...checkVersions(path, packOlder),
    ...checkBareRoot(path, packFolder),
    ...checkDeployment(path),
    ...checkMsi(folder, output),
    ...otherChecks,
  ];
  for (const [name, work] of checks) await check(name, work);
  for (const line of sizes(folder, [output, join(output, 'msi'), others])) console.log(line);
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
