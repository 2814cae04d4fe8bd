import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doMainJob } from './main-job.mjs';
import { checkRpmUpgrade } from './rpm-upgrade.mjs';
import { checkSandboxed } from './sandboxed.mjs';
import { withProgram } from './with-program.mjs';

const nobody = '65534';

/**
 * The checks of the deb package in a Debian that holds nothing else, as pairs of name and function: what the package does not declare is not there. The folder of that
 * Debian is made first and removed last. The rpm is installed there, too. `build` runs electron-builder: its target, the folder to pack, the folder for the result, more words.
 */
export function checkBareRoot(deb, build) {
  const why = whyNoDebian(deb);
  if (why !== null) return [['a bare Debian runs it', () => why]];
  const root = mkdtempSync(join(tmpdir(), 'sealdesk-bare-'));
  return [
    ['a bare Debian installs it with what it declares', () => install(root, deb)],
    ['it names its version there and ends', () => namesVersion(root)],
    ['an ordinary person does the main job there, in the sandbox', () => doesMainJob(root)],
    ['it goes away from there', () => purge(root)],
    ...checkRpmUpgrade(root, build),
    ['the bare Debian goes away again', () => rmSync(root, { recursive: true, force: true })],
  ];
}

/** Why no Debian of its own can be made for a package here, or null. */
export function whyNoDebian(deb) {
  if (!deb) return 'no deb package';
  if (process.getuid?.() !== 0) return 'only as root can a package be installed';
  for (const tool of ['mmdebstrap', 'bwrap']) {
    if (spawnSync('which', [tool]).status !== 0) return `no ${tool}`;
  }
  return existsSync('/etc/os-release') && codename() ? null : 'no Debian';
}

function codename() {
  return /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}

function install(root, deb) {
  const hook = `${root}.hook.sh`;
  copyFileSync(deb, `${root}.deb`);
  writeFileSync(
    hook,
    `set -e\ncp '${root}.deb' "$1/tmp/sealdesk.deb"\nchroot "$1" apt-get install -y --no-install-recommends /tmp/sealdesk.deb\n`,
  );
  try {
    makeDebian(root, [`--customize-hook=sh ${hook} "$1"`]);
  } finally {
    for (const path of [hook, `${root}.deb`]) rmSync(path, { force: true });
  }
}

/** Makes a Debian that holds only what every Debian has, with the sources of packages that this machine uses. */
export function makeDebian(root, options = []) {
  const folder = '/etc/apt/sources.list.d';
  const sources = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => /\.(list|sources)$/.test(name))
      .map((name) => join(folder, name)),
  ].filter((path) => existsSync(path));
  // A mirror that stands still is not refused.
  const standing = '--aptopt=Acquire::Check-Valid-Until "false"';
  run('mmdebstrap', ['--variant=apt', standing, ...options, codename(), root, ...sources]);
}

/** Runs in that Debian as an ordinary person. */
function inside(root, ...words) {
  const places = [
    '--bind',
    root,
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--perms',
    '1777',
    '--tmpfs',
    '/tmp',
    '--perms',
    '1777',
    '--tmpfs',
    '/dev/shm',
    '--unshare-pid',
    '--die-with-parent',
    '--chdir',
    '/tmp',
  ];
  return [
    'bwrap',
    ...places,
    '--setenv',
    'HOME',
    '/tmp',
    'setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    ...words,
  ];
}

function namesVersion(root) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const program of ['/usr/bin/sealdesk', '/usr/bin/sealdesk-cli']) {
    const [command, ...words] = inside(root, program, '--version');
    const said = run(command, words).trim();
    if (said !== version) throw new Error(`${program} said: ${said}`);
  }
}

/** The display is reached by its abstract socket, the port by the shared loopback device. */
async function doesMainJob(root) {
  if (spawnSync('xvfb-run', ['--help']).status !== 0) return 'no xvfb-run';
  const [command, ...words] = inside(root, 'unshare', '--user', 'true');
  const namespace = spawnSync(command, words, { encoding: 'utf8' });
  // bwrap forbids what a set-user-ID program gains, so without namespaces there is no sandbox at all in there.
  if (namespace.status !== 0) return `an ordinary person gets no user namespace here: ${namespace.stderr.trim()}`;
  await withProgram(inside(root, '/usr/bin/sealdesk', '--user-data-dir=/tmp/data'), async (page, pid) => {
    checkSandboxed(pid);
    await doMainJob(page);
  });
}

function purge(root) {
  run('chroot', [root, 'dpkg', '--purge', 'sealdesk']);
  for (const path of ['opt/Sealdesk', 'usr/bin/sealdesk', 'usr/share/applications/sealdesk.desktop']) {
    if (lstatSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`/${path} is still there`);
  }
}

function run(command, words) {
  const done = spawnSync(command, words, { encoding: 'utf8', timeout: 900_000 });
  if (done.status !== 0)
    throw new Error(`${command}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(-1500)}`);
  return done.stdout;
}
