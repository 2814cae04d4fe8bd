import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CoreSetup } from '../harness/core.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { holdDatabase } from '../harness/hold-database.ts';
import { atLength } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

/** Files and jobs of at least three slices, each of which is written by itself; rows of a bulk are written one by one. */
const [files, cancelled, recipients, sent] = atLength({ short: [410, 210, 4, 12], all: [900, 450, 40, 60] });

async function ready(setup: CoreSetup = {}, parallel = 4) {
  const [dataDir, service, folder] = [await newFolder(), await newService({ processingMs: 0 }), await newFolder()];
  const core = await newCore({ dataDir, host: 'desktop', ...setup });
  return { core, dataDir, folder, service, connectionId: await connect(core, service, { parallel }) };
}

describe('while another program holds the database again and again', () => {
  it('a verification says that it waits and goes on to its end, also while its files are listed', async () => {
    // Each check is counted before it leaves; those of a millisecond by one commit.
    const { core, dataDir, folder, connectionId } = await ready({}, 8);
    const count = files / 2;
    const paths = await writePdfs(
      folder,
      Array.from({ length: count }, (_, at) => `${at}.pdf`),
    );
    const intake = await scan(core, paths, 'verify');
    const waited: (string | undefined)[] = [];
    core.listen('tasks.progressed', (task) => {
      if (task.kind === 'verification') waited.push(task.progress.waitsFor?.code);
    });
    await holdDatabase(dataDir, { ms: 400, freeMs: 15 });
    const start = async () => (await core.ask('verify.start', { connectionId, intakeId: intake.id })).ok;
    await expect.poll(start, { timeout: 60_000, interval: 5 }).toBe(true);
    const { progress } = await core.untilTask(
      'verification',
      ({ progress: { run } }) => run.state !== 'running',
      100_000,
    );
    const run = { state: 'finished', trouble: null, total: count, answered: count };
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
    const { release } = await holdDatabase(dataDir, { ms: 60_000, freeMs: 60_000 });
    await expect.poll(() => waited, { timeout: 20_000 }).toContain('storage-busy');
    release();
    // Its end, as an event from before it was held has answers, too.
    const { progress } = await core.untilTask(
      'verification',
      ({ progress: { run } }) => run.state !== 'running',
      30_000,
    );
    expect(progress).toMatchObject({ run: { state: 'finished', answered: paths.length }, waitsFor: null });
  }, 60_000);

  it('no answer with a word that nobody sorted is lost: neither verdicts nor statuses', async () => {
    const { core, dataDir, folder, service, connectionId } = await ready();
    const paths = await writePdfs(folder, ['1.pdf', '2.pdf', '3.pdf']);
    await untilEnded(core, await register(core, connectionId, paths));
    const intake = await scan(core, paths, 'verify');
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Not Found' } });
    await holdDatabase(dataDir, { ms: 300, freeMs: 60 });
    const begin = (what: () => Promise<{ readonly ok: boolean }>) =>
      expect.poll(async () => (await what()).ok, { timeout: 20_000, interval: 5 }).toBe(true);
    await begin(() => core.ask('verify.start', { connectionId, intakeId: intake.id }));
    const { progress } = await core.untilTask('verification', ({ progress: { run } }) => run.state !== 'running');
    expect(progress.run.counts).toMatchObject({ unclear: 3, 'no-answer': 0 });
    await begin(() => core.ask('documents.refreshStatuses', { connectionId }));
    const refresh = await core.untilTask('status-refresh', ({ state }) => state !== 'running');
    expect(refresh).toMatchObject({
      state: 'done',
      progress: { askedCount: 3, answers: { 'not-found': 3 }, failedCount: 0 },
    });
    expect(service.control.requests()).toMatchObject({ ValidateDocument: 3, GetDocumentStatus: 3 });
  }, 60_000);

  it('documents are sent, each once, as their departures wait for it', async () => {
    const { core, dataDir, folder, service, connectionId } = await ready();
    const paths = await writePdfs(
      folder,
      Array.from({ length: sent }, (_, at) => `${at}.pdf`),
    );
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, paths);
    await holdDatabase(dataDir, { ms: 600, freeMs: 15 });
    await expect
      .poll(async () => (await core.ask('jobs.resume', { what: 'all' })).ok, { timeout: 20_000, interval: 5 })
      .toBe(true);
    const jobs = await untilEnded(core, batchId, 80_000);
    expect(jobs.map(({ state }) => state)).toEqual(Array(sent).fill('done'));
    expect(service.control.requests().AddNewDocument).toBe(sent);
  }, 120_000);

  it('cancelling hundreds of jobs answers how many they were, also if the database was away between', async () => {
    const { core, dataDir, folder, connectionId } = await ready();
    await core.must('jobs.pause', { what: 'all' });
    const names = Array.from({ length: cancelled }, (_, at) => `${at}.pdf`);
    await register(core, connectionId, await writePdfs(folder, names));
    await holdDatabase(dataDir, { ms: 400, freeMs: 15 });
    const answer = await core.ask('jobs.cancelWaiting', {});
    expect(answer).toMatchObject({ ok: true, value: { count: cancelled } });
  }, 120_000);

  it('taking back a batch of hundreds answers all of them', async () => {
    const { core, dataDir, folder, connectionId } = await ready({ waitBeforeSeconds: 600 });
    const names = Array.from({ length: cancelled }, (_, at) => `${at}.pdf`);
    const batchId = await register(core, connectionId, await writePdfs(folder, names));
    await holdDatabase(dataDir, { ms: 400, freeMs: 15 });
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
    await holdDatabase(dataDir, { ms: 200, freeMs: 50 });
    await expect
      .poll(async () => (await core.ask('bulk.send', { id, rows: 'all', perMinute: 6_000 })).ok, {
        timeout: 20_000,
      })
      .toBe(true);
    await expect
      .poll(async () => (await bulkOf(core, id)).state, { timeout: 100_000, interval: 200 })
      .not.toBe('sending');
    expect(await bulkOf(core, id)).toMatchObject({ state: 'finished' });
  }, 140_000);
});
