import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CoreSetup, memoryKeychain, type RunningCore } from '../harness/core.ts';
import { atLength } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

/** Files and jobs of at least three slices, each of which is written by itself; rows of a bulk are written one by one. */
const [files, cancelled, recipients] = atLength({ short: [450, 250, 4], all: [900, 450, 40] });

/** Longer than any repetition that has a limit. */
const longMs = atLength({ short: 3_000, all: 65_000 });

/** Another program that holds the database again and again, longer than this program waits within one write, until the test ends or the answered function is called. */
async function holdOften(dataDir: string, { ms, freeMs }: { readonly ms: number; readonly freeMs: number }) {
  const program = join(import.meta.dirname, '..', 'faults', 'holding-program.ts');
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE: join(dataDir, 'sealdesk.db'),
      MS: String(ms),
      FREE_MS: String(freeMs),
      TIMES: '10000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const release = () => void child.kill('SIGKILL');
  onTestFinished(release);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return release;
}

async function ready(setup: CoreSetup = {}, parallel = 4) {
  const [dataDir, service, folder] = [await newFolder(), await newService({ processingMs: 0 }), await newFolder()];
  const core = await newCore({ dataDir, host: 'desktop', ...setup });
  return { core, dataDir, folder, service, connectionId: await connect(core, service, { parallel }) };
}

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
  await expect.poll(async () => (await other.must('bulk.get', { id })).state, { timeout: 20_000 }).toBe('finished');
  expect(service.control.requests().AddNewEasySignTemplate).toBe(3);
});

