import { describe, expect, it } from 'vitest';
import type { Job, JobState } from '../../contract/jobs.ts';
import { isFull, recordFault } from '../faults/fault-table.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { sampled } from '../harness/test-length.ts';
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

const names = (count: number) => Array.from({ length: count }, (_each, n) => `file-${n}.pdf`);
const taken = (service: Service) => [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);
const inState = (jobs: readonly Job[], state: JobState) => jobs.filter((job) => job.state === state).length;
const settled = (jobs: readonly Job[]) =>
  jobs.every(({ state, pausedBy }) =>
    state === 'waiting' ? pausedBy === 'connection' : state !== 'prepared' && state !== 'sending',
  );

/** A service that accepts every add and never answers. */
async function losing(count: number, settings: Parameters<typeof connect>[2] = {}, core?: RunningCore) {
  const running = core ?? (await newCore());
  const [service, folder] = [await newService(), await newFolder()];
  const connectionId = await connect(running, service, settings);
  service.control.misbehave({ mischief: { kind: 'drop-after' } });
  const batchId = await register(running, connectionId, await writePdfs(folder, names(count)));
  return { core: running, service, folder, connectionId, batchId };
}

describe('a connection whose answers are all lost', () => {
  const count = isFull ? 200 : 24;

  it.each(sampled([1, 2, 8], { short: 2, ci: 1 }))(
    'has no more jobs in doubt than the limit, sending %i at the same time',
    async (parallel) => {
      const { core, service, connectionId, batchId } = await losing(count, { parallel, timeouts: patient });
      const jobs = await untilJobs(core, batchId, settled, 30_000);
      const inDoubt = inState(jobs, 'in-doubt');
      recordFault({
        fault: `every answer lost, ${parallel} at once`,
        injected: taken(service),
        jobs: count,
        done: inState(jobs, 'done'),
        inDoubt,
      });
      expect(inDoubt).toBe(3);
      expect(taken(service)).toBe(3);
      expect(inState(jobs, 'waiting')).toBe(count - 3);
      expect(jobs.find(({ state }) => state === 'waiting')).toMatchObject({ failure: { detail: 'sending-held' } });
      const { held } = await core.must('jobs.list', {});
      expect(held).toMatchObject([{ connectionId, doubtsInRow: 3, openJobs: count - 3 }]);
      await expect
        .poll(async () => (await core.must('app.info', {})).notices)
        .toMatchObject([{ kind: 'sending-held' }]);

      // A person resumes: one job is sent first, and its lost answer holds the connection again.
      await core.must('jobs.resume', { what: 'connection', connectionId });
      const after = await untilJobs(core, batchId, (all) => inState(all, 'in-doubt') === 4 && settled(all));
      expect(inState(after, 'waiting')).toBe(count - 4);
      expect(taken(service)).toBe(4);
      expect((await core.must('jobs.list', {})).held).toMatchObject([{ doubtsInRow: 4, openJobs: count - 4 }]);

      // When the first job is answered, the others are sent.
      service.control.misbehave({ mischief: { kind: 'delay', ms: 150 }, times: 1 });
      let together = 0;
      const stop = core.listen('jobs.changed', ({ counts }) => {
        if (counts.done === 0) together = Math.max(together, counts.sending);
      });
      await core.must('jobs.resume', { what: 'connection', connectionId });
      const done = await untilEnded(core, batchId, 60_000);
      stop();
      expect(together).toBe(1);
      expect(inState(done, 'done')).toBe(count - 4);
      expect((await core.must('jobs.list', {})).held).toEqual([]);
      expect(taken(service)).toBe(count);
    },
  );

  it('stays held after a restart, and for another program on the same ledger, until a person resumes', async () => {
    const dataDir = await newFolder();
    const keychain = memoryKeychain(new Map());
    const first = await newCore({ dataDir, keychain });
    const { service, folder, connectionId, batchId } = await losing(6, {}, first);
    await untilJobs(first, batchId, settled);
    await first.stop();
    service.control.misbehave(null);
    const core = await newCore({ dataDir, keychain });
    const beside = await newCore({ dataDir, keychain });
    const other = await register(beside, connectionId, await writePdfs(folder, ['other.pdf']));
    await untilJobs(beside, other, ([job]) => job?.pausedBy === 'connection' && job.state === 'waiting');
    await untilJobs(core, batchId, settled);
    expect(taken(service)).toBe(3);
    await core.must('jobs.resume', { what: 'connection', connectionId });
    expect(inState(await untilEnded(core, batchId), 'done')).toBe(3);
    expect(await untilEnded(beside, other)).toMatchObject([{ state: 'done' }]);
    expect(taken(service)).toBe(7);
  });

  it('is held again when the add that was sent ahead is given up before its answer', async () => {
    const dataDir = await newFolder();
    const first = await newCore({ dataDir });
    const { service, connectionId, batchId } = await losing(6, { timeouts: patient }, first);
    await untilJobs(first, batchId, settled);
    service.control.misbehave({ mischief: { kind: 'delay', ms: patient.answerMs }, times: 2 });
    const sent = () => service.control.requests().AddNewDocument;
    const ahead = async (core: RunningCore, inDoubt: number) => {
      await core.must('jobs.resume', { what: 'connection', connectionId });
      const awaited = ({ answerAwaitedSince }: Job) => answerAwaitedSince !== null;
      const sending = (await untilJobs(core, batchId, (jobs) => jobs.some(awaited))).find(awaited);
      await expect.poll(sent).toBe(inDoubt);
      return sending?.id ?? '';
    };
    await first.must('jobs.cancel', { jobId: await ahead(first, 4) });
    await untilJobs(first, batchId, (jobs) => inState(jobs, 'in-doubt') === 4 && settled(jobs));
    await ahead(first, 5);
    await first.stop();
    const core = await newCore({ dataDir });
    await core.must('connections.setCredentials', { id: connectionId, apiKey: service.apiKey, apiSig: service.apiSig });
    await untilJobs(core, batchId, (jobs) => inState(jobs, 'in-doubt') === 5 && settled(jobs));
    expect(sent()).toBe(5);
  });

  it('counts what goes on when a person resumes, without what asks that person something else', async () => {
    const { core, connectionId, folder, batchId } = await losing(5);
    await untilJobs(core, batchId, settled);
    const waiting = async () => (await core.must('jobs.list', {})).held.map(({ openJobs }) => openJobs);
    expect(await waiting()).toEqual([2]);
    const paths = await writePdfs(folder, ['once.pdf']);
    const once = await register(core, connectionId, paths);
    await untilJobs(core, once, ([job]) => job?.state === 'waiting');
    const again = await register(core, connectionId, paths);
    await untilJobs(core, again, ([job]) => job?.pausedBy === 'duplicate');
    expect([await waiting(), (await core.must('jobs.list', {})).askingCount]).toEqual([[3], 1]);
  });

  it('can have its waiting jobs cancelled without those of other connections', async () => {
    const { core, connectionId, folder, batchId } = await losing(5);
    const idle = await connect(core, await newService(), { name: 'Idle' });
    await untilJobs(core, batchId, settled);
    await core.must('jobs.pause', { what: 'all' });
    const others = await register(core, idle, await writePdfs(folder, ['a.pdf', 'b.pdf']));
    expect(await core.must('jobs.cancelWaiting', { connectionId })).toEqual({ count: 2 });
    expect(inState(await jobsOf(core, others), 'cancelled')).toBe(0);
    expect((await core.must('jobs.list', {})).held).toMatchObject([{ connectionId, openJobs: 0 }]);
  });
});

