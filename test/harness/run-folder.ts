import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A folder for what all files of a run share (vitest's globalSetup). It is removed at the end of the run, however it ends, with the PostgreSQL servers in it. What a
 * killed run left is removed by the next one.
 */

const variable = 'SEALDESK_TEST_RUN';
const prefix = 'sealdesk-run-';
const ownerFile = 'owner.json';

interface Owner {
  readonly pid: number;
  readonly started: string;
  /** A folder of the repository, for what has to find node_modules/. */
  readonly beside: string;
}

/** The folder of this run; a program that vitest does not run has none. */
export const runFolder = (): string | undefined => process.env[variable] || undefined;

export function setup(): void {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (name.startsWith(prefix) && isAbandoned(folder)) removeRun(folder);
  }
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // PostgreSQL, which runs under an account of its own, passes through it.
  chmodSync(folder, 0o711);
  const beside = resolve(import.meta.dirname, '../..', `test-results-${basename(folder)}`);
  const owner: Owner = { pid: process.pid, started: startOf(process.pid), beside };
  writeFileSync(join(folder, ownerFile), JSON.stringify(owner));
  process.env[variable] = folder;
  // Programs that tests start from their sources, dozens of times, are compiled once.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.once('exit', () => removeRun(folder));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}

export function teardown(): void {
  const folder = runFolder();
  if (folder) removeRun(folder);
}

const ownerOf = (folder: string) => JSON.parse(readFileSync(join(folder, ownerFile), 'utf8')) as Owner;

/** A folder of this run in the repository, as deep as dist/. */
export const folderBeside = (): string => ownerOf(runFolder() ?? '').beside;

/** Makes something once in a run: the first file that asks makes it in a new folder, others wait for it. */
export async function onceInRun<Made>(name: string, make: (folder: string) => Made | Promise<Made>): Promise<Made> {
  const run = runFolder() ?? '';
  const [folder, result] = [join(run, name), join(run, `${name}.json`)];
  for (;;) {
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8')) as Made;
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await sleep(50);
    }
  }
  try {
    const made = await make(folder);
    writeFileSync(`${result}.part`, JSON.stringify(made));
    renameSync(`${result}.part`, result);
    return made;
  } catch (error) {
    // Whoever asks next tries again, and reports the reason as well.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** When a process began: another one with its number began at another time. Empty if there is none. */
function startOf(pid: number): string {
  return asked(pid, 'lstart=');
}

function asked(pid: number, what: string): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', what], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

function isAbandoned(folder: string): boolean {
  try {
    const { pid, started } = ownerOf(folder);
    return startOf(pid) !== started;
  } catch {
    // Just being made, or of somebody else.
    return false;
  }
}

function removeRun(folder: string): void {
  if (!existsSync(folder)) return;
  const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const names = readdirSync(folder).filter((name) => name !== ownerFile);
  for (const name of names) stopServer(join(folder, name, 'data'));
  // The owner last: what cannot be removed now, because something still writes there, is removed by the next run.
  for (const name of names) remove(join(folder, name));
  // A program that ended later may have kept what it compiled, in a folder that was removed before.
  if (existsSync(join(folder, ownerFile))) remove(ownerOf(folder).beside);
  remove(folder);
}

/** Ends the PostgreSQL server of a data folder, if one runs; what it holds is removed anyway. */
function stopServer(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (let tries = 0; tries < 50; tries += 1) {
      // The number may be another program's by now.
      if (!asked(pid, 'args=').includes(data)) return;
      if (tries === 0) process.kill(pid, signal);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
