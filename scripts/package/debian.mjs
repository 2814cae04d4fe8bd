import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingTool } from './tools.mjs';

/**
 * A Debian that holds only what every Debian has, made once and unpacked for each of those who need one of their own, with the sources of packages that this machine uses.
 * They share what they download.
 */
let made = null;

/** Why no Debian of its own can be made for a package here, or null. */
export function whyNoDebian(deb) {
  if (!deb) return 'no deb package';
  if (process.getuid?.() !== 0) return 'only as root can a package be installed';
  return missingTool('mmdebstrap', 'bwrap', 'setpriv') ?? (codename() ? null : 'no Debian');
}

function codename() {
  if (!existsSync('/etc/os-release')) return undefined;
  return /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}

/** Fills the folder `root` with such a Debian. */
export function unpackDebian(root) {
  made ??= makeDebian();
  run('tar', ['-xf', join(made, 'debian.tar'), '-C', root]);
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
}

function makeDebian() {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-debian-'));
  mkdirSync(join(folder, 'archives', 'partial'), { recursive: true });
  const list = '/etc/apt/sources.list.d';
  const sources = [
    '/etc/apt/sources.list',
    ...(existsSync(list) ? readdirSync(list) : [])
      .filter((name) => /\.(list|sources)$/.test(name))
      .map((name) => join(list, name)),
  ].filter((path) => existsSync(path));
  // A mirror that stands still is not refused. The lists of packages stay, so that nobody fetches them again.
  const options = ['--variant=apt', '--aptopt=Acquire::Check-Valid-Until "false"', '--skip=cleanup/apt/lists'];
  run('mmdebstrap', [...options, codename(), join(folder, 'debian.tar'), ...sources]);
  return folder;
}

/** Command and words that run a program in that Debian with these words of bwrap. Its temporary folder is another one. */
export function inDebian(root, options, ...words) {
  const places = ['--bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--perms', '1777', '--tmpfs', '/tmp'];
  return ['bwrap', ...places, '--unshare-pid', '--die-with-parent', '--unsetenv', 'TMPDIR', ...options, ...words];
}

/** Runs shell text in that Debian as its administrator and returns what it printed; the first command that fails ends it. */
export function asAdministrator(root, text, folder = '/root') {
  const archives = ['--bind', join(made, 'archives'), '/var/cache/apt/archives', '--tmpfs', '/run'];
  const options = [...archives, '--cap-add', 'ALL', '--chdir', folder];
  const variables = ['--setenv', 'HOME', '/root', '--setenv', 'LC_ALL', 'C.UTF-8'];
  return run(...split(inDebian(root, [...options, ...variables], 'sh', '-e', '-c', text)));
}

const split = ([command, ...words]) => [command, words];

/** Runs a command to its end and returns what it printed. Throws with that if it fails. */
export function run(command, words) {
  const done = spawnSync(command, words, { encoding: 'utf8', timeout: 900_000, maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0)
    throw new Error(`${command}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(-1500)}`);
  return done.stdout;
}