describe('the limit of answers lost in a row', () => {
  it('is a setting of the connection', async () => {
    const { core, batchId } = await losing(8, { parallel: 4, doubtLimit: 5 });
    expect(inState(await untilJobs(core, batchId, settled), 'in-doubt')).toBe(5);
  });

  it('counts from zero after every answer, including a refusal', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { parallel: 1 });
    const lost = { mischief: { kind: 'drop-after' }, times: 2 } as const;
    service.control.misbehave([lost, { mischief: { kind: 'fault', code: 'Client' }, times: 1 }, lost]);
    const batchId = await register(core, connectionId, await writePdfs(folder, names(8)));
    const jobs = await untilEnded(core, batchId);
    expect([inState(jobs, 'in-doubt'), inState(jobs, 'refused'), inState(jobs, 'done')]).toEqual([4, 1, 3]);
  });

  it('does not count jobs that a person cancelled', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { parallel: 1, doubtLimit: 1, timeouts: patient });
    service.control.misbehave({ mischief: { kind: 'delay', ms: patient.answerMs }, times: 1 });
    const batchId = await register(core, connectionId, await writePdfs(folder, names(2)));
    const awaiting = ({ answerAwaitedSince }: Job) => answerAwaitedSince !== null;
    const [sending] = (await untilJobs(core, batchId, (jobs) => jobs.some(awaiting))).filter(awaiting);
    expect(sending?.state).toBe('sending');
    await core.must('jobs.cancel', { jobId: sending?.id ?? '' });
    expect((await untilEnded(core, batchId)).map(({ state }) => state).sort()).toEqual(['done', 'in-doubt']);
    expect((await jobsOf(core, batchId)).filter(awaiting)).toEqual([]);
  });
});
