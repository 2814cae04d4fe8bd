import { describe, expect, it } from 'vitest';
import { assetsDir, memoryKeychain, type RunningCore } from '../harness/core.ts';
import { freePort } from '../harness/free-port.ts';
import { startPractice } from '../harness/practice.ts';
import { atLength } from '../harness/test-length.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

const numbered = (count: number) => Array.from({ length: count }, (_each, n) => `${n}.pdf`);
/** Asks the same service a question. An add syncs its departure first and may arrive later, so tests check the jobs too. */
const settle = (core: RunningCore, connectionId: string) => core.must('service.version', { connectionId });

async function ready(parallel = 2) {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const secrets = new Map<string, string>();
  const keychain = memoryKeychain(secrets);
  const core = await newCore({ dataDir, keychain });
  const connectionId = await connect(core, service, { parallel });
  return { service, folder, dataDir, keychain, core, connectionId };
}

describe('the end of the last job', () => {
  it('is told at once, and not with the next of ten events a second', async () => {
    const [core, service, folder] = [
      await newCore({ pauses: { jobEventsMs: 60_000 } }),
      await newService(),
      await newFolder(),
    ];
    const done = new Set<string>();
    core.listen('jobs.changed', ({ jobs }) => {
      for (const { id, state } of jobs) if (state === 'done') done.add(id);
    });
    const batchId = await register(core, await connect(core, service), await writePdfs(folder, numbered(2)));
    await untilEnded(core, batchId);
    await expect.poll(() => done.size).toBe(2);
  });
});

describe('a pause', () => {
  it('of the whole queue holds jobs that have not left, also after a restart, until it is resumed', async () => {
    const { core, service, folder, dataDir, keychain, connectionId } = await ready();
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, numbered(3)));
    await untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));
    await settle(core, connectionId);
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    expect(await core.must('jobs.list', {})).toMatchObject({ isPaused: true, jobs: [{ pausedBy: 'all' }, {}, {}] });
    await core.stop();
    const again = await newCore({ dataDir, keychain });
    await settle(again, connectionId);
    const jobs = Array.from({ length: 3 }, () => ({ state: 'waiting', pausedBy: 'all' }));
    expect(await again.must('jobs.list', {})).toMatchObject({ jobs });
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    await again.must('jobs.resume', { what: 'all' });
    expect((await untilEnded(again, batchId)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(again.events.filter(({ name }) => name === 'jobs.changed').at(-1)?.value).toMatchObject({
      isPaused: false,
    });
  });

  it('of a batch or a job holds only these, and each resume undoes its own pause', async () => {
    const { core, service, folder, connectionId } = await ready(1);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 400 }, times: 1 });
    const paths = await writePdfs(folder, numbered(6));
    await register(core, connectionId, paths.slice(0, 1));
    const held = await register(core, connectionId, paths.slice(1, 4));
    const free = await register(core, connectionId, paths.slice(4));
    await core.must('jobs.pause', { what: 'batch', batchId: held });
    const [single] = await jobsOf(core, free);
    await core.must('jobs.pause', { what: 'job', jobId: single?.id ?? '' });
    await untilJobs(core, free, ([, other]) => other?.state === 'done');
    await settle(core, connectionId);
    expect((await jobsOf(core, held)).map(({ state, pausedBy }) => [state, pausedBy])).toEqual(
      Array.from({ length: 3 }, () => ['waiting', 'batch']),
    );
    expect((await jobsOf(core, free))[0]).toMatchObject({ state: 'waiting', pausedBy: 'job' });
    const { batches } = await core.must('jobs.batches', {});
    expect(batches.map(({ batchId, pausedCount, counts }) => [batchId === held, pausedCount, counts.done])).toEqual([
      [false, 0, 1],
      [true, 3, 0],
      [false, 0, 1],
    ]);
    await core.must('jobs.resume', { what: 'batch', batchId: held });
    await untilEnded(core, held);
    expect((await jobsOf(core, free))[0]).toMatchObject({ state: 'waiting', pausedBy: 'job' });
    await core.must('jobs.resume', { what: 'job', jobId: single?.id ?? '' });
    await untilEnded(core, free);
    const kinds = (await core.must('jobs.history', { jobId: single?.id ?? '' })).map(({ kind }) => kind);
    expect(kinds).toContain('paused');
    expect(kinds.slice(-5)).toEqual(['resumed', 'sending', 'departed', 'answer-began', 'done']);
  });

  it('of a batch is over once everything that waits in it was cancelled: what is sent again goes', async () => {
    const { core, folder, connectionId } = await ready(1);
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, numbered(2)));
    await core.must('jobs.pause', { what: 'batch', batchId });
    expect(await core.must('jobs.cancelWaiting', { batchId })).toEqual({ count: 2 });
    const [job] = await jobsOf(core, batchId);
    await core.must('jobs.resume', { what: 'all' });
    await core.must('jobs.sendAgain', { jobId: job?.id ?? '' });
    await untilJobs(core, batchId, ([one]) => one?.state === 'done');
  });

  it('is refused for jobs that have left or do not exist', async () => {
    const { core, folder, connectionId } = await ready();
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const [job] = await untilEnded(core, batchId);
    const asked = [
      core.ask('jobs.pause', { what: 'job', jobId: job?.id ?? '' }),
      core.ask('jobs.pause', { what: 'job', jobId: 'nobody' }),
      core.ask('jobs.pause', { what: 'batch', batchId: 'nobody' }),
      core.ask('jobs.history', { jobId: 'nobody' }),
    ];
    expect((await Promise.all(asked)).map((answer) => (answer.ok ? 'ok' : answer.failure.code))).toEqual([
      'bad-input',
      'not-found',
      'not-found',
      'not-found',
    ]);
  });
});

