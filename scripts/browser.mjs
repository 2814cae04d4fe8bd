import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, nodeBinary, root, which } from './setup.mjs';

const onPath = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

const elsewhere = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((path) =>
      join(process.env[name] ?? 'C:\\', path),
    ),
  ),
};

/** A Chromium for tests: an installed one, else Playwright's, else Debian's package. Returns its path, or the reason why there is none. */
export function findChromium() {
  const given = process.env.SEALDESK_CHROMIUM;
  if (given)
    return existsSync(given) ? { path: given } : { reason: `SEALDESK_CHROMIUM names ${given}, which is not there` };
  const installed = (elsewhere[process.platform] ?? []).find(existsSync) ?? firstOnPath();
  if (installed) return { path: installed };
  const own = playwrightsOwn() ?? (fetchPlaywrights() ? playwrightsOwn() : null) ?? debians();
  return own ? { path: own } : { reason: 'no Chrome, Chromium or Edge is installed, and none could be fetched' };
}

function firstOnPath() {
  for (const name of process.platform === 'win32' ? [] : onPath) {
    const path = which(name);
    if (path) return path;
  }
  return null;
}

function playwrightsOwn() {
  const code = "import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))";
  const asked = spawnSync(nodeBinary(), ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  const path = asked.stdout?.trim();
  return path && existsSync(path) ? path : null;
}

function fetchPlaywrights() {
  console.log('Fetching a Chromium for tests, once …');
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  const options = { cwd: root, stdio: 'ignore', timeout: 4 * 60_000 };
  return spawnSync(nodeBinary(), [cli, 'install', 'chromium'], options).status === 0;
}

function debians() {
  if (!isRoot() || !which('apt-get')) return null;
  const options = { stdio: 'ignore', timeout: 5 * 60_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  return which('chromium');
}

/** Opens an address in the person's browser, if there is one. Never waits and never fails. */
export function openInBrowser(address) {
  if (process.env.CI) return;
  const [command, ...args] = {
    darwin: ['open', address],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', address],
  }[process.platform] ?? ['xdg-open', address];
  if (process.platform === 'linux' && !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)) return;
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
