import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import { type CoreSetup, memoryKeychain, type RunningCore } from '../harness/core.ts';
import {
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  until,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

async function ready(count: number, sizeBytes = 0, setup: CoreSetup = {}) {
  const [core, service, folder] = [await newCore(setup), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service, { parallel: 4, timeouts: patient });
  const names = Array.from({ length: count }, (_each, n) => `${n % 2}/file ${Math.floor(n / 2)}.pdf`);
  await writePdfs(folder, names, sizeBytes);
  const jobs = await untilEnded(core, await register(core, connectionId, [folder], { clientId: '{folder}' }));
  const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
  return { core, service, folder, connectionId, documents, jobs };
}

describe('downloading many documents', () => {
  it('saves each under its own name in the folder, replaces nothing, and counts', async () => {
    const { core, documents, service } = await ready(8);
    const target = await newFolder();
    await writeFile(join(target, 'file 0.pdf'), 'mine');
    core.dialogs.files.push([target]);
    const missing = {
      connectionId: documents[0]?.connectionId ?? '',
      documentId: '11111111-2222-4333-8444-555555555555',
    };
    const begun = await core.must('documents.downloadAll', { documents: [...documents, missing] });
    expect(begun).toMatchObject({
      state: 'running',
      progress: { total: 9, folderName: target.split('/').at(-1) },
    });
    const ended = await core.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'done', progress: { doneCount: 8, failedCount: 1, running: [] } });
    expect(ended.progress.failed).toMatchObject([
      { documentId: missing.documentId, failure: { code: 'service-refused' } },
    ]);
    const names = await readdir(target);
    expect(names.filter((name) => /^file [0-3] \(\d\)\.pdf$/.test(name))).toHaveLength(5);
    expect(names).toHaveLength(9);
    expect(await readFile(join(target, 'file 0.pdf'), 'utf8')).toBe('mine');
    await core.must('documents.showDownloadFolder', { taskId: begun?.taskId ?? '' });
    expect(core.shown).toEqual([target]);
    expect(service.control.requests().GetDocument).toBe(9);
  });

  it('writes no file a second time that is complete in the folder, as after a kill, and every other one', async () => {
    const { core, documents } = await ready(8);
    const target = await newFolder();
    const download = async () => {
      core.dialogs.files.push([target]);
      const begun = await core.must('documents.downloadAll', { documents });
      const { progress } = await core.untilTask(
        'bulk-download',
        ({ taskId, state }) => taskId === begun?.taskId && state !== 'running',
      );
      expect(progress).toMatchObject({ doneCount: 8, failedCount: 0 });
      return progress.saved.map(({ fileName }) => fileName).sort();
    };
    const all = await download();
    expect(await readdir(target)).toHaveLength(8);
    for (const name of [all[1] ?? '', all[4] ?? '']) await rm(join(target, name));
    await appendFile(join(target, all[6] ?? ''), ' ');
    const again = await download();
    expect(await readdir(target)).toHaveLength(9);
    expect(new Set(again).size).toBe(8);
    expect(again).not.toContain(all[6]);
    expect((await readdir(target)).filter((name) => !again.includes(name))).toEqual([all[6]]);
  });

  it('keeps complete files and removes partial ones when it is stopped, and is resumed, also by the next program', async () => {
    const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()) };
    const { core, service, documents } = await ready(8, 200_000, setup);
    const target = await newFolder();
    core.dialogs.files.push([target]);
    service.control.misbehave({ mischief: { kind: 'slow', bytes: 20_000, everyMs: 20 }, operation: 'GetDocument' });
    const begun = await core.must('documents.downloadAll', { documents });
    await core.untilTask('bulk-download', ({ progress }) =>
      progress.running.some(({ receivedBytes }) => receivedBytes > 0),
    );
    const taskId = begun?.taskId ?? '';
    let stoppedAt = 0;
    const stop = async (startedAt: string | undefined) => {
      await core.must('tasks.stop', { taskId });
      const ended = await core.untilTask(
        'bulk-download',
        (task) => task.startedAt === startedAt && task.state === 'stopped',
      );
      const names = await readdir(target);
      stoppedAt = ended.progress.doneCount;
      expect(names).toHaveLength(stoppedAt);
      expect(names.every((name) => name.endsWith('.pdf'))).toBe(true);
    };
    await stop(begun?.startedAt);
    const resumed = await core.must('tasks.resume', { taskId });
    expect(resumed).toMatchObject({ taskId, state: 'running' });
    const { progress } = await core.untilTask('bulk-download', (task) => task.progress.doneCount > 2);
    await stop(resumed.startedAt);
    service.control.misbehave(null);
    await core.stop();
    const next = await newCore(setup);
    await until(async () => (await next.must('tasks.list', {})).length > 0);
    expect(await next.must('tasks.list', {})).toMatchObject([{ taskId, state: 'stopped', progress: { total: 8 } }]);
    const inode = async () => (await stat(join(target, progress.saved[0]?.fileName ?? ''))).ino;
    const written = await inode();
    // What somebody changed or took away meanwhile is not complete any more, and nobody's file is written over.
    const [, changed = '', removed = ''] = progress.saved.map(({ fileName }) => fileName);
    await appendFile(join(target, changed), ' ');
    await rm(join(target, removed));
    const asked = () => service.control.requests().GetDocument ?? 0;
    const askedBefore = asked();
    await next.must('tasks.resume', { taskId });
    const done = await next.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(done).toMatchObject({ taskId, state: 'done', progress: { doneCount: 8, failedCount: 0 } });
    const saved = done.progress.saved.map(({ fileName }) => fileName);
    expect(saved).not.toContain(changed);
    // The one that was changed is told with what became of it, the one that was taken away is not.
    const told = done.progress.saved.filter((one) => one.changed !== undefined);
    expect(told.map((one) => one.changed)).toEqual([changed]);
    expect(told[0]?.fileName).not.toBe(changed);
    expect((await readdir(target)).sort()).toEqual([...saved, changed].sort());
    expect(asked() - askedBefore).toBe(8 - stoppedAt + 2);
    expect(await inode()).toBe(written);
    await next.must('tasks.forget', { taskId });
    expect(await next.ask('tasks.resume', { taskId })).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('can be put back when it was dismissed, and is gone at the next start', async () => {
    const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()) };
    const { core, service, documents } = await ready(6, 0, setup);
    const target = await newFolder();
    core.dialogs.files.push([target]);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60 }, operation: 'GetDocument' });
    const taskId = (await core.must('documents.downloadAll', { documents }))?.taskId ?? '';
    const forget = { taskId };
    expect(await core.ask('tasks.forget', forget)).toMatchObject({ failure: { code: 'not-found' } });
    await core.untilTask('bulk-download', ({ progress }) => progress.doneCount > 0);
    await core.must('tasks.stop', { taskId });
    const listed = async (of: RunningCore) => (await of.must('tasks.list', {})).map((task) => task.taskId);
    const removal = await core.must('tasks.forget', forget);
    expect(await listed(core)).toEqual([]);
    expect(await core.ask('documents.downloadAll', { restOf: taskId })).toMatchObject({ ok: false });
    await core.must('removals.putBack', removal);
    expect(await listed(core)).toEqual([taskId]);
    await core.must('tasks.resume', { taskId });
    await core.untilTask('bulk-download', ({ progress }) => progress.doneCount > 2);
    await core.must('tasks.stop', { taskId });
    await core.must('tasks.forget', forget);
    await core.stop();
    const next = await newCore(setup);
    expect(await listed(next)).toEqual([]);
    expect(await next.ask('tasks.resume', { taskId })).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('is resumed once its folder can be written, by one that goes on into the same folder if there is one', async () => {
    const { core, service, documents } = await ready(6);
    const target = await newFolder();
    core.dialogs.files.push([target], [target]);
    await rm(target, { recursive: true });
    const begun = await core.must('documents.downloadAll', { documents: documents.slice(0, 4) });
    const failed = await core.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(failed).toMatchObject({ state: 'failed', failure: { detail: 'target-not-writable' } });
    expect(failed.progress).toMatchObject({ doneCount: 0, failedCount: 0 });
    await mkdir(target);
    service.control.misbehave({ mischief: { kind: 'drop-before' }, operation: 'GetDocument' });
    const other = await core.must('documents.downloadAll', { documents: documents.slice(4) });
    const joined = await core.must('tasks.resume', { taskId: begun?.taskId ?? '' });
    expect(joined).toMatchObject({ taskId: other?.taskId, progress: { total: 6 } });
    service.control.misbehave(null);
    const done = await core.untilTask('bulk-download', ({ state }) => state === 'done');
    expect(done).toMatchObject({ taskId: other?.taskId, progress: { doneCount: 6, failedCount: 0 } });
    expect(await readdir(target)).toHaveLength(6);
  });

  it('brings all of it into another folder where its own is gone with what was in it', async () => {
    const { core, service, documents } = await ready(6);
    const [gone, target] = [await newFolder(), await newFolder()];
    core.dialogs.files.push([gone], [target]);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60 }, operation: 'GetDocument' });
    const restOf = (await core.must('documents.downloadAll', { documents }))?.taskId ?? '';
    await core.untilTask('bulk-download', ({ progress }) => progress.doneCount > 0);
    await core.must('tasks.stop', { taskId: restOf });
    await rm(gone, { recursive: true });
    await core.must('documents.downloadAll', { restOf });
    const done = await core.untilTask('bulk-download', ({ state }) => state === 'done');
    expect(done.progress).toMatchObject({ total: 6, doneCount: 6 });
    expect(await readdir(target)).toHaveLength(6);
  });

  it('goes on with what is left in another folder where its own cannot be written', async () => {
    const { core, documents } = await ready(4);
    const [gone, target] = [await newFolder(), await newFolder()];
    core.dialogs.files.push([gone], [target]);
    await rm(gone, { recursive: true });
    const begun = await core.must('documents.downloadAll', { documents });
    const failed = await core.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(failed).toMatchObject({ state: 'failed', failure: { detail: 'target-not-writable' } });
    const restOf = begun?.taskId ?? '';
    const other = await core.must('documents.downloadAll', { restOf });
    const done = await core.untilTask(
      'bulk-download',
      ({ taskId, state }) => taskId === other?.taskId && state === 'done',
    );
    expect(done.progress).toMatchObject({ total: 4, doneCount: 4, failedCount: 0 });
    expect(await readdir(target)).toHaveLength(4);
    await core.must('tasks.forget', { taskId: restOf });
    expect(await core.ask('documents.downloadAll', { restOf })).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('that is resumed into another one brings what it had done; stops at refused credentials, and at an address that is not its own', async () => {
    const { core, service, documents, connectionId } = await ready(20);
    const [target, elsewhere] = [await newFolder(), await newService()];
    core.dialogs.files.push([target], [target]);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60 }, operation: 'GetDocument' });
    const begun = await core.must('documents.downloadAll', { documents });
    const taskId = begun?.taskId ?? '';
    const stopped = (startedAt?: string) =>
      core.untilTask('bulk-download', (task) => task.startedAt === startedAt && task.state !== 'running');
    const resumed = async () => await stopped((await core.must('tasks.resume', { taskId })).startedAt);
    const asked = () => service.control.requests().GetDocument ?? 0;
    await core.untilTask('bulk-download', ({ progress }) => progress.doneCount > 0);
    await core.must('tasks.stop', { taskId });
    const { doneCount } = (await stopped(begun?.startedAt)).progress;
    expect(doneCount).toBeLessThan(12);
    const { apiKey, apiSig, baseUrl } = service;
    service.control.misbehave({ mischief: { kind: 'answer', text: '-121' } });
    const before = asked();
    expect(await resumed()).toMatchObject({
      failure: { code: 'credentials-rejected' },
      progress: { doneCount, failedCount: 0 },
    });
    // Besides the two that were being asked for, those of the stop may still have been on their way.
    expect(asked() - before).toBeLessThanOrEqual(4);
    service.control.misbehave(null);
    const { connections } = await core.must('connections.state', {});
    const [settings] = connections.filter(({ id }) => id === connectionId).map(settingsOfConnection);
    if (!settings) throw new Error('no connection');
    const lead = (to: string) =>
      core.must('connections.save', { id: connectionId, settings: { ...settings, baseUrl: to } });
    await lead(elsewhere.baseUrl);
    await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    expect(await resumed()).toMatchObject({
      failure: { detail: 'service-changed' },
      progress: { doneCount, failedCount: 0 },
    });
    expect(elsewhere.control.requests().GetDocument ?? 0).toBe(0);
    await lead(baseUrl);
    await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    service.control.misbehave({ mischief: { kind: 'delay', ms: 300 }, operation: 'GetDocument' });
    const other = await core.must('documents.downloadAll', { documents: documents.slice(-1) });
    await core.must('tasks.resume', { taskId });
    const done = await core.untilTask(
      'bulk-download',
      (task) => task.taskId === other?.taskId && task.state === 'done',
    );
    expect(done.progress).toMatchObject({ total: 20, doneCount: 20, failedCount: 0 });
    expect(await readdir(target)).toHaveLength(20);
  });

  it('waits for a service that is away, goes on in the next program, and takes more documents for the same folder', async () => {
    const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()) };
    const { core, service, connectionId, documents } = await ready(8, 0, setup);
    const target = await newFolder();
    core.dialogs.files.push([target], [target]);
    service.control.misbehave({ mischief: { kind: 'drop-before' }, operation: 'GetDocument' });
    const begun = await core.must('documents.downloadAll', { documents: documents.slice(0, 6) });
    const more = await core.must('documents.downloadAll', { documents });
    expect(more).toMatchObject({ taskId: begun?.taskId, progress: { total: 8 } });
    const { progress } = await core.untilTask('bulk-download', (task) => task.progress.waitsFor !== null);
    expect(progress).toMatchObject({ failedCount: 0, waitsFor: { code: 'service-unreachable' } });
    // What can be added meanwhile is: nothing that mails people waits for long because a download found the service away.
    const [lease] = await untilEnded(
      core,
      await register(core, connectionId, await writePdfs(await newFolder(), ['new.pdf'])),
    );
    expect(lease?.state).toBe('done');
    expect(await core.must('tasks.list', {})).toMatchObject([{ state: 'running' }]);
    // What stands before a service and says that there is none answers no question either.
    service.control.misbehave({ mischief: { kind: 'html', status: 503 }, operation: 'GetDocument' });
    const behind = await core.untilTask(
      'bulk-download',
      ({ progress: { waitsFor } }) => waitsFor?.serviceCode === '503',
    );
    expect([behind.state, behind.progress.failedCount]).toEqual(['running', 0]);
    await core.stop();
    service.control.misbehave(null);
    const again = await newCore(setup);
    const ended = await again.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ taskId: begun?.taskId, state: 'done', progress: { doneCount: 8, failedCount: 0 } });
    const names = await readdir(target);
    expect(names.sort()).toEqual(ended.progress.saved.map(({ fileName }) => fileName).sort());
    await again.stop();
    const third = await newCore(setup);
    expect(await third.must('tasks.list', {})).toEqual([]);
  });

  it('says when a service that is away is tried again, and is tried at once on demand, also where adds are answered', async () => {
    const [serviceMs, serviceMostMs] = [600_000, 600_000];
    const { core, service, connectionId, documents } = await ready(4, 0, { pauses: { serviceMs, serviceMostMs } });
    core.dialogs.files.push([await newFolder()]);
    service.control.misbehave([
      { mischief: { kind: 'drop-before' }, operation: 'GetDocument' },
      { mischief: { kind: 'delay', ms: 800 }, operation: 'AddNewDocument' },
    ]);
    const batchId = await register(core, connectionId, await writePdfs(await newFolder(), ['new.pdf']));
    await until(() => service.control.requests().AddNewDocument === 5);
    await core.must('documents.downloadAll', { documents });
    const waits = await core.untilTask('bulk-download', ({ progress: { away } }) => away !== null);
    expect(waits.progress.away).toEqual(expect.objectContaining({ connectionId, nextTryAt: expect.any(String) }));
    // Answered meanwhile: it is away for downloads alone.
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
    service.control.misbehave(null);
    await core.must('jobs.tryNow', { connectionId });
    const { progress } = await core.untilTask('bulk-download', ({ state }) => state !== 'running');
    expect(progress).toMatchObject({ doneCount: 4, failedCount: 0, waitsFor: null, away: null });
  });

  it('does nothing if no folder was chosen, or a connection has no credentials', async () => {
    const { core, connectionId, documents } = await ready(1);
    expect(await core.must('documents.downloadAll', { documents })).toBeNull();
    await core.must('connections.forgetCredentials', { id: connectionId });
    expect(await core.ask('documents.downloadAll', { documents })).toMatchObject({
      failure: { code: 'not-connected' },
    });
  });
});

