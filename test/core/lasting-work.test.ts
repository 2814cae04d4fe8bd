import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { holdDatabase } from '../harness/hold-database.ts';
import { atLength } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

/** Longer than any repetition that has a limit. */
const longMs = atLength({ short: 3_000, all: 65_000 });

const count = 8;

/** A program with registered documents that verifies them, downloads them and asks for their statuses, all slowly. */
async function atWork() {
  const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()), host: 'desktop' as const };
  const [core, service, folder, target] = [
    await newCore(setup),
    await newService({ processingMs: 0 }),
    await newFolder(),
    await newFolder(),
  ];
  const connectionId = await connect(core, service, { parallel: 2 });
  const names = Array.from({ length: count }, (_each, n) => `lease ${n}.pdf`);
  const paths = await writePdfs(folder, names);
  const jobs = await untilEnded(core, await register(core, connectionId, paths));
  const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
  const intake = await scan(core, paths, 'verify');
  service.control.misbehave({ mischief: { kind: 'delay', ms: 100 } });
  core.dialogs.files.push([target]);
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  const download = await core.must('documents.downloadAll', { documents });
  const refresh = await core.must('documents.refreshStatuses', { connectionId });
  const done = async () => {
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      await core.untilTask(kind, ({ state }) => state === 'done', 150_000);
    expect(await readdir(target)).toHaveLength(count);
    const { GetDocument, GetDocumentStatus, ValidateDocument } = service.control.requests();
    expect([GetDocument, GetDocumentStatus, ValidateDocument]).toEqual([count, count, count]);
  };
  return { core, setup, service, connectionId, runId, taskIds: [download?.taskId ?? '', refresh.taskId], done };
}

/** Sends a table of three rows; answers the ID of the bulk. */
async function sendBulk(core: RunningCore, connectionId: string, folder: string): Promise<string> {
  const table = join(folder, 'people.csv');
  await writeFile(table, ['E-mail', 'ana@mail.example', 'bo@mail.example', 'cy@mail.example'].join('\n'));
  const { token: tableToken } = await core.core.acceptPath(table);
  const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
  const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  return id;
}

it('what one program verifies, downloads, asks about and sends from a table, another one on its folder leaves alone', async () => {
  const { core, setup, service, connectionId, runId, taskIds, done } = await atWork();
  const id = await sendBulk(core, connectionId, await newFolder());
  const other = await newCore(setup);
  expect(await other.must('tasks.list', {})).toEqual([]);
  for (const taskId of taskIds)
    expect(await other.ask('tasks.resume', { taskId })).toMatchObject({ failure: { code: 'not-found' } });
  expect(await other.ask('verify.resume', { runId })).toMatchObject({ failure: { code: 'bad-input' } });
  await done();
  await expect.poll(async () => (await bulkOf(other, id)).state, { timeout: 20_000 }).toBe('finished');
  expect(service.control.requests().AddNewEasySignTemplate).toBe(3);
});

it.each([
  ['again and again', { ms: 200, freeMs: 50 }],
  ['once, for long', { ms: longMs, freeMs: 3_600_000 }],
])(
  'what only reads waits for a database that another program holds, and loses nothing: %s',
  async (_how, held) => {
    const { setup, done } = await atWork();
    await holdDatabase(setup.dataDir, held);
    await done();
  },
  200_000,
);

it('adds and the rows of a bulk wait for a database that is held for long, and each is sent once', async () => {
  const [dataDir, service, folder] = [await newFolder(), await newService({ processingMs: 0 }), await newFolder()];
  const core = await newCore({ dataDir, host: 'desktop' });
  const connectionId = await connect(core, service, { parallel: 2 });
  // Some are under way when it begins.
  service.control.misbehave({ mischief: { kind: 'delay', ms: 1_500 } });
  const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']));
  const id = await sendBulk(core, connectionId, folder);
  await holdDatabase(dataDir, { ms: longMs, freeMs: 3_600_000 });
  expect((await untilEnded(core, batchId, 150_000)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  await expect.poll(async () => (await bulkOf(core, id)).state, { timeout: 150_000, interval: 200 }).toBe('finished');
  const { AddNewDocument, AddNewEasySignTemplate } = service.control.requests();
  expect([AddNewDocument, AddNewEasySignTemplate]).toEqual([3, 3]);
}, 200_000);
