import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/sql.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { fillDisk, smallDisk } from './fault-runs.ts';

const spooled = (dataDir: string) => readdirSync(join(dataDir, 'spool'));

describe('a full disk', () => {
  it('fails a file that does not fit, cleans up, and takes the next one', async (test) => {
    const dataDir = await smallDisk(4);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const large = await register(core, connectionId, await writePdfs(folder, ['large.pdf'], 6_000_000));
    expect(await untilEnded(core, large)).toMatchObject([{ state: 'failed', failure: { code: 'storage-full' } }]);
    expect(spooled(dataDir)).toEqual([]);
    const small = await register(core, connectionId, await writePdfs(folder, ['small.pdf']));
    expect(await untilEnded(core, small)).toMatchObject([{ state: 'done' }]);
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
    expect(await untilEnded(core, large)).toMatchObject([{ state: 'failed', failure: { code: 'storage-full' } }]);
    expect(mostBytes).toBe(0);
    // What is copied is seen.
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['next.pdf'], 1_000_000)));
    await expect.poll(() => mostBytes).toBeGreaterThan(0);
  });

  it('cleans up where two files fit one by one and not together', async (test) => {
    const dataDir = await smallDisk(8);
    if (!dataDir) return test.skip('no small disk can be mounted here');
    const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf'], 5_000_000);
    const jobs = await untilEnded(core, await register(core, connectionId, paths));
    for (const { state, failure } of jobs) {
      if (state !== 'done') expect({ state, code: failure?.code }).toEqual({ state: 'failed', code: 'storage-full' });
    }
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
    expect(await core.must('activity.list', {})).toMatchObject({ total: 0 });
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