describe('a check of many statuses', () => {
  /** So that a check lasts. */
  const slow = { mischief: { kind: 'delay', ms: 300 }, operation: 'GetDocumentStatus' } as const;

  it('is not counted as what the program asks by itself, goes on over a restart, and says how many got which answer, also a first one', async () => {
    const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()) };
    const { core, service, connectionId } = await ready(6, 0, setup);
    await core.must('tracking.setBudget', { perHour: 1, isAutomatic: false });
    const { used } = await core.must('budget.state', {});
    service.control.misbehave(slow);
    expect(await core.must('documents.refreshStatuses', { connectionId })).toMatchObject({
      state: 'running',
      progress: { total: 6 },
    });
    await core.untilTask('status-refresh', ({ progress }) => progress.askedCount >= 2);
    await core.stop();
    const again = await newCore(setup);
    const ended = await again.untilTask('status-refresh', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'done', progress: { askedCount: 6, answers: { completed: 6 } } });
    expect(await again.must('budget.state', {})).toMatchObject({ used });
    const { rows } = await again.must('documents.list', { connectionId });
    expect(rows.map(({ status }) => status?.raw)).toEqual(Array.from({ length: 6 }, () => 'Completed'));
  });

  it('adds what is selected to a check that is going on', async () => {
    const { core, service, connectionId, documents } = await ready(3);
    service.control.misbehave(slow);
    const ids = documents.map(({ documentId }) => documentId);
    await core.must('documents.refreshStatuses', { connectionId, documentIds: ids.slice(0, 2) });
    await core.must('documents.refreshStatuses', { connectionId, documentIds: ids.slice(1) });
    const { progress } = await core.untilTask('status-refresh', ({ state }) => state === 'done');
    expect(progress).toMatchObject({ total: 3, askedCount: 3 });
    expect(service.control.requests().GetDocumentStatus).toBe(3);
  });

  it('is stopped at once, and resumed with all that are left', async () => {
    const { core, service, connectionId } = await ready(3);
    service.control.misbehave({ ...slow, mischief: { kind: 'delay', ms: 60_000 } });
    const { taskId } = await core.must('documents.refreshStatuses', { connectionId });
    await core.must('tasks.stop', { taskId });
    await core.untilTask('status-refresh', ({ state }) => state === 'stopped');
    service.control.misbehave(null);
    await core.must('tasks.resume', { taskId });
    const { progress } = await core.untilTask('status-refresh', ({ state }) => state === 'done');
    expect(progress).toMatchObject({ total: 3, askedCount: 3 });
  });

  it.each([
    ['cannot be reached', { kind: 'drop-before' }, 'service-unreachable', 0],
    ['is said to be away', { kind: 'html', status: 503 }, 'reply-unreadable', 1],
  ] as const)(
    'ends with the reason if the service %s, and is resumed with all that are left',
    async (_how, mischief, code, tries) => {
      const { core, service, connectionId, documents } = await ready(3);
      await core.must('documents.status', { connectionId, documentId: documents[0]?.documentId ?? '' });
      service.control.misbehave({ mischief, operation: 'GetDocumentStatus' });
      const { taskId } = await core.must('documents.refreshStatuses', { connectionId });
      const ended = await core.untilTask('status-refresh', ({ state }) => state !== 'running');
      expect(ended).toMatchObject({
        state: 'failed',
        progress: { total: 2, askedCount: 0, failedCount: 0 },
        failure: { code },
      });
      expect(service.control.requests().GetDocumentStatus).toBe(1 + tries);
      service.control.misbehave(null);
      expect(await core.must('tasks.resume', { taskId })).toMatchObject({ taskId, state: 'running' });
      const { progress } = await core.untilTask('status-refresh', ({ state }) => state === 'done');
      expect(progress).toMatchObject({ total: 2, askedCount: 2, failedCount: 0 });
    },
  );
});

