import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningCore } from '../harness/core.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  scan,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

async function ready(dataDir?: string) {
  const [core, service, folder] = [await newCore({ dataDir }), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  const [first = '', other = ''] = await writePdfs(folder, ['first.pdf', 'other.pdf']);
  const [job] = await untilEnded(core, await register(core, connectionId, [first]));
  const copy = join(folder, 'copy.pdf');
  await copyFile(first, copy);
  return { core, service, folder, connectionId, first, other, copy, job };
}

async function checked(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const intake = await scan(core, paths);
  const { taskId } = await core.must('documents.checkDuplicates', { connectionId, intakeId: intake.id });
  const check = await core.untilTask('duplicate-check', (task) => task.taskId === taskId && task.state !== 'running');
  const { duplicates } = await core.must('documents.duplicates', { taskId });
  return { intake, check, duplicates };
}

const timesTaken = (service: Awaited<ReturnType<typeof newService>>) =>
  [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);

describe('the check for duplicates before files are added', () => {
  it('lists files whose bytes were sent before or are twice in the selection', async () => {
    const { core, connectionId, folder, other, copy, job } = await ready();
    const third = join(folder, 'third.pdf');
    await copyFile(other, third);
    const { check, duplicates } = await checked(core, connectionId, [copy, other, third]);
    expect(check).toMatchObject({ state: 'done', progress: { totalFiles: 3, readFiles: 3, duplicateCount: 2 } });
    expect(check.progress.readBytes).toBe(check.progress.totalBytes);
    expect(duplicates).toMatchObject([
      { index: 0, name: 'copy.pdf', of: { kind: 'document', documentId: job?.documentId }, sameAsIndex: null },
      { index: 2, name: 'third.pdf', of: null, sameAsIndex: 1 },
    ]);
    expect(duplicates[0]?.sha256).toBe(job?.sha256);
  });

  it('ignores files of other connections', async () => {
    const { core, service, copy } = await ready();
    const id = await connect(core, service, { name: 'Branch' });
    const { duplicates } = await checked(core, id, [copy]);
    expect(duplicates).toEqual([]);
  });

  it('lists what is in doubt, or waits, as what is registered', async () => {
    const { core, service, folder, connectionId } = await ready();
    const [doubted = '', waiting = ''] = await writePdfs(folder, ['doubted.pdf', 'waiting.pdf']);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await untilEnded(core, await register(core, connectionId, [doubted]));
    await core.must('jobs.pause', { what: 'all' });
    await untilJobs(core, await register(core, connectionId, [waiting]), ([job]) => job?.state === 'waiting');
    const { duplicates } = await checked(core, connectionId, [doubted, waiting]);
    expect(duplicates.map(({ of }) => [of?.kind, of?.state])).toEqual([
      ['job', 'in-doubt'],
      ['job', 'waiting'],
    ]);
  });

  it('reads only files that may be duplicates, and can be cancelled', async () => {
    const { core, connectionId, folder } = await ready();
    const paths = await writePdfs(folder, ['x/large 1.pdf', 'x/large 2.pdf'], 80_000_000);
    const intake = await scan(core, paths);
    const { taskId } = await core.must('documents.checkDuplicates', { connectionId, intakeId: intake.id });
    await core.untilTask('duplicate-check', (task) => task.taskId === taskId && task.progress.readBytes > 0);
    await core.must('tasks.stop', { taskId });
    const { progress } = await core.untilTask('duplicate-check', ({ state }) => state === 'stopped');
    expect(progress.readFiles).toBeLessThan(2);
    expect(await core.ask('documents.duplicates', { taskId: 'nobody' })).toMatchObject({
      failure: { code: 'not-found' },
    });
  });

  it('skips or sends each file as decided', async () => {
    const { core, service, connectionId, copy, other } = await ready();
    const intake = await scan(core, [copy, other]);
    const given = { connectionId, intakeId: intake.id, creditType: 1 };
    const skipped = await core.must('documents.register', { ...given, duplicates: { skip: [0] } });
    expect(skipped.jobCount).toBe(1);
    await untilEnded(core, skipped.batchId);
    const sent = await core.must('documents.register', { ...given, duplicates: { send: [0], skip: [1] } });
    expect(await untilEnded(core, sent.batchId)).toMatchObject([
      { title: 'copy.pdf', state: 'done', duplicateOf: { kind: 'document', title: 'first' } },
    ]);
    expect(timesTaken(service)).toBe(3);
    expect(await core.ask('documents.register', { ...given, duplicates: { skip: [0, 1] } })).toMatchObject({
      failure: { code: 'bad-input' },
    });
  });
});

describe('the check for duplicates in the queue', () => {
  it('holds a duplicate for a person without holding other jobs', async () => {
    const { core, service, connectionId, copy, other, job } = await ready();
    const batchId = await register(core, connectionId, [copy, other]);
    await untilJobs(core, batchId, ([, second]) => second?.state === 'done');
    const [asking] = await untilJobs(core, batchId, ([first]) => first?.pausedBy === 'duplicate');
    expect(asking).toMatchObject({
      state: 'waiting',
      duplicateOf: { kind: 'document', documentId: job?.documentId, title: 'first' },
    });
    expect(await core.must('jobs.list', { asking: true })).toMatchObject({ total: 1, askingCount: 1 });
    // No resume sends it; only the decision does.
    await core.must('jobs.pause', { what: 'batch', batchId });
    await core.must('jobs.resume', { what: 'batch', batchId });
    expect((await jobsOf(core, batchId))[0]?.pausedBy).toBe('duplicate');
    expect(timesTaken(service)).toBe(2);
    await core.must('jobs.decide', { jobIds: [asking?.id ?? ''], decision: 'send' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done', duplicateOf: { kind: 'document' } }, {}]);
    expect(timesTaken(service)).toBe(3);
    expect((await core.must('jobs.list', {})).askingCount).toBe(0);
  });

  it('skips a duplicate for good by decision, and does not send it again with all others', async () => {
    const { core, service, connectionId, copy } = await ready();
    const batchId = await register(core, connectionId, [copy]);
    const [asking] = await untilJobs(core, batchId, ([first]) => first?.pausedBy === 'duplicate');
    await core.must('jobs.decide', { jobIds: [asking?.id ?? ''], decision: 'skip' });
    expect(await jobsOf(core, batchId)).toMatchObject([{ state: 'passed-over', pausedBy: null }]);
    expect(await core.must('jobs.retryAll', { states: ['cancelled', 'failed'] })).toEqual({
      count: 0,
      asking: 0,
      skipped: 0,
    });
    expect(timesTaken(service)).toBe(1);
  });

  it('sends exactly one of twenty equal files added at once', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { parallel: 8 });
    const paths = Array.from({ length: 20 }, (_each, n) => join(folder, `${n}.pdf`));
    for (const path of paths) await writeFile(path, pdf('the same'));
    const batchId = await register(core, connectionId, paths);
    const jobs = await untilJobs(core, batchId, (all) => all.filter(({ pausedBy }) => pausedBy).length === 19);
    await untilJobs(core, batchId, (all) => all.some(({ state }) => state === 'done'));
    expect(timesTaken(service)).toBe(1);
    expect(
      jobs.filter(({ duplicateOf }) => duplicateOf?.kind === 'job' || duplicateOf?.kind === 'document'),
    ).toHaveLength(19);
  });

  it('asks only about the later of two waiting jobs, also after a restart', async () => {
    const dataDir = await newFolder();
    const { core, connectionId, folder, other } = await ready(dataDir);
    await core.must('jobs.pause', { what: 'all' });
    const first = await register(core, connectionId, [other]);
    await untilJobs(core, first, ([job]) => job?.state === 'waiting');
    const twin = join(folder, 'twin.pdf');
    await copyFile(other, twin);
    const second = await register(core, connectionId, [twin]);
    await untilJobs(core, second, ([job]) => job?.pausedBy === 'duplicate');
    await core.stop();
    const again = await newCore({ dataDir });
    await untilJobs(again, second, ([job]) => job?.pausedBy === 'duplicate');
    expect(await jobsOf(again, first)).toMatchObject([{ pausedBy: 'all', duplicateOf: null }]);
  });

  it('counts a job in doubt as sent', async () => {
    const { core, service, connectionId, folder } = await ready();
    const [path = ''] = await writePdfs(folder, ['doubt.pdf']);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const [doubt] = await untilEnded(core, await register(core, connectionId, [path]));
    const batchId = await register(core, connectionId, [path]);
    const [asking] = await untilJobs(core, batchId, ([first]) => first?.pausedBy === 'duplicate');
    expect(asking?.duplicateOf).toMatchObject({ kind: 'job', jobId: doubt?.id, state: 'in-doubt' });
    expect(timesTaken(service)).toBe(2);
  });

  it('passes a duplicate over with the reason if the rule is to skip, which counts as no cancelling', async () => {
    const { core, connectionId, copy, job } = await ready();
    const intake = await scan(core, [copy]);
    const { batchId } = await core.must('documents.register', {
      connectionId,
      intakeId: intake.id,
      creditType: 1,
      duplicates: { otherwise: 'skip' },
    });
    const [skipped] = await untilEnded(core, batchId);
    expect(skipped).toMatchObject({ state: 'passed-over', duplicateOf: { documentId: job?.documentId } });
    const { counts } = await core.must('jobs.list', {});
    expect(counts).toMatchObject({ cancelled: 0, 'passed-over': 1 });
    const story = await core.must('jobs.history', { jobId: skipped?.id ?? '' });
    expect(story.map(({ kind }) => kind)).toEqual(['prepared', 'passed-over', 'duplicate-found']);
    // A person may still send it.
    await core.must('jobs.sendAgain', { jobId: skipped?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
  });
});
