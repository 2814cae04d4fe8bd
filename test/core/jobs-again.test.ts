import { readdirSync } from 'node:fs';
import { copyFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { isFull, recordFault } from '../faults/fault-table.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

type Service = Awaited<ReturnType<typeof newService>>;

const names = (count: number, prefix = 'file') => Array.from({ length: count }, (_each, n) => `${prefix}-${n}.pdf`);
const spooled = (core: RunningCore) => {
  try {
    return readdirSync(join(core.dataDir, 'spool'));
  } catch {
    return [];
  }
};
const timesTaken = (service: Service) => [...service.control.addsByHash().values()];
const paidTwice = (service: Service) => timesTaken(service).filter((times) => times > 1).length;
const statesOf = (jobs: readonly Job[]) => [...new Set(jobs.map(({ state }) => state))];

/** A held batch: all files are copied, nothing has left, and the originals are removed. */
async function heldBatch(count: number, parallel = 2) {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
  // A machine may be too busy for an answer in time, and what is in doubt is not sent again.
  const connectionId = await connect(core, service, { parallel, timeouts: patient });
  const paths = await writePdfs(folder, names(count));
  await core.must('jobs.pause', { what: 'all' });
  const batchId = await register(core, connectionId, paths);
  await untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'), 60_000);
  for (const path of paths) await rm(path);
  return { core, service, connectionId, batchId };
}

describe('the copy of a document whose original is gone', () => {
  const rounds = isFull ? 300 : 20;

  it('exists when a refused job is sent again at once', async () => {
    const { core, service, batchId } = await heldBatch(rounds, 4);
    await service.control.setCredits({ document: 0 });
    const again = new Set<string>();
    const stop = core.listen('jobs.changed', ({ jobs }) => {
      for (const { id, state } of jobs) {
        if (state !== 'refused' || again.has(id)) continue;
        again.add(id);
        void core.ask('jobs.sendAgain', { jobId: id });
      }
    });
    await core.must('jobs.resume', { what: 'all' });
    // Each was refused twice, or failed at its second time.
    const failedOf = (jobs: readonly Job[]) => jobs.filter(({ state }) => state === 'failed').length;
    const requests = () => service.control.requests().AddNewDocument ?? 0;
    await untilJobs(
      core,
      batchId,
      (jobs) =>
        requests() + failedOf(jobs) === 2 * rounds &&
        jobs.every(({ state }) => state === 'refused' || state === 'failed'),
      60_000,
    );
    stop();
    const missing = (await jobsOf(core, batchId)).filter(({ failure }) => failure?.detail === 'file-missing').length;
    recordFault({
      fault: 'sent again at a refusal',
      injected: rounds,
      jobs: rounds,
      lost: missing,
    });
    expect(missing).toBe(0);
    await service.control.setCredits({ document: rounds });
    await core.must('jobs.retryAll', { states: ['refused'], batchId });
    expect(statesOf(await untilEnded(core, batchId, 60_000))).toEqual(['done']);
    expect(timesTaken(service)).toEqual(Array(rounds).fill(1));
    await expect.poll(() => spooled(core)).toEqual([]);
  });

  it.each([
    [
      'cancelled one by one',
      async (core: RunningCore, jobs: readonly Job[]) => {
        for (const { id } of jobs) await core.must('jobs.cancel', { jobId: id });
      },
    ],
    [
      'cancelled with everything that waits',
      async (core: RunningCore) => {
        await core.must('jobs.cancelWaiting', {});
      },
    ],
  ])('exists when a job is sent again that was %s', async (_how, cancel) => {
    const { core, service, batchId } = await heldBatch(20);
    await cancel(core, await jobsOf(core, batchId));
    expect(statesOf(await jobsOf(core, batchId))).toEqual(['cancelled']);
    await core.must('jobs.retryAll', { states: ['cancelled'], batchId });
    await core.must('jobs.resume', { what: 'all' });
    expect(statesOf(await untilEnded(core, batchId))).toEqual(['done']);
    expect(timesTaken(service)).toEqual(Array(20).fill(1));
  });

  it('exists after a restart, and is removed when the job is dismissed', async () => {
    const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
    const keychain = memoryKeychain(new Map());
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    await service.control.setCredits({ document: 0 });
    const paths = await writePdfs(folder, names(4));
    const batchId = await register(first, connectionId, paths);
    await untilEnded(first, batchId);
    for (const path of paths) await rm(path);
    await first.stop();
    const core = await newCore({ dataDir, keychain });
    // The sweep at the start has ended when this batch, which waits behind it, is done.
    await service.control.setCredits({ document: 10 });
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['other.pdf'])));
    const [gone, ...kept] = await jobsOf(core, batchId);
    await core.must('jobs.dismiss', { jobIds: [gone?.id ?? ''] });
    await expect.poll(() => spooled(core)).toHaveLength(3);
    expect(await core.ask('jobs.sendAgain', { jobId: gone?.id ?? '' })).toMatchObject({ ok: false });
    for (const { id } of kept) await core.must('jobs.sendAgain', { jobId: id });
    expect(statesOf(await untilEnded(core, batchId))).toEqual(['done']);
    await expect.poll(() => spooled(core)).toEqual([]);
  });

  it('is kept when a second program starts beside the first', async () => {
    const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
    const first = await newCore({ dataDir });
    const connectionId = await connect(first, service);
    await first.must('jobs.pause', { what: 'all' });
    const batchId = await register(first, connectionId, await writePdfs(folder, names(10)));
    await untilJobs(first, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));
    // A copy of a job that this ledger does not know yet: another program may be about to add it.
    await copyFile(join(folder, names(1)[0] ?? ''), join(dataDir, 'spool', 'unknown.document'));
    await utimes(join(dataDir, 'spool', 'unknown.document'), new Date(0), new Date(0));
    const beside = await newCore({ dataDir });
    await beside.stop();
    expect(spooled(first)).toHaveLength(11);
    await first.stop();
    const alone = await newCore({ dataDir });
    await expect.poll(() => spooled(alone)).toHaveLength(10);
  });

  it('is removed if the job is dismissed while it is copied', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    await core.must('jobs.pause', { what: 'all' });
    const count = isFull ? 30 : 6;
    const batchId = await register(core, connectionId, await writePdfs(folder, names(count), 400_000));
    for (const { id } of await jobsOf(core, batchId)) {
      await core.must('jobs.cancel', { jobId: id });
      await core.must('jobs.dismiss', { jobIds: [id] });
    }
    await expect.poll(() => spooled(core)).toEqual([]);
  });
});

