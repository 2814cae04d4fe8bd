import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/** Where the checks note that they have installed the package: who takes up after them removes it. */
export const installedNote = () => join(tmpdir(), 'installed');

const prefix = 'sealdesk-packages-';
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Runs a script in a process and a temporary folder of its own and answers its exit code. Whatever it started carries the folder's name in its environment; all of it, the
 * folder and an installed package are gone when the script ends or this process is told to end. What a killed one has left is gone when the next one begins.
 */
export async function supervise(script) {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    if (!existsSync(`/proc/${name.slice(prefix.length)}`)) cleanUp(join(tmpdir(), name));
  }
  const scratch = join(tmpdir(), `${prefix}${process.pid}`);
  mkdirSync(scratch);
  // An ordinary person is asked to work in it, too.
  chmodSync(scratch, 0o1777);
  const child = spawn(process.execPath, [script], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, TMPDIR: scratch },
  });
  let interrupted = null;
  for (const signal of Object.keys(signals)) {
    process.on(signal, () => {
      interrupted = signal;
      killMarked(scratch);
    });
  }
  const code = await new Promise((done) => child.once('exit', (given) => done(given ?? 1)));
  cleanUp(scratch);
  if (interrupted === null) return code;
  for (const name of ['again', 'versions']) rmSync(join(root, 'release', name), { recursive: true, force: true });
  return 128 + signals[interrupted];
}

function cleanUp(scratch) {
  killMarked(scratch);
  if (existsSync(join(scratch, 'installed'))) spawnSync('apt-get', ['purge', '-y', 'sealdesk'], { stdio: 'ignore' });
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Ends all processes whose temporary folder this one is. Twice: one of them may have started another meanwhile. */
function killMarked(scratch) {
  for (const _round of [1, 2]) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (isMarked(pid, scratch)) end(Number(pid));
    }
  }
}

function isMarked(pid, scratch) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${scratch}`);
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
