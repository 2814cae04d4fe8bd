import { existsSync, readdirSync, rmSync, statfsSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  scan,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { openQueue, service } from '../core/queue-setup.ts';
import type { RunningCore } from '../harness/core.ts';
import { balance, fillDisk, namesOf, smallDisk } from './fault-runs.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';

const spooled = (dataDir: string) => readdirSync(join(dataDir, 'spool'));

/** The job has not failed: it stays prepared and states the reason. */
const untilWaitingForRoom = (core: RunningCore, batchId: string) =>
  untilJobs(core, batchId, (jobs) =>
    jobs.every(({ state, failure }) => state === 'prepared' && failure?.code === 'storage-full'),
  );

describe('a full disk', () => {
  it(
    'leaves space for the ledger: files that do not fit beside it are copied after the others were sent',
    async (test) => {
      const [rounds, files] = isFull ? [10, 100] : [1, 50];
      const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
      for (let round = 0; round < rounds; round++) {
        const dataDir = await smallDisk(test, 10);
        const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
        const connectionId = await connect(core, service, { parallel: 2 });
        const names = namesOf(files);
        const batchId = await register(core, connectionId, await writePdfs(folder, names, 300_000));
        const sum = await balance(service, folder, await untilEnded(core, batchId, waitMs));
        for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
        await core.stop();
      }
      recordFault({ fault: `10 MB free, ${(files * 3) / 10} MB to send`, injected: rounds, ...sums });
      expect(sums).toEqual({ jobs: files * rounds, done: files * rounds, inDoubt: 0, lost: 0, doubled: 0 });
    },
    limitMs,
  );

  it('before the first file delays sending until there is space again', async (test) => {
    const dataDir = await smallDisk(test, 10);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf'], 300_000);
    const free = await fillDisk(dataDir, 1_000_000);
    const batchId = await register(core, connectionId, paths);
    await untilWaitingForRoom(core, batchId);
    expect((await core.must('jobs.list', {})).storage).toMatchObject({ code: 'storage-full' });
    await free();
    expect((await untilEnded(core, batchId)).map(({ state }) => state)).toEqual(['done', 'done']);
    expect((await core.must('jobs.list', {})).storage).toBeNull();
  });

  it('does not stop files from being taken as bytes while the ledger has space', async (test) => {
    const dataDir = await smallDisk(test, 10);
    const [core, service] = [await newCore({ dataDir }), await newService()];
    const connectionId = await connect(core, service);
    const tokens: string[] = [];
    const take = async () => {
      const bytes = (async function* () {
        yield pdf(`mail ${tokens.length}`, 300_000);
      })();
      tokens.push((await core.core.acceptStream(`${tokens.length}.pdf`, bytes)).token);
    };
    for (;;) {
      const refused = await take().catch((error: unknown) => failureOf(error));
      if (refused) {
        expect(refused).toMatchObject({ code: 'storage-full' });
        break;
      }
    }
    expect(tokens.length).toBeGreaterThan(10);
    const intake = await core.must('files.scan', { tokens, purpose: 'register' });
    const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    const jobs = await untilEnded(core, batchId, waitMs);
    expect(jobs.filter(({ state }) => state === 'done').length).toBe(tokens.length);
  });

  it('delays a file that does not fit, is cleaned up, and does not delay the next file', async (test) => {
    const dataDir = await smallDisk(test, 4);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const large = await register(core, connectionId, await writePdfs(folder, ['large.pdf'], 6_000_000));
    await untilWaitingForRoom(core, large);
    expect(spooled(dataDir)).toEqual([]);
    const small = await register(core, connectionId, await writePdfs(folder, ['small.pdf']));
    expect(await untilEnded(core, small)).toMatchObject([{ state: 'done' }]);
    const [job] = await untilWaitingForRoom(core, large);
    await core.must('jobs.cancel', { jobId: job?.id ?? '' });
    expect(await untilEnded(core, large)).toMatchObject([{ state: 'cancelled', failure: null }]);
  });

  it('is detected before a byte of a file that does not fit is written', async (test) => {
    const dataDir = await smallDisk(test, 4);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    // The first job creates the folder that is watched.
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['small.pdf'])));
    let mostBytes = 0;
    const watcher = watch(join(dataDir, 'spool'), (_event, name) => {
      const bytes = statSync(join(dataDir, 'spool', String(name)), { throwIfNoEntry: false })?.size ?? 0;
      mostBytes = Math.max(mostBytes, bytes);
    });
    atEnd(async () => watcher.close());
    const large = await register(core, connectionId, await writePdfs(folder, ['large.pdf'], 6_000_000));
    await untilWaitingForRoom(core, large);
    expect(mostBytes).toBe(0);
    // The watch sees a copied file.
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['next.pdf'], 1_000_000)));
    await expect.poll(() => mostBytes).toBeGreaterThan(0);
  });

  it('lets two files that fit only separately be sent one after the other', async (test) => {
    const dataDir = await smallDisk(test, 8);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf'], 5_000_000);
    const jobs = await untilEnded(core, await register(core, connectionId, paths));
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done']);
    await expect.poll(() => spooled(dataDir)).toEqual([]);
  });

  it('that fills up while a large file is copied and sent at once leaves no whole request', async (test) => {
    const dataDir = await smallDisk(test, 40);
    const there = await service();
    let freed = false;
    const filler = join(dataDir, 'filler');
    // Once the room was found sufficient, and before the first byte is copied.
    const goesUnhashed = () => {
      if (!freed)
        writeFileSync(filler, Buffer.alloc(statfsSync(dataDir).bavail * statfsSync(dataDir).bsize - 4_000_000));
      return !freed;
    };
    const { jobs, store, add } = await openQueue(there.port, { dataDir, change: () => ({ goesUnhashed }) });
    const { jobId } = await add('large.pdf', 24_000_000);
    const now = () => jobs.read({ jobIds: [jobId] })[0];
    await expect.poll(() => now()?.failure?.code, { timeout: waitMs }).toBe('storage-full');
    expect(now()).toMatchObject({ state: 'prepared' });
    expect(there.whole()).toEqual([]);
    freed = true;
    rmSync(filler);
    await expect.poll(() => now()?.state, { timeout: waitMs }).toBe('done');
    recordFault({
      fault: 'disk full in the middle of a copy that is being sent',
      injected: 1,
      jobs: 1,
      done: 1,
      lost: 0,
    });
    expect(there.whole()).toHaveLength(1);
    expect(store.jobs.history(jobId).filter(({ kind }) => kind === 'departed')).toHaveLength(1);
  });

  it('refuses a batch that cannot be recorded: nothing of it is sent', async (test) => {
    const dataDir = await smallDisk(test, 4);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(
      folder,
      Array.from({ length: 300 }, (_each, n) => `${n}.pdf`),
    );
    const free = await fillDisk(dataDir);
    await expect(register(core, connectionId, paths)).rejects.toThrow('storage-full');
    await free();
    expect(await core.must('jobs.list', {})).toMatchObject({ total: 0 });
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    const [job] = await untilEnded(core, await register(core, connectionId, paths.slice(0, 1)));
    expect(job?.state).toBe('done');
  });

  it('in the middle of recording a batch leaves nothing of it that is counted once there is space', async (test) => {
    const dataDir = await smallDisk(test, 12);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const names = Array.from({ length: 1_000 }, (_each, n) => `${n}.pdf`);
    const paths = await writePdfs(folder, names);
    const intake = await scan(core, paths);
    const prepared = async () => (await core.must('jobs.list', {})).counts.prepared;
    const free = await fillDisk(dataDir, 1_500_000);
    const given = { connectionId, creditType: 1, intakeId: intake.id };
    expect(await core.ask('documents.register', given)).toMatchObject({ failure: { code: 'storage-full' } });
    await free();
    await expect.poll(prepared, { timeout: waitMs }).toBe(0);
  });

  it('does not lose an answer that arrived meanwhile', async (test) => {
    const dataDir = await smallDisk(test, 4);
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 700 } });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => (job?.sentBytes ?? 0) > 0);
    // Otherwise the log has its own space to overwrite.
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    sql.close();
    const free = await fillDisk(dataDir);
    await expect.poll(() => core.log.join('\n'), { timeout: waitMs }).toContain('the ledger cannot be written');
    expect((await core.must('jobs.list', {})).storage).toMatchObject({ code: 'storage-full' });
    await free();
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
    expect([...service.control.addsByHash().values()]).toEqual([1]);
    expect((await core.must('documents.list', {})).total).toBe(1);
  });

  it('fails a download without leaving anything behind', async (test) => {
    const disk = await smallDisk(test, 1);
    const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
    const connectionId = await connect(core, service);
    const [job] = await untilEnded(
      core,
      await register(core, connectionId, await writePdfs(folder, ['a.pdf'], 3_000_000)),
    );
    const target = join(disk, 'copy.pdf');
    await core.core.downloadTo(connectionId, job?.documentId ?? '', target);
    const ended = await core.untilTask('download', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'failed', failure: { code: 'storage-full' } });
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(disk)).toEqual([]);
  });
});