describe('the register', () => {
  it('can be filtered by status, origin and time, and keeps its history', async () => {
    const { core, connectionId, documents, jobs } = await ready(4);
    const [first] = documents;
    const documentId = first?.documentId ?? '';
    await core.must('documents.status', { connectionId, documentId });
    const total = async (filters: object, more = {}) =>
      (await core.must('documents.list', { connectionId, filters, ...more })).total;
    expect(await total({ statusGroups: ['completed'] })).toBe(1);
    expect(await total({ statusGroups: ['none'] })).toBe(3);
    expect(await total({ statusGroups: ['none', 'completed'] }, { search: 'file' })).toBe(4);
    expect(await total({ statusGroups: ['completed'] }, { search: 'file', sort: 'name' })).toBe(1);
    expect(await total({ origin: 'opened' })).toBe(0);
    expect(await total({ origin: 'sent', registeredTo: '2020-01-01T00:00:00Z' })).toBe(0);
    expect(await total({ registeredFrom: '2020-01-01T00:00:00+02:00' })).toBe(4);
    const { rows } = await core.must('documents.list', { connectionId, filters: { statusGroups: ['completed'] } });
    expect(rows).toMatchObject([{ documentId, jobId: jobs[0]?.id }]);
    const history = await core.must('documents.history', { connectionId, documentId });
    expect(history.statuses).toMatchObject([{ raw: 'Completed', answer: { group: 'completed' } }]);
    expect(history.story.map(({ kind }) => kind)).toEqual([
      ...['prepared', 'waiting', 'sending', 'departed', 'answer-began', 'done'],
    ]);
  });

  it('keeps the folders of a drop in the client reference', async () => {
    const { core, connectionId } = await ready(4);
    const { rows } = await core.must('documents.list', { connectionId });
    expect(rows.map(({ clientId }) => clientId.split('/').at(-1)).sort()).toEqual(['0', '0', '1', '1']);
  });

  it('keeps views and the layout of a screen over a restart', async () => {
    const dataDir = await newFolder();
    const core = await newCore({ dataDir });
    const content = JSON.stringify({ search: 'lease' });
    await core.must('views.save', { screen: 'documents', name: 'Leases', content });
    const { views } = await core.must('views.save', { screen: 'documents', name: 'all', content: '{}' });
    expect(views.map(({ name }) => name)).toEqual(['all', 'Leases']);
    const taken = await core.ask('views.save', { screen: 'documents', name: 'LEASES', content: '{}' });
    expect(taken).toMatchObject({ ok: false, failure: { code: 'bad-input', fields: { name: 'is taken' } } });
    // View names are separate for each screen.
    await core.must('views.save', { screen: 'tracking', name: 'Leases', content: '{"grouped":true}' });
    await core.must('views.keepLayout', { screen: 'documents', layout: '{"columns":["name"]}' });
    await core.stop();
    const again = await newCore({ dataDir, pauses: { undoMs: 60_000 } });
    const state = await again.must('views.state', { screen: 'documents' });
    expect(state).toMatchObject({
      layout: '{"columns":["name"]}',
      views: [{ name: 'all' }, { name: 'Leases', content }],
    });
    expect(await again.must('views.state', { screen: 'jobs' })).toEqual({ views: [], layout: null });
    const { removal } = await again.must('views.remove', { screen: 'documents', id: state.views[0]?.id ?? '' });
    expect((await again.must('views.state', { screen: 'documents' })).views).toHaveLength(1);
    await again.must('removals.putBack', { removal });
    expect(await again.must('views.state', { screen: 'documents' })).toEqual(state);
    expect(await again.must('views.state', { screen: 'tracking' })).toMatchObject({
      views: [{ name: 'Leases', content: '{"grouped":true}' }],
    });
  });
});
