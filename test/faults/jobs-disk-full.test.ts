import { existsSync, readdirSync, statSync, watch } from 'node:fs';
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
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import type { RunningCore } from '../harness/core.ts';
import { fillDisk, smallDisk } from './fault-runs.ts';
import { isFull, tellFault } from './fault-table.ts';

const spooled = (dataDir: string) => readdirSync(join(dataDir, 'spool'));

/** Nothing failed: the job stays prepared and says what it waits for. */
const untilWaitingForRoom = (core: RunningCore, batchId: string) =>
  untilJobs(core, batchId, (jobs) =>
    jobs.every(({ state, failure }) => state === 'prepared' && failure?.code === 'storage-full'),
  );

describe('a full disk', () => {
  it('leaves the ledger its room: what does not fit beside it is copied when the rest has been sent', async (test) => {
    let [done, rounds] = [0, 0];
    for (; rounds < (isFull ? 10 : 1); rounds++) {
      const dataDir = await smallDisk(10);
      if (!dataDir) return test.skip('no small disk can be mounted here');
      const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
      const connectionId = await connect(core, service, { parallel: 2 });
      const names = Array.from({ length: 100 }, (_each, n) => `${n}.pdf`);
      const batchId = await register(core, connectionId, await writePdfs(folder, names, 300_000));
      const jobs = await untilEnded(core, batchId, 60_000);
      done += jobs.filter(({ state }) => state === 'done').length;
      expect([...service.control.addsByHash().values()].every((times) => times === 1)).toBe(true);
      await core.stop();
    }
    const [inDoubt, lost] = [0, 100 * rounds - done];
    tellFault({
      fault: '10 MB free, 30 MB to send',
      injected: rounds,
      jobs: 100 * rounds,
      done,
      inDoubt,
      lost,
      doubled: 0,
    });
    expect(lost).toBe(0);
  }, 600_000);

  it('that was full before the first file goes on by itself when there is room again', async (test) => {
    const dataDir = await smallDisk(10);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf'], 300_000);
    const free = await fillDisk(dataDir, 1_000_000);
    const batchId = await register(core, connectionId, paths);
    await untilWaitingForRoom(core, batchId);
    await free();
    expect((await untilEnded(core, batchId)).map(({ state }) => state)).toEqual(['done', 'done']);
  });

  it('keeps nobody from taking files as bytes, as far as the ledger has its room', async (test) => {
    const dataDir = await smallDisk(10);
    if (!dataDir) return test.skip('no small disk can be mounted here');
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
    const jobs = await untilEnded(core, batchId, 30_000);
    expect(jobs.filter(({ state }) => state === 'done').length).toBe(tokens.length);
  });

  it('lets a file wait that does not fit, cleans up, and takes the next one', async (test) => {
    const dataDir = await smallDisk(4);
    if (!dataDir) return test.skip('no small disk can be mounted here');
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

  it('finds out before it writes a byte that a file does not fit', async (test) => {
    const dataDir = await smallDisk(4);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    // The first one makes the folder that is watched.
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
    // What is copied is seen.
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['next.pdf'], 1_000_000)));
    await expect.poll(() => mostBytes).toBeGreaterThan(0);
  });

  it('sends one after the other where two files fit one by one and not together', async (test) => {
    const dataDir = await smallDisk(8);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf'], 5_000_000);
    const jobs = await untilEnded(core, await register(core, connectionId, paths));
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done']);
    await expect.poll(() => spooled(dataDir)).toEqual([]);
  });

  it('refuses a batch that cannot be written down: nothing of it is sent', async (test) => {
    const dataDir = await smallDisk(4);
    if (!dataDir) return test.skip('no small disk can be mounted here');
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

  it('does not make an answer forgotten that came while it was full', async (test) => {
    const dataDir = await smallDisk(4);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 700 } });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => (job?.sentBytes ?? 0) > 0);
    // Else the log has room of its own to write over.
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    sql.close();
    const free = await fillDisk(dataDir);
    await expect.poll(() => core.log.join('\n'), { timeout: 5_000 }).toContain('the ledger cannot be written');
    await free();
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
    expect([...service.control.addsByHash().values()]).toEqual([1]);
    expect((await core.must('documents.list', {})).total).toBe(1);
  });

  it('fails a download without leaving anything', async (test) => {
    const disk = await smallDisk(1);
    if (!disk) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
    const connectionId = await connect(core, service);
    const [job] = await untilEnded(
      core,
      await register(core, connectionId, await writePdfs(folder, ['a.pdf'], 3_000_000)),
    );
    const target = join(disk, 'copy.pdf');
    await core.core.downloadTo(connectionId, job?.documentId ?? '', target);
    const ended = await core.until('documents.downloadProgressed', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'failed', failure: { code: 'storage-full' } });
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(disk)).toEqual([]);
  });
});
