import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root, which } from '../setup.mjs';
import { packedModules } from './before-pack.mjs';
import { buildLinux, unpacked } from './build.mjs';
import { debFingerprint } from './deb-content.mjs';

/**
 * The check that two builds of the sources give the same bytes, as pairs of name and function: builds a copy of the sources in another folder, with other file times and
 * modes, in another time zone and language, and compares program and packages with those that were built already.
 */
export function checkSameBytes(output, packages, electron) {
  return [['a second build gives the same bytes', () => compare(output, packages, electron)]];
}

function compare(output, packages, electron) {
  if (!which('git') || !existsSync(join(root, '.git'))) return 'the sources are not in a git repository';
  if (!which('cp')) return 'no cp';
  const again = join(root, 'release', 'again');
  rmSync(again, { recursive: true, force: true });
  const sources = join(again, 'a copy', 'sealdesk');
  copySources(sources);
  const env = { TZ: 'Pacific/Apia', LC_ALL: 'C', LANG: 'C' };
  run('npm', ['run', '--silent', 'build'], { cwd: sources, env });
  changeModes(sources);
  const second = join(sources, 'release');
  // Of the first build, even if there was a commit since.
  const date = Math.floor(lstatSync(unpacked(output)).mtimeMs / 1000);
  buildLinux('dir', { from: sources, output: second, electron, date, env });
  const targets = [...new Set(packages.map((path) => path.replace(/.*\.(tar\.gz|\w+)$/, '$1')))];
  // Its content is compared, so that nobody waits for the best compression.
  const packing = { ...env, SEALDESK_QUICK_DEB: '1' };
  for (const target of targets) buildLinux(target, { from: sources, output: second, electron, date, env: packing });
  const differing = [
    ...folderDifferences(unpacked(output), unpacked(second), targets.includes('deb') ? [] : [writtenForDeb]),
    ...packages
      .filter((path) => fingerprint(path) !== fingerprint(join(second, basename(path))))
      .map((path) => basename(path)),
  ];
  if (differing.length > 0)
    throw new Error(`not the same (is dist/ built from these sources?): ${differing.slice(0, 20).join(', ')}`);
  // Where something differs the second build stays, for a look.
  rmSync(again, { recursive: true, force: true });
}

/** What git has and what it would take, with modes of another umask and another time; installed packages as links to the same files. */
function copySources(target) {
  const listed = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const name of listed.split('\0').filter((one) => one && existsSync(join(root, one)))) {
    const path = join(target, name);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(root, name), path, { verbatimSymlinks: true });
    if (lstatSync(path).isSymbolicLink()) continue;
    chmodSync(path, lstatSync(path).mode & 0o100 ? 0o775 : 0o664);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
  run('cp', ['-al', join(root, 'node_modules'), join(target, 'node_modules')], {});
}

/** Makes everything that is packed executable, as a shared folder does, and as an installation after the build does with the command line. */
function changeModes(sources) {
  for (const path of packedModules) {
    rmSync(join(sources, path), { recursive: true });
    cpSync(join(root, path), join(sources, path), { recursive: true });
  }
  for (const path of ['assets', 'dist', ...packedModules].map((one) => join(sources, one)))
    for (const name of readdirSync(path, { recursive: true })) chmodSync(join(path, name), 0o775);
}

/** What electron-builder adds to the program folder when it packs the deb. */
const writtenForDeb = join('resources', 'apparmor-profile');

function folderDifferences(one, other, leftOut) {
  const [first, second] = [describe(one), describe(other)];
  return [...new Set([...first.keys(), ...second.keys()])].filter(
    (name) => first.get(name) !== second.get(name) && !leftOut.includes(name),
  );
}

/** Kind, mode, time and content of each file, by its name. */
function describe(folder) {
  const files = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    const found = lstatSync(path);
    const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? hash(path) : '';
    files.set(name, `${found.mode} ${found.mtimeMs} ${content}`);
  }
  return files;
}

const fingerprint = (path) => (path.endsWith('.deb') ? debFingerprint(path) : hash(path));
const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function run(command, words, { cwd, env = {} }) {
  const done = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 300_000,
  });
  if (done.status !== 0)
    throw new Error(`${command} ${words[0]}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(-1500)}`);
  return done.stdout;
}
