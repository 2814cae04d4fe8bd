import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { atEnd, connect, newCore, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { missing } from '../harness/missing-means.ts';
import { testPrograms } from '../harness/test-programs.ts';

export type Service = Awaited<ReturnType<typeof newService>>;

const pathOf = await testPrograms();

/** The path of a program of this folder, to be started. */
export const programOf = (file: string): string => pathOf(fileURLToPath(new URL(file, import.meta.url)));

/** Starts queue-program.ts, or another program of this folder, as a process that can be killed. */
export function runQueue(
  env: Record<string, string>,
  file = 'queue-program.ts',
): ChildProcess & { said: (word: string) => Promise<boolean>; trouble: () => string } {
  const child = spawn(process.execPath, [programOf(file)], {
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
  return Object.assign(child, { said, trouble: () => trouble });
}

/** True if the program ended in order. */
export async function finished(child: ReturnType<typeof runQueue>): Promise<boolean> {
  const isDone = await child.said('ended');
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return isDone;
}

/** Kills the program; false if it had ended before. */
export const kill = (child: ChildProcess) =>
  new Promise<boolean>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(false);
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
    child.kill('SIGKILL');
  });

/** Compares the documents that the service counted with the ledger. */
export async function balance(service: Service, folder: string, jobs: readonly Job[]) {
  const hashes = new Map<string, string>();
  for (const name of await readdir(folder)) hashes.set(name, sha256(await readFile(join(folder, name))));
  return balanceOf(service, hashes, jobs);
}

/** As `balance`, for documents by name with the hash of their bytes. */
export function balanceOf(service: Service, hashes: ReadonlyMap<string, string>, jobs: readonly Job[]) {
  const taken = service.control.addsByHash();
  let [lost, doubled] = [0, 0];
  for (const [name, hash] of hashes) {
    const job = jobs.find(({ title }) => title === name);
    const times = taken.get(hash) ?? 0;
    if (times > 1) doubled += 1;
    if (!job || (times === 0 && job.state !== 'in-doubt')) lost += 1;
  }
  const of = (state: Job['state']) => jobs.filter((job) => job.state === state).length;
  return { jobs: jobs.length, done: of('done'), inDoubt: of('in-doubt'), lost, doubled };
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Copies a data folder without opening its database here. The index of the log is not copied, because it belongs to the original log. */
export async function copied(dataDir: string): Promise<string> {
  const to = await newFolder();
  cpSync(dataDir, to, { recursive: true });
  rmSync(join(to, 'sealdesk.db-shm'), { force: true });
  return to;
}

/** A service, a folder of files, and a data folder with a connection, for a run of queue-program.ts. From `sizeBytes` on, each file is a byte larger than the one before. */
export async function newRun(names: readonly string[], delayMs: number, sizeBytes?: number) {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  service.control.misbehave({ mischief: { kind: 'delay', ms: delayMs } });
  for (const [at, name] of names.entries()) await writePdfs(folder, [name], sizeBytes && sizeBytes + at);
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

/**
 * Mounts a small disk for a test, in a new folder. Only root on Linux can do this: elsewhere the test is skipped (in CI it fails).
 */
export async function smallDisk(test: TestContext, sizeMb: number): Promise<string> {
  const folder = await newFolder();
  mountSmall(test, folder, sizeMb);
  return folder;
}

/** As `smallDisk`, on an existing folder. */
export function mountSmall(test: TestContext, folder: string, sizeMb: number): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    missing(test, 'only root on Linux can mount a small disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${Math.round(sizeMb * 1024)}k`, 'tmpfs', folder], {
    stdio: 'pipe',
  });
  atEnd(async () => void execFileSync('umount', ['-l', folder]));
}

/** Fills the disk up to `leftBytes` bytes; returns the function that frees the space. */
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
