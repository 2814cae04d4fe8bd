import { constants, mkdirSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { syncFile, syncFolder } from '../electron/core/files/atomic-write.ts';
import { type RunningCore, startCore } from '../test/harness/core.ts';
import { startPeer, timed, writeSmallFiles } from './harness.ts';

/** Many small files through the core, and beside it the least that a program could do for the same promise. */
export interface SmallFiles {
  /** Registers so many files; ms from the first call to the last answer, by our core. */
  readonly add: (count: number) => Promise<number>;
  /** For each file: its copy on the disk, noted as copied and as leaving, a request on a connection of its own, and its answer noted; one after the other. */
  readonly addLeast: (count: number) => Promise<number>;
  /** Takes so many files into the paused queue, until all are copied and hashed. */
  readonly stage: (count: number) => Promise<Staged>;
  /** For each file: its copy on the disk, noted as copied. */
  readonly copyLeast: (count: number) => Promise<number>;
  readonly core: RunningCore;
  readonly close: () => Promise<void>;
}

export interface Staged {
  readonly jobCount: number;
  readonly scannedMs: number;
  readonly writtenMs: number;
  readonly copiedMs: number;
  readonly cancelledMs: number;
}

/** Everything is in this folder. The service answers at once, from a process of its own. */
export async function openSmallFiles(folder: string): Promise<SmallFiles> {
  const server = await startPeer('server.ts');
  const core = await startCore({ dataDir: join(folder, 'data') });
  const address = { baseUrl: server.told, mainPath: '/sink', easySignPath: '/sink', proxy: { mode: 'none' as const } };
  const settings = { name: 'Service', namespaceUri: 'https://bench.example/ns/', ...address };
  const { id: connectionId } = await core.must('connections.save', { settings });
  await core.must('connections.setCredentials', { id: connectionId, apiKey: 'bench-key', apiSig: 'bench-signature' });
  let turn = 0;
  const newFiles = async (count: number) => {
    turn += 1;
    const place = join(folder, `files ${turn}`);
    return { place, paths: await writeSmallFiles(place, count, `turn ${turn}`) };
  };
  const resting = new Map<number, { readonly since: number; readonly files: Awaited<ReturnType<typeof newFiles>> }>();
  const written = async (count: number) => ({ files: await newFiles(count), since: performance.now() });
  /** Files that lie there for longer than the tick of a clock, as people's do: newer ones are read twice (files/file-stamp.ts). The next ones lie there meanwhile. */
  const restedFiles = async (count: number) => {
    const { files, since } = resting.get(count) ?? (await written(count));
    await sleep(Math.max(0, since + 1_100 - performance.now()));
    resting.set(count, await written(count));
    return files;
  };
  const register = async (place: string) => {
    const { token } = await core.core.acceptPath(place);
    const intake = await core.must('files.scan', { tokens: [token], purpose: 'register' });
    const scannedAt = performance.now();
    const { jobCount } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    return { jobCount, scannedAt };
  };
  let registered = 0;
  return {
    core,
    add: async (count) => {
      const { place } = await restedFiles(count);
      return timed(async () => {
        await register(place);
        registered += count;
        // Heard from the program's events: asking every 10 ms took a twelfth of the processor's time.
        await core.until('jobs.changed', ({ counts }) => counts.done === registered, 600_000);
      });
    },
    addLeast: async (count) =>
      takeEach(await newFiles(count), folder, async (copy, note) => {
        note('leaves');
        note(await post(`${server.told}/sink`, await readFile(copy, 'base64')));
      }),
    stage: async (count) => {
      const { place } = await restedFiles(count);
      await core.must('jobs.pause', { what: 'all' });
      const began = performance.now();
      const { jobCount, scannedAt } = await register(place);
      const written = performance.now();
      while ((await core.must('jobs.list', { limit: 1 })).counts.prepared > 0) await sleep(10);
      const copied = performance.now();
      await core.must('jobs.cancelWaiting', {});
      const cancelledMs = performance.now() - copied;
      await core.must('jobs.resume', { what: 'all' });
      return {
        jobCount,
        scannedMs: scannedAt - began,
        writtenMs: written - scannedAt,
        copiedMs: copied - began,
        cancelledMs,
      };
    },
    copyLeast: async (count) => takeEach(await newFiles(count), folder),
    close: async () => {
      await core.stop();
      await server.stop();
    },
  };
}

/** As many waits for the disk as a promise that survives a power cut takes: each file's copy, the name of the copy, and a line that says so. `more` follows for each. */
function takeEach(
  { paths, place }: { readonly paths: readonly string[]; readonly place: string },
  folder: string,
  more?: (copy: string, note: (text: string) => void) => Promise<void>,
): Promise<number> {
  const copies = `${place} copied`;
  mkdirSync(copies);
  const database = new DatabaseSync(join(folder, `${Math.random()}.db`));
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE jobs (path TEXT, state TEXT)');
  const insert = database.prepare('INSERT INTO jobs VALUES (?, ?)');
  return timed(async () => {
    for (const [n, path] of paths.entries()) {
      const copy = join(copies, String(n));
      const note = (text: string) => void insert.run(path, text);
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      await syncFile(copy);
      await syncFolder(copies);
      note('copied');
      await more?.(copy, note);
    }
    database.close();
  });
}

/** On a connection of its own, as an add must have. */
function post(url: string, document: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'text/xml', 'Content-Length': document.length };
    const sent = request(url, { method: 'POST', agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(text));
    });
    sent.once('error', reject).end(document);
  });
}
