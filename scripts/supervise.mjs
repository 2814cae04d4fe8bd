import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { purgeDebOf } from './package/deb-installation.mjs';

const prefix = 'sealdesk-tests-';
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const isLinux = existsSync('/proc/self/stat');
const memory = { folder: '/dev/shm', bytes: 4 * 2 ** 30 };

/** In the environment of what is supervised. */
const mark = 'SEALDESK_SUPERVISED';

/** For the beginning of a script: runs it supervised instead, unless it is already, and ends with its exit code. What it starts is then gone however it ends. */
export async function supervised(script) {
  if (!process.env[mark]) process.exit(await supervise(script, process.argv.slice(2)));
}

/**
 * Runs a script in a process group and a temporary folder of its own, and answers its exit code. Whatever it starts knows the folder's name, from the environment
 * or from its words: all of it and the folder are gone when the script ends or this process is told to end, and what a killed one has left when the next one begins.
 * In memory nothing waits for a disk: a core writes its ledger through at each step, and that is most of what its tests would wait for.
 */
export async function supervise(script, words = [], { inMemory = false } = {}) {
  for (const place of new Set([tmpdir(), memory.folder].filter(existsSync))) {
    for (const name of readdirSync(place)) {
      if (name.startsWith(prefix) && !isRunning(name.slice(prefix.length))) removeRun(join(place, name));
    }
  }
  const folder = join((inMemory && memoryFolder()) || tmpdir(), `${prefix}${process.pid}-${startOf(process.pid)}`);
  mkdirSync(folder);
  // PostgreSQL passes through it under an account of its own.
  chmodSync(folder, 0o711);
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder, [mark]: '1' };
  const child = spawn(process.execPath, [script, ...words], { stdio: 'inherit', detached: isLinux, env });
  let interrupted = null;
  for (const signal of Object.keys(signals)) {
    process.on(signal, () => {
      interrupted ??= signal;
      if (!isLinux) child.kill('SIGKILL');
      killUsersOf(folder);
    });
  }
  const code = await new Promise((done) => {
    child.once('error', () => done(127));
    child.once('exit', (given) => done(given ?? 1));
  });
  removeRun(folder);
  if (interrupted) console.error(`\nended by ${interrupted}: nothing that was started is left`);
  return interrupted ? 128 + signals[interrupted] : code;
}

/** A folder in memory, where there is plenty of it, programs may be started in it and no other place was asked for; else null. */
export function memoryFolder() {
  if (!isLinux || process.env.TMPDIR || !existsSync(memory.folder)) return null;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === memory.folder);
  if (mount?.[2] !== 'tmpfs' || mount[3].split(',').includes('noexec')) return null;
  const { bavail, bsize } = statfsSync(memory.folder);
  const [, available = 0] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return bavail * bsize >= memory.bytes && available * 1024 >= 2 * memory.bytes ? memory.folder : null;
}

function removeRun(folder) {
  killUsersOf(folder);
  // A small disk of a test that was killed; the newest first, as one may be on another.
  for (const place of mountsBelow(folder).reverse()) spawnSync('umount', ['--lazy', place]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  purgeDebOf(folder);
}

function mountsBelow(folder) {
  if (!isLinux) return [];
  const places = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`));
}

/** The number and the start of a process that may be another one by now. */
function isRunning(name) {
  const [pid, start] = name.split('-');
  return startOf(pid) === start;
}

/** When a process began, in ticks since the machine did; 0 where that cannot be asked, empty if there is none. */
function startOf(pid) {
  if (!isLinux) return '0';
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

/** Ends all processes that know this folder, until there are none: one of them may have started another meanwhile. */
function killUsersOf(folder) {
  for (let round = 0; isLinux && round < 20; round += 1) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && knows(name, folder));
    if (pids.length === 0) return;
    for (const pid of pids) end(Number(pid));
  }
}

function knows(pid, folder) {
  if (Number(pid) === process.pid) return false;
  const isNamed = (text) =>
    text
      .split(folder)
      .slice(1)
      .some((rest) => rest === '' || /^[/\0 ]/.test(rest));
  try {
    return ['environ', 'cmdline'].some((file) => isNamed(readFileSync(`/proc/${pid}/${file}`, 'latin1')));
  } catch {
    return false;
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
