import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../contract/failure.ts';
import { openStore } from '../../electron/store/store.ts';
import { atEnd, connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { fillDisk, smallDisk } from './fault-runs.ts';
import { isFull } from './fault-table.ts';

const programOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const log = { info: () => undefined, error: () => undefined };

/** How opening the store went, in a program of its own: one that tries for ever is ended after ten seconds. */
function opened(dataDir: string, limit = 'true'): Failure | null {
  const words = ['-c', `${limit} && exec "$0" "$1"`, process.execPath, programOf('open-program.ts')];
  const ran = spawnSync('sh', words, { env: { ...process.env, DATA_DIR: dataDir }, timeout: 10_000, encoding: 'utf8' });
  expect(ran.signal, 'it did not end by itself').toBeNull();
  return JSON.parse(ran.stdout) as Failure | null;
}

async function usedDisk(): Promise<string | null> {
  const dataDir = await smallDisk(4);
  if (!dataDir) return null;
  expect(opened(dataDir)).toBeNull();
  return dataDir;
}

describe('a start', () => {
  it('on a full disk says so, and goes well when there is room again', async (test) => {
    const dataDir = await usedDisk();
    if (!dataDir) return test.skip('no small disk can be mounted here');
    // As after a kill: the mark of an orderly end would give room when it is taken away.
    rmSync(join(dataDir, 'sealdesk.db.closed'));
    const free = await fillDisk(dataDir);
    const filler = join(dataDir, 'filler');
    const filledBytes = statSync(filler).size;
    // Room for the index of the log alone: then the lock of the run is what cannot be had. And no room at all.
    for (const pages of [8, 0]) {
      truncateSync(filler, filledBytes - pages * 4_096);
      expect(opened(dataDir), `${pages} pages`).toMatchObject({ code: 'storage-full', retryable: true });
      appendFileSync(filler, Buffer.alloc(filledBytes - statSync(filler).size));
    }
    await free();
    expect(opened(dataDir)).toBeNull();
  });

  it('on a disk that cannot be written says so', async (test) => {
    const dataDir = await usedDisk();
    if (!dataDir) return test.skip('no small disk can be mounted here');
    execFileSync('mount', ['-o', 'remount,ro', dataDir]);
    expect(opened(dataDir)).toMatchObject({ code: 'storage-unusable' });
  });

  it('with no open file left ends by itself', async () => {
    const dataDir = await newFolder();
    expect(opened(dataDir)).toBeNull();
    // Enough for the program itself, not for the database.
    expect(opened(dataDir, 'ulimit -n 28')).toMatchObject({ code: 'storage-unusable' });
    expect(opened(dataDir)).toBeNull();
  });

  it('in a folder that is a file says so', async () => {
    const path = join(await newFolder(), 'file');
    writeFileSync(path, '');
    expect(opened(join(path, 'data'))).toMatchObject({ code: 'storage-unusable' });
  });
});

/** Another program has the database for so long; `ended` resolves when it lets go. */
async function holdDatabase(dataDir: string, ms: number): Promise<{ readonly ended: Promise<void> }> {
  const child = spawn(process.execPath, [programOf('holding-program.ts')], {
    env: { ...process.env, DATABASE: join(dataDir, 'sealdesk.db'), MS: String(ms) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  atEnd(async () => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { ended };
}

/** The longest time that nothing else could run, in milliseconds, until it is asked. */
function watchBlocks(): () => number {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  atEnd(async () => clearInterval(timer));
  return () => longest;
}

describe('another program that has the database', () => {
  it('holds up nothing but what has to be written: the window answers, and the work goes on by itself afterwards', async () => {
    const heldMs = isFull ? 12_000 : 4_000;
    const [dataDir, service, folder] = [await newFolder(), await newService(), await newFolder()];
    const core = await newCore({ dataDir, host: 'desktop' });
    const connectionId = await connect(core, service);
    await core.must('jobs.pause', { what: 'all' });
    const first = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']));
    await expect.poll(async () => (await core.must('jobs.list', {})).counts.waiting).toBe(3);
    await core.must('jobs.resume', { what: 'all' });
    const { ended } = await holdDatabase(dataDir, heldMs);
    const blockedMs = watchBlocks();
    // Waits, and is done afterwards; what cannot be repeated says that it was not done.
    const more = register(core, connectionId, await writePdfs(folder, ['d.pdf', 'e.pdf']));
    const paused = core.must('jobs.pause', { what: 'batch', batchId: first });
    const begunMs = performance.now();
    expect((await core.must('jobs.list', {})).total).toBe(3);
    expect(performance.now() - begunMs).toBeLessThan(1_000);
    const settings = await core.ask('connections.remove', { id: connectionId });
    expect(settings).toMatchObject({ ok: false, failure: { code: 'storage-busy', retryable: true } });
    await ended;
    await paused;
    await core.must('jobs.resume', { what: 'batch', batchId: first });
    await untilEnded(core, await more, 20_000);
    await untilEnded(core, first, 20_000);
    process.stdout.write(
      `another program held the database for ${heldMs} ms: longest block ${Math.round(blockedMs())} ms\n`,
    );
    // Half a second is what a loaded machine takes by itself.
    expect(blockedMs()).toBeLessThan(1_000);
    expect([...service.control.addsByHash().values()]).toEqual([1, 1, 1, 1, 1]);
  }, 60_000);

  it('does not keep the program from starting while it writes, where nothing is to be written', async () => {
    const dataDir = await newFolder();
    (await openStore({ dataDir, log })).store.close();
    const { ended } = await holdDatabase(dataDir, 3_000);
    const begunMs = performance.now();
    const { store } = await openStore({ dataDir, log });
    expect(performance.now() - begunMs).toBeLessThan(1_500);
    store.jobs.takeOverDeadRuns();
    store.verifyRuns.adopt();
    await ended;
    store.close();
  });
});
