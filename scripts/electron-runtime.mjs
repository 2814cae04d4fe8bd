import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeBinary, root } from './setup.mjs';

const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
const binaryName = names[process.platform] ?? 'electron';
const minutesForDownload = 5;

/** Path of Electron's program, or null. Never loads the `electron` package: that one would download by itself. */
export function installedElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return existing(join(override, binaryName));
  try {
    const folder = join(root, 'node_modules/electron');
    return existing(join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim()));
  } catch {
    return null;
  }
}

const existing = (path) => (existsSync(path) ? path : null);

/** Lets Electron's own install script fetch the program. Ends within a few minutes. Returns the reason for a failure, or null. */
export async function fetchElectron() {
  const script = join(root, 'node_modules/electron/install.js');
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) return 'ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron';
  if (!existsSync(script)) return 'the electron package is not installed';
  if (!(await canReachReleases())) return 'Electron could not be downloaded: its release host cannot be reached';
  console.log('Fetching Electron, once …');
  const done = spawnSync(nodeBinary(), [script], { cwd: root, stdio: 'ignore', timeout: minutesForDownload * 60_000 });
  return done.status === 0 && installedElectron() ? null : 'Electron could not be downloaded';
}

/** Checks for a network, so that nobody waits minutes without one. A configured mirror or proxy is not checked. */
async function canReachReleases() {
  const ways = [
    'ELECTRON_MIRROR',
    'npm_config_electron_mirror',
    'HTTPS_PROXY',
    'https_proxy',
    'GLOBAL_AGENT_HTTPS_PROXY',
  ];
  if (ways.some((name) => process.env[name])) return true;
  return fetch('https://github.com/electron/electron/releases', {
    method: 'HEAD',
    signal: AbortSignal.timeout(8000),
  }).then(
    () => true,
    () => false,
  );
}

/** For tests: the dist folder of a runtime from a neighbouring script, or null. */
export function electronForTests() {
  const script = resolve(root, '../shared/tools/electron-for-tests');
  if (process.platform !== 'linux' || !existsSync(script)) return null;
  const made = spawnSync(script, { encoding: 'utf8', timeout: minutesForDownload * 60_000 });
  const folder = made.status === 0 ? made.stdout.trim() : '';
  return folder && existsSync(join(folder, binaryName)) ? folder : null;
}
