import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job } from '../../contract/jobs.ts';
import { atEnd, connect, newCore, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';

export type Service = Awaited<ReturnType<typeof newService>>;

/** Starts the queue, or what another file here does, in a program of its own that can be killed. */
export function runQueue(
  env: Record<string, string>,
  file = 'queue-program.ts',
): ChildProcess & { said: (word: string) => Promise<boolean> } {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let trouble = '';
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stderr?.on('data', (bytes) => {
    trouble += bytes;
  });
  child.stdout?.on('data', (bytes) => {
    out += bytes;
    child.emit('said');
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const said = async (word: string): Promise<boolean> => {
    for (;;) {
      if (out.includes(word)) return true;
      if (child.exitCode !== null || child.signalCode !== null) {
        if (trouble) process.stderr.write(trouble);
        return false;
      }
      await new Promise<void>((resolve) => {
        child.once('said', resolve);
        child.once('exit', () => resolve());
      });
    }
  };
  return Object.assign(child, { said });
}

/** True when it came to its end in order, and is gone. */
export async function finished(child: ReturnType<typeof runQueue>): Promise<boolean> {
  const isDone = await child.said('ended');
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return isDone;
}

export const kill = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** What the service counted against what the ledger says. */
export async function balance(service: Service, folder: string, jobs: readonly Job[]) {
  const taken = service.control.addsByHash();
  let [lost, doubled] = [0, 0];
  for (const name of await readdir(folder)) {
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    const job = jobs.find(({ title }) => title === name);
    const times = taken.get(sha256) ?? 0;
    if (times > 1) doubled += 1;
    if (!job || (times === 0 && job.state !== 'in-doubt')) lost += 1;
  }
  const of = (state: Job['state']) => jobs.filter((job) => job.state === state).length;
  return { jobs: jobs.length, done: of('done'), inDoubt: of('in-doubt'), lost, doubled };
}

/**
 * A copy of a data folder, of which nothing is open in this process: libsql ends a closed connection only when it is collected, and SQLite then clears the
 * write-ahead log away. Without the index of the log, which goes with the log.
 */
export async function copied(dataDir: string): Promise<string> {
  const to = await newFolder();
  cpSync(dataDir, to, { recursive: true });
  rmSync(join(to, 'sealdesk.db-shm'), { force: true });
  return to;
}

/** A service, a folder of files, and a data folder with a connection: what a run of the queue's program needs. */
export async function newRun(names: readonly string[], delayMs: number) {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  service.control.misbehave({ mischief: { kind: 'delay', ms: delayMs } });
  await writePdfs(folder, names);
  const setup = await newCore({ dataDir });
  const connectionId = await connect(setup, service);
  await setup.stop();
  const { apiKey, apiSig } = service;
  const credentials = JSON.stringify({ apiKey, apiSig });
  const own = await copied(dataDir);
  const env = { DATA_DIR: own, CONNECTION_ID: connectionId, CREDENTIALS: credentials };
  return { service, folder, dataDir: own, env };
}

export const namesOf = (count: number) =>
  Array.from({ length: count }, (_each, n) => `${String(n).padStart(2, '0')}.pdf`);

/** A small disk of its own: only root on Linux may make one. */
export async function smallDisk(sizeMb: number): Promise<string | null> {
  const folder = await newFolder();
  return mountSmall(folder, sizeMb) ? folder : null;
}

/** As `smallDisk`, on a folder that is there; false where that is not possible. */
export function mountSmall(folder: string, sizeMb: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  atEnd(async () => void execFileSync('umount', ['-l', folder]));
  return true;
}

/** Takes all the room that is left, but for so many bytes; answers what gives it back. */
export async function fillDisk(folder: string, leftBytes = 0): Promise<() => Promise<void>> {
  const path = join(folder, 'filler');
  const file = await open(path, 'w');
  try {
    for (const sizeBytes of [64 * 1024, 512]) {
      for (;;) {
        const { bytesWritten } = await file.write(Buffer.alloc(sizeBytes));
        if (bytesWritten < sizeBytes) break;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  if (leftBytes > 0) await file.truncate((await file.stat()).size - leftBytes);
  await file.close();
  return () => rm(path);
}