describe('while another program holds the database again and again', () => {
  it('a verification says that it waits and goes on to its end, also while its files are listed', async () => {
    const { core, dataDir, folder, connectionId } = await ready();
    const paths = await writePdfs(
      folder,
      Array.from({ length: files }, (_, at) => `${at}.pdf`),
    );
    const intake = await scan(core, paths, 'verify');
    const waited: (string | undefined)[] = [];
    core.listen('tasks.progressed', (task) => {
      if (task.kind === 'verification') waited.push(task.progress.waitsFor?.code);
    });
    await holdOften(dataDir, { ms: 400, freeMs: 15 });
    const start = async () => (await core.ask('verify.start', { connectionId, intakeId: intake.id })).ok;
    await expect.poll(start, { timeout: 60_000, interval: 5 }).toBe(true);
    const { progress } = await core.untilTask(
      'verification',
      ({ progress: { run } }) => run.state !== 'running',
      100_000,
    );
    const run = { state: 'finished', trouble: null, total: files, answered: files };
    expect(progress).toMatchObject({ run, waitsFor: null });
    // It says meanwhile why it does not go on.
    expect(waited).toContain('storage-busy');
  }, 120_000);

  it('a verification says that it waits where its answers have words that nobody sorted', async () => {
    const { core, dataDir, folder, service, connectionId } = await ready({}, 1);
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Not Found' } });
    const paths = Array.from({ length: 300 }, (_, at) => `${at}.pdf`);
    const intake = await scan(core, await writePdfs(folder, paths), 'verify');
    const waited: (string | undefined)[] = [];
    core.listen('tasks.progressed', (task) => {
      if (task.kind === 'verification') waited.push(task.progress.waitsFor?.code);
    });
    await core.must('verify.start', { connectionId, intakeId: intake.id });
    const release = await holdOften(dataDir, { ms: 60_000, freeMs: 60_000 });
    await expect.poll(() => waited, { timeout: 20_000 }).toContain('storage-busy');
    release();
    const { progress } = await core.untilTask('verification', ({ progress: { run } }) => run.answered > 10, 30_000);
    expect(progress.waitsFor).toBeNull();
  }, 60_000);

  it('no answer with a word that nobody sorted is lost: neither verdicts nor statuses', async () => {
    const { core, dataDir, folder, service, connectionId } = await ready();
    const paths = await writePdfs(folder, ['1.pdf', '2.pdf', '3.pdf']);
    await untilEnded(core, await register(core, connectionId, paths));
    const intake = await scan(core, paths, 'verify');
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Not Found' } });
    await holdOften(dataDir, { ms: 300, freeMs: 60 });
    const begin = (what: () => Promise<{ readonly ok: boolean }>) =>
      expect.poll(async () => (await what()).ok, { timeout: 20_000, interval: 5 }).toBe(true);
    await begin(() => core.ask('verify.start', { connectionId, intakeId: intake.id }));
    const { progress } = await core.untilTask('verification', ({ progress: { run } }) => run.state !== 'running');
    expect(progress.run.counts).toMatchObject({ unclear: 3, 'no-answer': 0 });
    await begin(() => core.ask('documents.refreshStatuses', { connectionId }));
    const refresh = await core.untilTask('status-refresh', ({ state }) => state !== 'running');
    expect(refresh).toMatchObject({ state: 'done', progress: { changedCount: 3, failedCount: 0 } });
    expect(service.control.requests()).toMatchObject({ ValidateDocument: 3, GetDocumentStatus: 3 });
  }, 60_000);

  it('cancelling hundreds of jobs answers how many they were, also if the database was away between', async () => {
    const { core, dataDir, folder, connectionId } = await ready();
    await core.must('jobs.pause', { what: 'all' });
    const names = Array.from({ length: cancelled }, (_, at) => `${at}.pdf`);
    await register(core, connectionId, await writePdfs(folder, names));
    await holdOften(dataDir, { ms: 400, freeMs: 15 });
    const answer = await core.ask('jobs.cancelWaiting', {});
    expect(answer).toMatchObject({ ok: true, value: { count: cancelled } });
  }, 120_000);

  it('taking back a batch of hundreds answers all of them', async () => {
    const { core, dataDir, folder, connectionId } = await ready({ waitBeforeSeconds: 600 });
    const names = Array.from({ length: cancelled }, (_, at) => `${at}.pdf`);
    const batchId = await register(core, connectionId, await writePdfs(folder, names));
    await holdOften(dataDir, { ms: 400, freeMs: 15 });
    const answer = await core.ask('jobs.takeBack', { batchId });
    expect(answer.ok && answer.value.jobIds.length).toBe(cancelled);
  }, 120_000);

  it('a bulk goes on: a row that is queued is no reason to pause', async () => {
    const { core, dataDir, folder, connectionId } = await ready();
    const [pdf = ''] = await writePdfs(folder, ['lease.pdf']);
    const table = join(folder, 'people.csv');
    const rows = Array.from({ length: recipients }, (_, at) => `Ana ${at},ana${at}@mail.example`);
    await writeFile(table, ['Name,E-mail', ...rows].join('\n'));
    const [fileToken, tableToken] = [await core.core.acceptPath(pdf), await core.core.acceptPath(table)];
    const content = { kind: 'easy-sign', fileToken: fileToken.token } as const;
    const { id } = await core.must('bulk.check', { connectionId, tableToken: tableToken.token, content });
    await holdOften(dataDir, { ms: 200, freeMs: 50 });
    await expect
      .poll(async () => (await core.ask('bulk.send', { id, rows: 'all', perMinute: 6_000 })).ok, {
        timeout: 20_000,
      })
      .toBe(true);
    await expect
      .poll(async () => (await core.must('bulk.get', { id })).state, { timeout: 100_000, interval: 200 })
      .not.toBe('sending');
    expect(await core.must('bulk.get', { id })).toMatchObject({ state: 'finished' });
  }, 140_000);

  it.each([
    ['again and again', { ms: 200, freeMs: 50 }],
    ['once, for long', { ms: longMs, freeMs: 3_600_000 }],
  ])(
    'what only reads waits and loses nothing: %s',
    async (_how, held) => {
      const { setup, done } = await atWork();
      await holdOften(setup.dataDir, held);
      await done();
    },
    200_000,
  );

  it('adds and the rows of a bulk wait for one that is held once, for long, and each is sent once', async () => {
    const { core, dataDir, service, folder, connectionId } = await ready({}, 2);
    // Some are under way when it begins.
    service.control.misbehave({ mischief: { kind: 'delay', ms: 1_500 } });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']));
    const id = await sendBulk(core, connectionId, folder);
    await holdOften(dataDir, { ms: longMs, freeMs: 3_600_000 });
    expect((await untilEnded(core, batchId, 150_000)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    await expect
      .poll(async () => (await core.must('bulk.get', { id })).state, { timeout: 150_000, interval: 200 })
      .toBe('finished');
    const { AddNewDocument, AddNewEasySignTemplate } = service.control.requests();
    expect([AddNewDocument, AddNewEasySignTemplate]).toEqual([3, 3]);
  }, 200_000);
});
