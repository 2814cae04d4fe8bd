import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  pdf,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { balance, finished, kill, namesOf, newRun, runQueue } from './fault-runs.ts';
import { isFull, tellFault } from './fault-table.ts';

const rounds = isFull ? 30 : 1;
const files = 40;
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function* bytesOf(content: Buffer) {
  yield content;
}

/** As a mail program drops them: bytes without a path. Answers the batch. */
async function registerBytes(core: RunningCore, connectionId: string, contents: ReadonlyMap<string, Buffer>) {
  const tokens: string[] = [];
  for (const [name, content] of contents) tokens.push((await core.core.acceptStream(name, bytesOf(content))).token);
  const intake = await core.must('files.scan', { tokens, purpose: 'register' });
  return (await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 })).batchId;
}

const contentsOf = (names: readonly string[]) => new Map(names.map((name) => [name, pdf(name)]));

describe('files that came as bytes', () => {
  it('are sent after an orderly end and a start', async () => {
    const sums = { done: 0, missing: 0 };
    for (let round = 0; round < rounds; round++) {
      const [service, dataDir] = [await newService(), await newFolder()];
      const keychain = memoryKeychain(new Map());
      service.control.misbehave({ mischief: { kind: 'delay', ms: 20 } });
      const first = await newCore({ dataDir, keychain });
      const connectionId = await connect(first, service);
      const batchId = await registerBytes(first, connectionId, contentsOf(namesOf(files)));
      await moment(100);
      await first.stop();
      service.control.misbehave([]);
      const second = await newCore({ dataDir, keychain });
      const jobs = await untilEnded(second, batchId, 30_000);
      sums.done += jobs.filter(({ state }) => state === 'done').length;
      sums.missing += jobs.filter(({ failure }) => failure?.code === 'file-unreadable').length;
      expect(jobs.length).toBe(files);
      // Adds that were under way when the program ended are in doubt: nothing else may be.
      expect(jobs.map(({ state }) => state)).not.toContain('failed');
      await second.stop();
      // A person may send those in doubt again.
      const kept = readdirSync(join(dataDir, 'arrived')).flatMap((run) => readdirSync(join(dataDir, 'arrived', run)));
      expect(kept.length).toBe(jobs.filter(({ state }) => state === 'in-doubt').length);
    }
    const inDoubt = files * rounds - sums.done;
    tellFault({
      ...{ fault: 'dropped as bytes, orderly end at once', injected: rounds, jobs: files * rounds },
      ...{ done: sums.done, inDoubt, lost: sums.missing, doubled: 0 },
    });
    expect(sums.missing).toBe(0);
  }, 600_000);

  it('are sent again after they were refused and the program was started anew', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const keychain = memoryKeychain(new Map());
    service.control.misbehave({ mischief: { kind: 'answer', text: '-115' }, times: 10 });
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    const batchId = await registerBytes(first, connectionId, contentsOf(namesOf(10)));
    expect((await untilEnded(first, batchId)).map(({ state }) => state)).toEqual(Array(10).fill('refused'));
    await first.stop();
    const second = await newCore({ dataDir, keychain });
    expect(await second.must('jobs.retryAll', { states: ['refused'], batchId })).toMatchObject({ count: 10 });
    expect((await untilEnded(second, batchId)).map(({ state }) => state)).toEqual(Array(10).fill('done'));
    await second.stop();
    expect(readdirSync(join(dataDir, 'arrived'))).toEqual([]);
    expect(readdirSync(join(dataDir, 'spool'))).toEqual([]);
  });

  it('are sent after kill -9 at any moment after they were taken in', async () => {
    const names = namesOf(20);
    const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
    for (let round = 0; round < rounds; round++) {
      const { service, folder, dataDir, env } = await newRun(names, 20);
      const child = runQueue({ ...env, FOLDER: folder, AS_BYTES: '1' });
      await child.said('ready');
      await moment(Math.random() * 150);
      await kill(child);
      expect(await finished(runQueue(env))).toBe(true);
      const core = await newCore({ dataDir });
      const sum = await balance(service, folder, await jobsOf(core));
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
      await core.stop();
    }
    tellFault({ fault: 'dropped as bytes, kill -9', injected: rounds, ...sums });
    expect(sums).toMatchObject({ jobs: names.length * rounds, lost: 0, doubled: 0 });
    expect(sums.done + sums.inDoubt).toBe(sums.jobs);
  }, 600_000);

  it('leave nothing behind where the program was killed while they were taken in', async () => {
    for (let round = 0; round < (isFull ? 30 : 2); round++) {
      const { service, folder, dataDir, env } = await newRun(namesOf(20), 20);
      const child = runQueue({ ...env, FOLDER: folder, AS_BYTES: '1' });
      await child.said('registering');
      await moment(Math.random() * 10);
      await kill(child);
      const core = await newCore({ dataDir });
      const { total } = await core.must('jobs.list', {});
      // All of the batch or nothing of it.
      expect([0, 20]).toContain(total);
      if (total === 0) {
        await expect.poll(() => readdirSync(join(dataDir, 'arrived'))).toEqual([]);
        const spool = join(dataDir, 'spool');
        await expect.poll(() => (existsSync(spool) ? readdirSync(spool) : [])).toEqual([]);
        expect([...service.control.addsByHash().values()]).toEqual([]);
      }
      await core.stop();
    }
  }, 600_000);

  it('go out as document and image of a request whose draft is gone, after a start', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const keychain = memoryKeychain(new Map());
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    const token = async (name: string, content: Buffer) =>
      (await first.core.acceptStream(name, bytesOf(content))).token;
    const content = {
      ...{ kind: 'easy-sign' as const, fileToken: await token('lease.pdf', pdf('lease')) },
      imageToken: await token('seal.png', Buffer.from('89504e470d0a1a0a', 'hex')),
    };
    const draft = await first.must('drafts.save', { connectionId, content });
    const { fileToken, imageToken } = (await first.must('drafts.get', { id: draft.id })).content;
    await first.must('jobs.pause', { what: 'all' });
    const { batchId } = await first.must('signatures.request', {
      ...{ kind: 'easy-sign', connectionId, fileToken: fileToken ?? '', imageToken: imageToken ?? '' },
      ...{ emails: ['a@example.org'], names: ['A'], documentName: 'Lease' },
    });
    await first.must('drafts.remove', { id: draft.id });
    await first.stop();
    const second = await newCore({ dataDir, keychain });
    await second.must('jobs.resume', { what: 'all' });
    expect(await untilEnded(second, batchId)).toMatchObject([{ state: 'done' }]);
  });

  it('of which one goes out with several jobs are not written into by the next one of a draft', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir });
    const connectionId = await connect(core, service);
    const one = await core.core.acceptStream('a.pdf', bytesOf(pdf('first')));
    const other = await core.core.acceptStream('a.pdf', bytesOf(pdf('second')));
    const save = (id: string | undefined, fileToken: string) =>
      core.must('drafts.save', { id, connectionId, content: { kind: 'plain', fileToken } });
    const { id } = await save(undefined, one.token);
    const { fileToken } = (await core.must('drafts.get', { id })).content;
    await core.must('jobs.pause', { what: 'all' });
    const request = {
      kind: 'plain',
      connectionId,
      fileToken: fileToken ?? '',
      emails: ['a@example.org'],
      creditType: 1,
    };
    const { batchId, jobId } = await core.must('signatures.request', { ...request, kind: 'plain' });
    await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
    await save(id, other.token);
    expect(await readFile(join(dataDir, 'spool', `${jobId}.document`))).toEqual(pdf('first'));
    expect(await readFile(join(dataDir, 'drafts', id, 'document'))).toEqual(pdf('second'));
  });

  it('stay a job’s own where there are files of a folder beside them', async () => {
    const [service, dataDir, folder] = [await newService(), await newFolder(), await newFolder()];
    const core = await newCore({ dataDir });
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(folder, ['on-disk.pdf']);
    const tokens = [
      (await core.core.acceptPath(path)).token,
      (await core.core.acceptStream('mail.pdf', bytesOf(pdf('mail')))).token,
    ];
    const intake = await core.must('files.scan', { tokens, purpose: 'register' });
    const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    expect((await untilEnded(core, batchId)).map(({ state }) => state)).toEqual(['done', 'done']);
  });
});
