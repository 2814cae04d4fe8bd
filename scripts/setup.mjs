import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/* What runs before anything is installed: plain Node, nothing but node: */

export const root = resolve(import.meta.dirname, '..');
const oldestNode = [20, 19];

/** Exits with one line if Node is too old to begin. With package.json’s `engines`, npm warns of one that is older than what the tools want; they run in the Node that is installed with them. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  console.error(`Sealdesk needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

/** The Node of the development dependencies, if it is installed. */
export function nodeBinary() {
  const own = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(own) ? own : process.execPath;
}

/** Runs a program in the repository with its output passed through; returns the exit code. */
export function run(command, args, env = {}) {
  return new Promise((done) => {
    const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
    child.on('error', () => done(127));
    child.on('exit', (code, signal) => done(code ?? (signal ? 130 : 1)));
  });
}

/** Runs npm with the arguments; returns the exit code. */
export function npm(...args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args]);
  if (process.platform !== 'win32') return run('npm', args);
  // Windows starts npm.cmd through a shell only; the arguments are our own words.
  return new Promise((done) => {
    const child = spawn(`npm ${args.join(' ')}`, { cwd: root, stdio: 'inherit', shell: true });
    child.on('exit', (code) => done(code ?? 1));
  });
}

/** Runs `npm ci` if node_modules differs from package-lock.json. Returns true if everything is installed. */
export async function install() {
  if (isInstalled()) return true;
  console.log('Installing what package-lock.json names …');
  return (await npm('ci', '--no-audit', '--no-fund')) === 0;
}

function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const there = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    const missing = Object.entries(wanted).some(
      ([path, { version, optional, link }]) => path && !link && !optional && there[path]?.version !== version,
    );
    const foreign = Object.entries(there).some(([path, { version }]) => wanted[path]?.version !== version);
    return !missing && !foreign;
  } catch {
    return false;
  }
}

const sources = [
  'assets',
  'contract',
  'docs',
  'electron',
  'hosts',
  'locales',
  'practice',
  'renderer',
  'scripts',
  'package-lock.json',
];
const outputs = [
  'renderer/index.html',
  'main/start.js',
  'main/main.js',
  'workers/pdf-worker.js',
  'workers/pdf-signatures-worker.js',
  'workers/search-worker.js',
  'workers/sql-worker.js',
  'preload/preload.cjs',
  'cli/sealdesk.js',
  'preview/preview.js',
];

/** Packed as they are, with times of their own: packing does not make dist/ older. */
const notBuilt = join(root, 'assets/icons/linux');

const stamp = join(root, 'dist/.built');

/** True if dist/ holds what the sources would build. */
export function isBuilt() {
  const isThere = outputs.every((path) => existsSync(join(root, 'dist', path)));
  return isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Builds if a source changed since the last build. Returns true if the build exists. */
export async function build() {
  if (isBuilt()) return true;
  console.log('Building …');
  return (await npm('run', '--silent', 'build')) === 0;
}

/** Runs a build, and notes what it was made of: what changes meanwhile is not in it. */
export async function noteBuilt(buildAll) {
  const before = fingerprint();
  rmSync(stamp, { force: true });
  const isDone = await buildAll();
  if (isDone) writeFileSync(stamp, before);
  return isDone;
}

/** Fingerprint of names, sizes and times, without reading content. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (path === notBuilt) return;
    const seen = statSync(path);
    if (seen.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`${path}\0${seen.size}\0${seen.mtimeMs}\n`);
  };
  for (const source of sources) if (existsSync(join(root, source))) add(join(root, source));
  return hash.digest('hex');
}

/** Path of a program on the PATH, or null. */
export function which(name) {
  const asks = process.platform === 'win32' ? ['where', name] : ['sh', '-c', 'command -v "$0"', name];
  const found = spawnSync(asks[0], asks.slice(1), { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.split(/\r?\n/)[0].trim() || null : null;
}

export const isRoot = () => process.getuid?.() === 0;

/** Why no window can be opened here, or null. */
export function whyNoDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return null;
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}