describe('the check for duplicates when jobs are sent again', () => {
  /** Refused with an HTTP status, as at a mistyped address. */
  async function turnedAway(count: number) {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, names(count));
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    const failed = await register(core, connectionId, paths);
    expect(statesOf(await untilEnded(core, failed))).toEqual(['failed']);
    service.control.misbehave(null);
    return { core, service, folder, connectionId, paths, failed };
  }

  it('does not send a file that was added again and done meanwhile', async () => {
    const count = 20;
    const { core, service, connectionId, paths, failed } = await turnedAway(count);
    expect(statesOf(await untilEnded(core, await register(core, connectionId, paths)))).toEqual(['done']);
    const retried = await core.must('jobs.retryAll', { batchId: failed });
    await untilJobs(core, failed, (jobs) =>
      jobs.every(({ state, pausedBy }) => pausedBy === 'duplicate' || state === 'done'),
    );
    recordFault({
      fault: 'failed ones sent again after a second drop',
      injected: count,
      jobs: count,
      doubled: paidTwice(service),
    });
    expect(paidTwice(service)).toBe(0);
    expect(retried).toEqual({ count: 0, asking: count, skipped: 0 });
    const asking = (await core.must('jobs.list', { asking: true })).jobs;
    expect(asking).toHaveLength(count);
    expect(asking[0]?.duplicateOf).toMatchObject({ kind: 'document', state: 'done' });
    // A person's decision holds for this duplicate.
    await core.must('jobs.decide', { jobIds: [asking[0]?.id ?? ''], decision: 'send' });
    await untilJobs(core, failed, (jobs) => jobs.filter(({ state }) => state === 'done').length === 1);
  });

  it('finds the first of two equal jobs that failed together when the second is sent again', async () => {
    const { core, service, folder, connectionId, paths, failed } = await turnedAway(3);
    const copies = await newFolder();
    for (const path of paths) await copyFile(path, join(copies, path.slice(folder.length + 1)));
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    const second = await register(core, connectionId, [copies]);
    expect(statesOf(await untilEnded(core, second))).toEqual(['failed']);
    service.control.misbehave(null);
    expect(await core.must('jobs.retryAll', {})).toEqual({ count: 3, asking: 3, skipped: 0 });
    await untilEnded(core, failed);
    expect(timesTaken(service)).toEqual([1, 1, 1]);
    expect((await jobsOf(core, second)).map(({ pausedBy }) => pausedBy)).toEqual(Array(3).fill('duplicate'));
  });

  it('checks a job whose file must be copied again once its bytes are known', async () => {
    const { core, service, connectionId, paths, failed } = await turnedAway(2);
    for (const name of spooled(core)) await rm(join(core.dataDir, 'spool', name));
    await untilEnded(core, await register(core, connectionId, paths));
    await core.must('jobs.retryAll', { batchId: failed });
    await untilJobs(core, failed, (jobs) => jobs.every(({ pausedBy }) => pausedBy === 'duplicate'));
    expect(timesTaken(service)).toEqual([1, 1]);
  });

  it('applies a decision to the duplicate it was made about, not to the next one', async () => {
    const { core, service, connectionId, paths } = await turnedAway(1);
    await untilEnded(core, await register(core, connectionId, paths));
    const again = await register(core, connectionId, paths);
    const [asking] = await untilJobs(core, again, ([job]) => job?.pausedBy === 'duplicate');
    const jobId = asking?.id ?? '';
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    await core.must('jobs.decide', { jobIds: [jobId], decision: 'send' });
    await untilJobs(core, again, ([job]) => job?.state === 'failed');
    service.control.misbehave(null);
    // Only the duplicate that was decided about.
    expect(await core.must('jobs.sendAgain', { jobId })).toEqual({ count: 1, asking: 0, skipped: 0 });
    await untilEnded(core, again);
    expect(timesTaken(service)).toEqual([2]);
  });

  it('keeps applying a rule to skip', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, names(2));
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    const tokens = await Promise.all(paths.map(async (path) => (await core.core.acceptPath(path)).token));
    const { id: intakeId } = await core.must('files.scan', { tokens, purpose: 'register' });
    const { batchId } = await core.must('documents.register', {
      connectionId,
      intakeId,
      creditType: 1,
      duplicates: { otherwise: 'skip' },
    });
    await untilEnded(core, batchId);
    service.control.misbehave(null);
    await untilEnded(core, await register(core, connectionId, paths));
    expect(await core.must('jobs.retryAll', { batchId })).toEqual({ count: 0, asking: 0, skipped: 2 });
    expect(statesOf(await jobsOf(core, batchId))).toEqual(['passed-over']);
    expect(timesTaken(service)).toEqual([1, 1]);
  });

  it('asks about a document for many people only if the people are the same', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(folder, ['lease.pdf']);
    const request = async (email: string) => {
      const { token } = await core.core.acceptPath(path);
      const given = { kind: 'plain' as const, connectionId, fileToken: token, creditType: 2, emails: [email] };
      return (await core.must('signatures.request', given)).batchId;
    };
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    const failed = [await request('ana@example.com'), await request('bo@example.com')];
    for (const batchId of failed) expect(statesOf(await untilEnded(core, batchId))).toEqual(['failed']);
    service.control.misbehave(null);
    await untilEnded(core, await request('bo@example.com'));
    expect(await core.must('jobs.retryAll', {})).toEqual({ count: 1, asking: 1, skipped: 0 });
    expect(await untilEnded(core, failed[0] ?? '')).toMatchObject([{ state: 'done' }]);
    expect(await jobsOf(core, failed[1])).toMatchObject([{ pausedBy: 'duplicate' }]);
    expect(timesTaken(service)).toEqual([2]);
  });

  it.each(['plain', 'easy-sign', 'easy-sign-template'] as const)(
    'takes people for the same however their addresses are typed, and whatever they are called: %s',
    async (kind) => {
      const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
      const connectionId = await connect(core, service);
      const [path = ''] = await writePdfs(folder, ['lease.pdf']);
      const request = async (email: string, name = 'Bo') => {
        const { token: fileToken } = await core.core.acceptPath(path);
        const people = { connectionId, emails: [email], ...(kind === 'plain' ? {} : { names: [name] }) };
        const what = {
          plain: { kind: 'plain', fileToken, creditType: 2 },
          'easy-sign': { kind: 'easy-sign', fileToken },
          'easy-sign-template': { kind: 'easy-sign-template', templateId: 'TPL-1001' },
        } as const;
        return (await core.must('signatures.request', { ...people, ...what[kind] })).batchId;
      };
      const typed = [
        ['Bo@Example.com', 'bo@example.COM'],
        ['ANDR\u00C9@example.com', 'andr\u00E9@example.com'],
        ['cami\u00F1a@example.com', 'camin\u0303a@example.com'],
      ] as const;
      service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
      const failed: string[] = [];
      for (const [before] of typed) failed.push(await request(before));
      const other = kind === 'plain' ? [] : [await request('eve@example.com', 'eve')];
      for (const batchId of [...failed, ...other])
        expect(statesOf(await untilEnded(core, batchId))).toEqual(['failed']);
      service.control.misbehave(null);
      for (const [, now] of typed) await untilEnded(core, await request(now));
      if (kind !== 'plain') await untilEnded(core, await request('eve@example.com', 'Eve Adams'));
      expect(await core.must('jobs.retryAll', {})).toEqual({ count: 0, asking: 3 + other.length, skipped: 0 });
      for (const [n, [before]] of typed.entries())
        expect(await jobsOf(core, failed[n])).toMatchObject([
          { pausedBy: 'duplicate', sentTo: kind === 'plain' ? before : `${before} Bo` },
        ]);
    },
  );

  it('sends a job in doubt that would repeat only itself, and asks if it would repeat another', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [alone = '', doubled = ''] = await writePdfs(folder, names(2));
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 2 });
    const batchId = await register(core, connectionId, [alone, doubled]);
    expect(statesOf(await untilEnded(core, batchId))).toEqual(['in-doubt']);
    const again = await register(core, connectionId, [doubled]);
    const [asking] = await untilJobs(core, again, ([job]) => job?.pausedBy === 'duplicate');
    await core.must('jobs.decide', { jobIds: [asking?.id ?? ''], decision: 'send' });
    await untilEnded(core, again);
    const [first, second] = await jobsOf(core, batchId);
    expect(await core.must('jobs.sendAgain', { jobId: first?.id ?? '' })).toMatchObject({ count: 1 });
    expect(await core.must('jobs.sendAgain', { jobId: second?.id ?? '' })).toMatchObject({ asking: 1 });
    expect((await untilJobs(core, batchId, ([job]) => job?.state === 'done'))[1]).toMatchObject({
      state: 'waiting',
      pausedBy: 'duplicate',
      duplicateOf: { kind: 'document' },
    });
  });

  it('asks again about a duplicate that was cancelled before a decision', async () => {
    const { core, service, connectionId, paths } = await turnedAway(1);
    await untilEnded(core, await register(core, connectionId, paths));
    const again = await register(core, connectionId, paths);
    const [asking] = await untilJobs(core, again, ([job]) => job?.pausedBy === 'duplicate');
    await core.must('jobs.cancel', { jobId: asking?.id ?? '' });
    expect(await core.must('jobs.sendAgain', { jobId: asking?.id ?? '' })).toMatchObject({ count: 0, asking: 1 });
    expect(timesTaken(service)).toEqual([1]);
  });

  it('holds an allowed duplicate while its batch is paused', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const paths = await writePdfs(folder, names(1));
    await untilEnded(core, await register(core, connectionId, paths));
    const tokens = await Promise.all(paths.map(async (path) => (await core.core.acceptPath(path)).token));
    const { id: intakeId } = await core.must('files.scan', { tokens, purpose: 'register' });
    await core.must('jobs.pause', { what: 'all' });
    const { batchId } = await core.must('documents.register', {
      connectionId,
      intakeId,
      creditType: 1,
      duplicates: { otherwise: 'send' },
    });
    // The pause applies whether or not it is still being copied.
    await core.must('jobs.pause', { what: 'batch', batchId });
    await core.must('jobs.resume', { what: 'all' });
    expect(await untilJobs(core, batchId, ([job]) => job?.state === 'waiting')).toMatchObject([{ pausedBy: 'batch' }]);
    expect(timesTaken(service)).toEqual([1]);
  });

  it('compares a request without a document by its texts', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    const note = async (text: string) => await core.must('service.addQuickNote', { connectionId, message: text });
    service.control.misbehave({ mischief: { kind: 'html', status: 415 } });
    const failed = await note('call back');
    const other = await note('something else');
    expect(statesOf([...(await untilEnded(core, failed.batchId)), ...(await untilEnded(core, other.batchId))])).toEqual(
      ['failed'],
    );
    service.control.misbehave(null);
    await untilEnded(core, (await note('call back')).batchId);
    expect(await core.must('jobs.retryAll', {})).toEqual({ count: 1, asking: 1, skipped: 0 });
    expect((await jobsOf(core, failed.batchId))[0]).toMatchObject({
      pausedBy: 'duplicate',
      duplicateOf: { kind: 'job' },
    });
    expect(await untilEnded(core, other.batchId)).toMatchObject([{ state: 'done' }]);
  });
});
