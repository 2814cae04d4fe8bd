import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { fillDisk, namesOf, smallDisk } from './fault-runs.ts';
import { waitMs } from './fault-table.ts';

/** Fills the disk of a data folder; returns the function that frees the space. */
async function fill(dataDir: string) {
  // Otherwise the log has its own space to overwrite.
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
  sql.close();
  return await fillDisk(dataDir);
}

it('a full disk below the folder of downloads stops them, and they go on from there once there is space', async (test) => {
  const target = await smallDisk(test, 1);
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, namesOf(4), 300_000);
  const jobs = await untilEnded(core, await register(core, connectionId, paths));
  const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
  const free = await fillDisk(target, 500_000);
  core.dialogs.files.push([target]);
  const begun = await core.must('documents.downloadAll', { documents });
  const ended = await core.untilTask('bulk-download', ({ state }) => state !== 'running', waitMs);
  expect(ended).toMatchObject({ state: 'failed', failure: { code: 'storage-full' }, progress: { failedCount: 0 } });
  await free();
  execFileSync('mount', ['-o', 'remount,size=4m', target]);
  await core.must('tasks.resume', { taskId: begun?.taskId ?? '' });
  const done = await core.untilTask('bulk-download', ({ state }) => state === 'done', waitMs);
  expect(done.progress).toMatchObject({ doneCount: 4, failedCount: 0 });
  expect(readdirSync(target).sort()).toEqual(done.progress.saved.map(({ fileName }) => fileName).sort());
});

describe('the data folder on a full disk', () => {
  it('ends what only reads with its items open, and all of it is resumed once there is space', async (test) => {
    const dataDir = await smallDisk(test, 6);
    const [core, service, folder, target] = [
      await newCore({ dataDir }),
      await newService({ processingMs: 0 }),
      await newFolder(),
      await newFolder(),
    ];
    const connectionId = await connect(core, service, { parallel: 2 });
    const paths = await writePdfs(folder, namesOf(12));
    const jobs = await untilEnded(core, await register(core, connectionId, paths));
    const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
    const intake = await scan(core, paths, 'verify');
    service.control.misbehave({ mischief: { kind: 'delay', ms: 300 } });
    core.dialogs.files.push([target]);
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    const download = await core.must('documents.downloadAll', { documents });
    const refresh = await core.must('documents.refreshStatuses', { connectionId });
    const free = await fill(dataDir);
    const failed = { state: 'failed', failure: { code: 'storage-full' } };
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      expect(await core.untilTask(kind, ({ state }) => state !== 'running', waitMs)).toMatchObject(failed);
    service.control.misbehave(null);
    await free();
    await expect
      .poll(async () => (await core.must('verify.runs', {})).runs, { timeout: waitMs })
      .toMatchObject([{ runId, state: 'stopped' }]);
    await core.must('verify.resume', { runId });
    for (const task of [download, refresh]) await core.must('tasks.resume', { taskId: task?.taskId ?? '' });
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      await core.untilTask(kind, ({ state }) => state === 'done', waitMs);
    const { run, results } = await core.must('verify.results', { runId });
    expect(readdirSync(target)).toHaveLength(12);
    expect([run.state, results.filter(({ answer }) => answer).length]).toEqual(['finished', 12]);
  });

  it('holds a bulk, which goes on once there is room: each of its rows is sent once', async (test) => {
    const [dataDir, service, folder] = [await smallDisk(test, 6), await newService(), await newFolder()];
    const core = await newCore({ dataDir });
    const connectionId = await connect(core, service, { parallel: 2 });
    const table = join(folder, 'people.csv');
    await writeFile(table, ['E-mail', ...namesOf(20).map((name) => `${name}@example.com`)].join('\n'));
    const tableToken = (await core.core.acceptPath(table)).token;
    const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
    const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
    const bulk = () => bulkOf(core, id);
    const send = () => core.must('bulk.send', { id, rows: 'all', perMinute: 150 });
    await send();
    await expect.poll(async () => (await bulk()).counts.done, { timeout: waitMs, interval: 5 }).toBeGreaterThan(1);
    const free = await fill(dataDir);
    await expect.poll(async () => (await bulk()).failure?.code, { timeout: waitMs }).toBe('storage-full');
    await free();
    // Where that it stopped could be stored, a person goes on with it.
    const goneOn = async () => ((await bulk()).state === 'paused' ? (await send()).state : (await bulk()).state);
    await expect.poll(goneOn, { timeout: waitMs }).toBe('finished');
    expect((await bulk()).counts).toMatchObject({ done: 20, failed: 0, inDoubt: 0 });
    expect(service.control.requests().AddNewEasySignTemplate).toBe(20);
  });
});
