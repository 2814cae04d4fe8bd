import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { electronForTests, installedElectron } from '../electron-runtime.mjs';
import { root } from '../setup.mjs';
import { settleFolder, sourceDate } from './source-date.mjs';

const standIn = resolve(root, '../shared/tools/fpm-stand-in');

/** The fpm for deb and rpm, or null where electron-builder has to fetch one. */
export const fpm = process.env.CUSTOM_FPM_PATH ?? (existsSync(standIn) ? standIn : null);

/** The Electron to package as its folder and version, or the reason why there is none. */
export function findElectron() {
  const installed = installedElectron();
  const folder = installed ? dirname(installed) : electronForTests();
  const version = folder && join(folder, 'version');
  if (!version || !existsSync(version)) return { missing: 'no Electron distribution here' };
  return { folder, version: readFileSync(version, 'utf8').trim().replace(/^v/, '') };
}

/** The unpacked program in a folder of packages. */
export const unpacked = (output) => join(output, 'linux-unpacked');

/**
 * Builds one target for Linux from the sources in `from` (dist/ is there) into `output`: first `dir`, then packages of that folder. Two runs of one commit give the same
 * bytes.
 */
export function buildLinux(target, { from = root, output, electron, date = sourceDate(from), env = {} }) {
  const folder = unpacked(output);
  // What lies beside the program in a package keeps the times that it has here.
  if (target !== 'dir') for (const own of ['assets/icons/linux', 'dist/linux']) settleFolder(join(from, own), date);
  // The package is built from the folder that was checked.
  const settings = target === 'dir' ? [] : [`--prepackaged=${folder}`];
  runBuilder(target, { from, output, electron, settings, env: { ...env, SOURCE_DATE_EPOCH: String(date) } });
  // electron-builder adds a file for each target.
  settleFolder(folder, date);
}

/** For dpkg-deb and for fpm: what they pack is packed again (smaller-deb.mjs), or never downloaded. */
const quickXz = { DPKG_DEB_COMPRESSOR_LEVEL: '0', XZ_OPT: '-0' };

/** Runs electron-builder for Linux with these settings besides the Electron and the folder for what it makes. Throws with what it said. */
export function runBuilder(target, { from, output, electron, settings, env = {} }) {
  const own = [
    ...(electron.folder ? [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`] : []),
    `-c.directories.output=${output}`,
    '--publish=never',
  ];
  // Whatever the umask is, everybody can read what is installed.
  const before = process.umask(0o022);
  try {
    const cli = join(root, 'node_modules', 'electron-builder', 'cli.js');
    const run = spawnSync(process.execPath, [cli, '--linux', target, '--x64', ...own, ...settings], {
      cwd: from,
      encoding: 'utf8',
      timeout: 1_500_000,
      env: { ...process.env, ...(fpm ? { CUSTOM_FPM_PATH: fpm } : {}), ...quickXz, ...env },
    });
    if (run.status !== 0) throw new Error(`electron-builder ${target}: ${shortened(`${run.stdout}${run.stderr}`)}`);
  } finally {
    process.umask(before);
  }
}

/** Start and end of a long output: one of them holds the cause. */
function shortened(text) {
  const words = text.replaceAll(/[ \t]+/g, ' ');
  return words.length > 4000 ? `${words.slice(0, 2000)} … ${words.slice(-2000)}` : words;
}
