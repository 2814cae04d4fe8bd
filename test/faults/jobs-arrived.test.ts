import { readdirSync } from 'node:fs';
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
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { balance, balanceOf, finished, kill, namesOf, newRun, runQueue, sha256 } from './fault-runs.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';

const rounds = isFull ? 30 : 1;
const files = isFull ? 40 : 20;
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function* bytesOf(content: Buffer) {
  yield content;
}

/** Registers files as mail programs drop them, as bytes without a path. Resolves with the batch. */
async function registerBytes(core: RunningCore, connectionId: string, contents: ReadonlyMap<string, Buffer>) {
  const tokens: string[] = [];
  for (const [name, content] of contents) tokens.push((await core.core.acceptStream(name, bytesOf(content))).token);
  const intake = await core.must('files.scan', { tokens, purpose: 'register' });
  return (await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 })).batchId;
}

/** Copies without a job stay while the ledger has no job at all, because it may have lost them: they are removed at the first start after that. */
async function expectClearedUp(core: RunningCore, dataDir: string, folder: string): Promise<void> {
  const { currentId } = await core.must('connections.state', {});
  const [path = ''] = await writePdfs(folder, ['later.pdf']);
  await untilEnded(core, await register(core, currentId ?? '', [path]), waitMs);
  await core.stop();
  const next = await newCore({ dataDir });
  await expect.poll(() => readdirSync(join(dataDir, 'spool'))).toEqual([]);
  await next.stop();
}

const contentsOf = (names: readonly string[]) => new Map(names.map((name) => [name, pdf(name)]));

describe('files that came as bytes', () => {
  it(
    'are sent after an orderly end and a restart',
    async () => {
      const contents = contentsOf(namesOf(files));
      const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
      for (let round = 0; round < rounds; round++) {
        const [service, dataDir] = [await newService(), await newFolder()];
        const keychain = memoryKeychain(new Map());
        service.control.misbehave({ mischief: { kind: 'delay', ms: 20 } });
        const first = await newCore({ dataDir, keychain });
        const connectionId = await connect(first, service);
        const batchId = await registerBytes(first, connectionId, contents);
        await moment(100);
        await first.stop();
        service.control.misbehave([]);
        const second = await newCore({ dataDir, keychain });
        const jobs = await untilEnded(second, batchId, waitMs);
        const hashes = new Map([...contents].map(([name, bytes]) => [name, sha256(bytes)]));
        const sum = balanceOf(service, hashes, jobs);
        for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
        expect(jobs.filter(({ failure }) => failure?.code === 'file-unreadable')).toEqual([]);
        expect(jobs.length).toBe(files);
        // Only adds that were being sent when the program ended may be in doubt.
        expect(jobs.map(({ state }) => state)).not.toContain('failed');
        await second.stop();
        // Copies of jobs in doubt stay, because a person may send these again.
        const kept = readdirSync(join(dataDir, 'arrived')).flatMap((run) => readdirSync(join(dataDir, 'arrived', run)));
        expect(kept.length).toBe(jobs.filter(({ state }) => state === 'in-doubt').length);
      }
      recordFault({ fault: 'dropped as bytes, orderly end at once', injected: rounds, ...sums });
      expect(sums).toMatchObject({ jobs: files * rounds, lost: 0, doubled: 0 });
      expect(sums.done + sums.inDoubt).toBe(sums.jobs);
    },
    limitMs,
  );

  it('are sent again after they were refused and the program was restarted', async () => {
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

  it(
    'are sent after kill -9 at any moment after they were accepted',
    async () => {
      const names = namesOf(20);
      let injected = 0;
      const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
      for (let round = 0; round < rounds; round++) {
        const { service, folder, dataDir, env } = await newRun(names, 20);
        const child = runQueue({ ...env, FOLDER: folder, AS_BYTES: '1' });
        await child.said('ready');
        await moment(Math.random() * 150);
        if (await kill(child)) injected += 1;
        expect(await finished(runQueue(env))).toBe(true);
        const core = await newCore({ dataDir });
        const sum = await balance(service, folder, await jobsOf(core));
        for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
        await core.stop();
      }
      recordFault({ fault: 'dropped as bytes, kill -9', injected, ...sums });
      expect(injected).toBeGreaterThan(0);
      expect(sums).toMatchObject({ jobs: names.length * rounds, lost: 0, doubled: 0 });
      expect(sums.done + sums.inDoubt).toBe(sums.jobs);
    },
    limitMs,
  );

  it(
    'leave nothing behind if the program is killed while they are accepted',
    async () => {
      const kills = isFull ? 30 : 2;
      let empty = 0;
      // On a busy machine the kill may come too late: then there are more, until one came in time.
      for (let n = 0; n < kills || (empty === 0 && n < 4 * kills); n++) {
        const { service, folder, dataDir, env } = await newRun(namesOf(20), 20);
        const child = runQueue({ ...env, FOLDER: folder, AS_BYTES: '1' });
        await child.said('registering');
        await moment(Math.random() * 10);
        await kill(child);
        const core = await newCore({ dataDir });
        const { total } = await core.must('jobs.list', {});
        // The batch is complete or empty.
        expect([0, 20]).toContain(total);
        if (total === 0) {
          empty += 1;
          await expect.poll(() => readdirSync(join(dataDir, 'arrived'))).toEqual([]);
          expect([...service.control.addsByHash().values()]).toEqual([]);
          await expectClearedUp(core, dataDir, folder);
        }
        await core.stop();
      }
      expect(empty).toBeGreaterThan(0);
    },
    limitMs,
  );

  it('are sent as document and image of a request whose draft was removed, after a restart', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const keychain = memoryKeychain(new Map());
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    const token = async (name: string, content: Buffer) =>
      (await first.core.acceptStream(name, bytesOf(content))).token;
    const content = {
      kind: 'easy-sign' as const,
      fileToken: await token('lease.pdf', pdf('lease')),
      imageToken: await token('seal.png', Buffer.from('89504e470d0a1a0a', 'hex')),
    };
    const draft = await first.must('forms.save', { place: 'draft', connectionId, content });
    const { fileToken, imageToken } = (await first.must('forms.open', { id: draft.id })).content;
    await first.must('jobs.pause', { what: 'all' });
    const { batchId } = await first.must('signatures.request', {
      kind: 'easy-sign',
      connectionId,
      fileToken: fileToken ?? '',
      imageToken: imageToken ?? '',
      emails: ['a@example.org'],
      names: ['A'],
      documentName: 'Lease',
    });
    await first.must('forms.remove', { id: draft.id });
    await first.stop();
    const second = await newCore({ dataDir, keychain });
    await second.must('jobs.resume', { what: 'all' });
    expect(await untilEnded(second, batchId)).toMatchObject([{ state: 'done' }]);
  });

  it('and are used by a job are not overwritten when the draft gets another file', async () => {
    const [service, dataDir] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir });
    const connectionId = await connect(core, service);
    const one = await core.core.acceptStream('a.pdf', bytesOf(pdf('first')));
    const other = await core.core.acceptStream('a.pdf', bytesOf(pdf('second')));
    const save = (id: string | undefined, fileToken: string) =>
      core.must('forms.save', { place: 'draft', id, connectionId, content: { kind: 'plain', fileToken } });
    const { id } = await save(undefined, one.token);
    const { fileToken } = (await core.must('forms.open', { id })).content;
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

  it('stay with their own job beside files from a folder', async () => {
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