describe('many jobs', () => {
  it('are cancelled before they leave, and sent again by one call', async () => {
    const many = atLength({ short: 40, ci: 40, all: 120 });
    const { core, service, folder, connectionId } = await ready(1);
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, numbered(many)));
    const other = await register(core, connectionId, await writePdfs(folder, ['other.pdf']));
    expect(await core.must('jobs.cancelWaiting', { batchId })).toEqual({ count: many });
    expect((await core.must('jobs.list', {})).counts).toMatchObject({ cancelled: many });
    await core.must('jobs.resume', { what: 'all' });
    await untilEnded(core, other);
    expect([...service.control.addsByHash().values()]).toEqual([1]);
    expect(await core.must('jobs.retryAll', { states: ['cancelled'], batchId })).toEqual({
      count: many,
      asking: 0,
      skipped: 0,
    });
    const jobs = await untilEnded(core, batchId, 60_000);
    expect(jobs.every(({ state }) => state === 'done')).toBe(true);
    expect([...service.control.addsByHash().values()]).toEqual(Array.from({ length: many + 1 }, () => 1));
  });

  it('are never sent again by that call while they are in doubt', async () => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave([
      { mischief: { kind: 'drop-after' }, times: 1 },
      { mischief: { kind: 'fault', code: 'Client' }, times: 1 },
    ]);
    const batchId = await register(core, connectionId, await writePdfs(folder, numbered(2)));
    await untilEnded(core, batchId);
    expect(await core.must('jobs.retryAll', { states: ['failed', 'refused', 'cancelled'] })).toEqual({
      count: 1,
      asking: 0,
      skipped: 0,
    });
    expect((await untilEnded(core, batchId)).map(({ state }) => state).sort()).toEqual(['done', 'in-doubt']);
    expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
  });

  it('leave one slot to small files while huge ones are sent', async () => {
    const { core, service, folder, connectionId } = await ready(2);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 1_500 } });
    const huge = await register(
      core,
      connectionId,
      await writePdfs(folder, ['huge 1.pdf', 'huge 2.pdf', 'huge 3.pdf'], 34_000_000),
    );
    await untilJobs(core, huge, (jobs) => jobs.every(({ state }) => state !== 'prepared'), 20_000);
    expect((await jobsOf(core, huge)).filter(({ state }) => state === 'sending')).toHaveLength(1);
    service.control.misbehave(null);
    const small = await register(core, connectionId, await writePdfs(folder, ['small.pdf']));
    await untilEnded(core, small);
    expect((await jobsOf(core, huge)).filter(({ state }) => state === 'done').length).toBeLessThan(3);
    await untilEnded(core, huge, 20_000);
  }, 60_000);
});

describe('an unreachable service', () => {
  it('is published as backing off with the time of the next attempt, and tried at once on request', async () => {
    const [core, folder, dataDir, port] = [await newCore(), await newFolder(), await newFolder(), await freePort()];
    const first = await startPractice({ dataDir, assetsDir, port });
    const connectionId = await connect(core, first);
    await first.close();
    const batchId = await register(core, connectionId, await writePdfs(folder, numbered(3)));
    await untilJobs(core, batchId, (jobs) => jobs.every(({ failure }) => failure !== null));
    const { backingOff: resting } = await core.until('jobs.changed', ({ backingOff: resting }) => resting.length > 0);
    expect(resting).toMatchObject([{ connectionId, failure: { code: 'service-unreachable' } }]);
    expect(Date.parse(resting[0]?.nextTryAt ?? '')).toBeGreaterThan(Date.now() - 5_000);
    const back = await startPractice({ dataDir, assetsDir, port });
    atEnd(() => back.close());
    const { apiKey, apiSig } = back;
    await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    await core.must('jobs.tryNow', { connectionId });
    expect((await untilEnded(core, batchId)).every(({ state }) => state === 'done')).toBe(true);
    expect((await core.must('jobs.list', {})).backingOff).toEqual([]);
  });

  it('is published as backing off only while jobs of its own wait', async () => {
    const [core, folder, elsewhere] = [await newCore(), await newFolder(), await newService()];
    const gone = await startPractice({ dataDir: await newFolder(), assetsDir });
    const connectionId = await connect(core, gone);
    await gone.close();
    const paths = await writePdfs(folder, numbered(3));
    const batchId = await register(core, connectionId, paths.slice(0, 2));
    await untilJobs(core, batchId, (jobs) => jobs.every(({ failure }) => failure !== null));
    // A job of another connection is none of its own.
    const other = await connect(core, elsewhere, { name: 'Other' });
    await core.must('jobs.pause', { what: 'all' });
    await register(core, other, paths.slice(2));
    expect((await core.must('jobs.list', {})).backingOff).toMatchObject([{ connectionId, openJobs: 2 }]);
    for (const { id } of await jobsOf(core, batchId)) await core.must('jobs.cancel', { jobId: id });
    expect(await core.must('jobs.list', {})).toMatchObject({ backingOff: [], counts: { cancelled: 2 } });
    const { backingOff } = await core.until('jobs.changed', ({ counts }) => counts.cancelled === 2);
    expect(backingOff).toEqual([]);
  });
});
