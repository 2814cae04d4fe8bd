import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Failure } from '../../contract/failure.ts';
import { openStore } from '../../electron/store/store.ts';
import { atEnd, connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { holdDatabase } from '../harness/hold-database.ts';
import { atLength, sampled } from '../harness/test-length.ts';
import { fillDisk, finished, programOf, runQueue, smallDisk } from './fault-runs.ts';
import { limitMs, waitMs } from './fault-table.ts';

const log = { info: () => undefined, error: () => undefined };

/** Opens the store in a separate program and returns its failure; a program that hangs is killed after a minute. */
function opened(dataDir: string, limit = 'true'): Failure | null {
  const words = ['-c', `${limit} && exec "$0" "$1"`, process.execPath, programOf('open-program.ts')];
  const ran = spawnSync('sh', words, { env: { ...process.env, DATA_DIR: dataDir }, timeout: 60_000, encoding: 'utf8' });
  expect(ran.signal, 'it did not end by itself').toBeNull();
  return JSON.parse(ran.stdout) as Failure | null;
}

/** The data folder of a program that was killed, with a text that only a look at every page finds damaged. */
async function killedProgram(): Promise<string> {
  const dataDir = await newFolder();
  const { store } = await openStore({ dataDir, log });
  // Long enough to be in a page of its own, which the program does not write again.
  store.settings.put('text', `${'-'.repeat(20_000)}harmless`);
  store.close();
  const env = { ...process.env, DATA_DIR: dataDir, HARMED: 'harmless' };
  const { signal } = spawnSync(process.execPath, [programOf('open-program.ts')], { env, timeout: 60_000 });
  expect(signal).toBe('SIGKILL');
  return dataDir;
}

function changedMark(path: string, change: (mark: readonly string[]) => readonly (string | undefined)[]): void {
  const mark = readFileSync(`${path}.opened`, 'utf8').split(' ');
  writeFileSync(`${path}.opened`, change(mark).join(' '));
}

function copyOf(path: string): string {
  copyFileSync(path, `${path}.copy`);
  return `${path}.copy`;
}

async function usedDisk(test: TestContext): Promise<string> {
  const dataDir = await smallDisk(test, 4);
  expect(opened(dataDir)).toBeNull();
  return dataDir;
}

/** Fills the room that was given: all, or what SQLite left of it with the index of its log, which could not be written. */
function refill(filler: string, bytes: number): void {
  try {
    appendFileSync(filler, Buffer.alloc(bytes - statSync(filler).size));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
}

describe('starting the program', () => {
  it('at the same moment as others gets the lock of its run, and creates the file again if another start removed it', async () => {
    const env = { FOLDER: await newFolder(), ROUNDS: String(atLength({ short: 25, ci: 40, all: 400 })) };
    const programs = Array.from({ length: 4 }, (_, n) => runQueue({ ...env, NAME: `p${n}` }, 'lock-program.ts'));
    expect(await Promise.all(programs.map(finished))).toEqual(programs.map(() => true));
  });

  it('after a kill looks at no page: the system has all that was written', async () => {
    expect(opened(await killedProgram())).toBeNull();
  });

  it.each<[string, (path: string) => void | Promise<void>]>([
    ['another session of the system', (path) => changedMark(path, ([, ...file]) => ['another', ...file])],
    ['another disk in its place', (path) => changedMark(path, ([session, , number]) => [session, '1', number])],
    ['another file in its place', (path) => renameSync(copyOf(path), path)],
    ['a log that is gone', (path) => rmSync(`${path}-wal`)],
    ['a change after the last write', (path) => sleep(1_100).then(() => utimesSync(path, 1, 1))],
    ['no mark', (path) => rmSync(`${path}.opened`)],
  ])('looks at every page after a kill with %s', async (_what, change) => {
    const dataDir = await killedProgram();
    await change(join(dataDir, 'sealdesk.db'));
    expect(opened(dataDir)).toMatchObject({ code: 'storage-unusable', detail: 'database-damaged' });
  });

  it('on a full disk reports it, and succeeds when there is space again', async (test) => {
    const dataDir = await usedDisk(test);
    // As after a kill: removing the mark of an orderly end would free space.
    rmSync(join(dataDir, 'sealdesk.db.closed'));
    const free = await fillDisk(dataDir);
    const filler = join(dataDir, 'filler');
    const filledBytes = statSync(filler).size;
    // First with space only for the index of the log, so that the run lock cannot be created; then without any space.
    for (const pages of [8, 0]) {
      truncateSync(filler, filledBytes - pages * 4_096);
      expect(opened(dataDir), `${pages} pages`).toMatchObject({ code: 'storage-full', retryable: true });
      refill(filler, filledBytes);
    }
    await free();
    expect(opened(dataDir)).toBeNull();
  });

  it('on a disk that cannot be written reports it', async (test) => {
    const dataDir = await usedDisk(test);
    execFileSync('mount', ['-o', 'remount,ro', dataDir]);
    expect(opened(dataDir)).toMatchObject({ code: 'storage-unusable' });
  });

  it('without free file descriptors ends by itself', async () => {
    const dataDir = await newFolder();
    expect(opened(dataDir)).toBeNull();
    // Enough for the program itself, but not for the database.
    expect(opened(dataDir, 'ulimit -n 25')).toMatchObject({ code: 'storage-unusable' });
    expect(opened(dataDir)).toBeNull();
  });

  it('in a folder that is a file reports it', async () => {
    const path = join(await newFolder(), 'file');
    writeFileSync(path, '');
    expect(opened(join(path, 'data'))).toMatchObject({ code: 'storage-unusable' });
  });
});

/** Measures the longest block of the event loop, in milliseconds, until the returned function is called. */
function watchBlocks(): () => number {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  atEnd(async () => clearInterval(timer));
  return () => longest;
}

describe('another program that holds the database', () => {
  it(
    'delays only writes: the window answers, and the work continues by itself afterwards',
    async () => {
      const heldMs = atLength({ short: 2_000, all: 12_000 });
      const [dataDir, service, folder] = [await newFolder(), await newService(), await newFolder()];
      const core = await newCore({ dataDir, host: 'desktop', pauses: { stagingMs: 200 } });
      const connectionId = await connect(core, service);
      await core.must('jobs.pause', { what: 'all' });
      const first = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']));
      await expect.poll(async () => (await core.must('jobs.list', {})).counts.waiting).toBe(3);
      await core.must('jobs.resume', { what: 'all' });
      const { ended, release } = await holdDatabase(dataDir);
      const least = sleep(heldMs);
      const blockedMs = watchBlocks();
      // Registering waits and then succeeds; a call that cannot be repeated says that it failed.
      const more = register(core, connectionId, await writePdfs(folder, ['d.pdf', 'e.pdf']));
      const paused = core.must('jobs.pause', { what: 'batch', batchId: first });
      const begunMs = performance.now();
      expect((await core.must('jobs.list', {})).total).toBe(3);
      expect(performance.now() - begunMs).toBeLessThan(1_000);
      const settings = await core.ask('connections.remove', { id: connectionId });
      expect(settings).toMatchObject({ ok: false, failure: { code: 'storage-busy', retryable: true } });
      await least;
      release();
      await ended;
      await paused;
      await core.must('jobs.resume', { what: 'batch', batchId: first });
      await untilEnded(core, await more, waitMs);
      await untilEnded(core, first, waitMs);
      process.stdout.write(
        `another program held the database for ${heldMs} ms: longest block ${Math.round(blockedMs())} ms\n`,
      );
      // A loaded machine alone causes half a second.
      expect(blockedMs()).toBeLessThan(1_000);
      expect([...service.control.addsByHash().values()]).toEqual([1, 1, 1, 1, 1]);
    },
    limitMs,
  );

  it.each(
    sampled<[string, number, number]>(
      [
        ['for the first time', 0, 1],
        ['with a few changes', 1, 1],
        ['with more changes than are written at once', 1, 150],
      ],
      { short: 2, ci: 2 },
    ),
  )('delays the reading of a list %s, and does not end it', async (_which, before, more) => {
    const [dataDir, service, folder] = [await newFolder(), await newService(), await newFolder()];
    const core = await newCore({ dataDir, host: 'desktop' });
    const connectionId = await connect(core, service);
    const read = () => core.ask('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
    const request = async (count: number) => {
      const [path = ''] = await writePdfs(folder, [`${count}.pdf`]);
      const { token: fileToken } = await core.core.acceptPath(path);
      const emails = Array.from({ length: count }, (_, n) => `signer${n}@example.com`);
      const plain = { kind: 'plain', connectionId, fileToken, creditType: 2, emails, documentName: 'Lease' } as const;
      await untilEnded(core, (await core.must('signatures.request', plain)).batchId);
    };
    if (before > 0) {
      await request(before);
      expect(await read()).toMatchObject({ ok: true });
    }
    await request(more);
    const { ended } = await holdDatabase(dataDir, { ms: 2_000 });
    const reading = read();
    expect(await reading).toMatchObject({ ok: true });
    await ended;
    const { total } = await core.must('tracking.entries', { connectionId });
    expect(total).toBe(before + more);
  });

  it('does not stop the program from starting if nothing is to be written', async () => {
    const dataDir = await newFolder();
    (await openStore({ dataDir, log })).store.close();
    const { ended } = await holdDatabase(dataDir, { ms: 1_500 });
    const begunMs = performance.now();
    const { store } = await openStore({ dataDir, log });
    expect(performance.now() - begunMs).toBeLessThan(1_000);
    store.jobs.takeOverDeadRuns();
    store.verifyRuns.adopt();
    await ended;
    store.close();
  });
});
