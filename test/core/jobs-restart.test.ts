import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DuplicateRule } from '../../contract/jobs.ts';
import { identityOf } from '../../electron/core/files/file-stamp.ts';
import type { NewJob } from '../../electron/store/jobs/job-rows.ts';
import { openStore } from '../../electron/store/store.ts';
import { memoryKeychain } from '../harness/core.ts';
import { setOldTime } from '../harness/overwrite.ts';
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

const log = { info: () => undefined, error: () => undefined };

/** Leaves jobs in the ledger as a killed program does. */
async function leave(
  dataDir: string,
  connectionId: string,
  paths: readonly string[],
  isComplete: boolean,
  more: Partial<NewJob> = {},
) {
  const { store } = await openStore({ dataDir, log });
  const batch = store.jobs.beginBatch();
  const job = (path: string) => ({
    id: `left-${path.split('/').at(-1)}`,
    connectionId,
    operation: 'AddNewDocument' as const,
    title: path.split('/').at(-1) ?? '',
    args: { creditType: 1 },
    record: null,
    sourcePath: path,
    imagePath: null,
    imageBytes: 0,
    hasSecret: false,
    sizeBytes: 20_000,
    ...more,
  });
  store.jobs.add(batch, paths.map(job));
  if (isComplete) store.jobs.completeBatch(batch);
  store.close();
  return batch.id;
}

async function ready() {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const keychain = memoryKeychain(new Map());
  const core = await newCore({ dataDir, keychain });
  const connectionId = await connect(core, service);
  return { service, folder, dataDir, keychain, core, connectionId };
}

describe('after a restart', () => {
  it('copies files again that were not copied yet and still exist, and removes half copies', async () => {
    const { folder, dataDir, keychain, core, connectionId } = await ready();
    await core.stop();
    const paths = await writePdfs(folder, ['here.pdf', 'gone.pdf'], 20_000);
    const batchId = await leave(dataDir, connectionId, paths, true);
    await mkdir(join(dataDir, 'spool'), { recursive: true });
    await writeFile(join(dataDir, 'spool', 'left-here.document.part'), pdf('half'));
    await writeFile(join(dataDir, 'spool', 'nobody.document'), pdf('of no job'));
    await rm(paths[1] ?? '');
    const again = await newCore({ dataDir, keychain });
    expect((await untilEnded(again, batchId)).map(({ state, failure }) => [state, failure?.detail])).toEqual([
      ['done', undefined],
      ['failed', 'file-missing'],
    ]);
    await expect.poll(() => readdirSync(join(dataDir, 'spool'))).toEqual([]);
  });

  it.each([
    ['size', (path: string) => utimes(path, 1, 1)],
    ['size and time', (path: string) => rename(`${path}.other`, path)],
  ])(
    'fails unsent if another picture of the same %s took the place of the one that was chosen',
    async (_what, replace) => {
      const { service, folder, dataDir, keychain, core, connectionId } = await ready();
      await core.stop();
      const [sourcePath = ''] = await writePdfs(folder, ['lease.pdf'], 20_000);
      const imagePath = join(folder, 'seal.png');
      await writeFile(imagePath, 'chosen');
      await writeFile(`${imagePath}.other`, 'chased');
      for (const path of [imagePath, `${imagePath}.other`]) setOldTime(path);
      const { mtimeMs: imageModifiedMs } = await stat(imagePath);
      const imageIdentity = identityOf(await stat(imagePath, { bigint: true }));
      const file = {
        sourcePath,
        imagePath,
        imageBytes: 6,
        imageModifiedMs,
        imageIdentity,
        args: { Emails: 'ayla@example.com', ReqOwnerESign: false },
      };
      const batchId = await leave(dataDir, connectionId, [sourcePath], true, {
        operation: 'AddNewEasySignDocument',
        ...file,
      });
      await sleep(20);
      await replace(imagePath);
      const again = await newCore({ dataDir, keychain });
      const [job] = await untilEnded(again, batchId);
      expect([job?.state, job?.failure?.code]).toEqual(['failed', 'file-changed']);
      expect(service.control.requests().AddNewEasySignDocument).toBeUndefined();
      // A person who sends it again means the picture as it is now.
      await again.must('jobs.sendAgain', { jobId: job?.id ?? '' });
      await untilEnded(again, batchId);
      expect(service.control.requests().AddNewEasySignDocument).toBe(1);
    },
  );

  it('removes half copies also where the jobs of earlier runs are left alone', async () => {
    const { dataDir, keychain, core } = await ready();
    await core.stop();
    await mkdir(join(dataDir, 'spool'), { recursive: true });
    const half = `${randomUUID()}.document.${randomUUID()}.10.part`;
    await writeFile(join(dataDir, 'spool', half), pdf('half'));
    await newCore({ dataDir, keychain, resumesQueue: false });
    await expect.poll(() => readdirSync(join(dataDir, 'spool'))).toEqual([]);
  });

  it('removes a batch that was not completely added', async () => {
    const { service, folder, dataDir, keychain, core, connectionId } = await ready();
    await core.stop();
    const batchId = await leave(dataDir, connectionId, await writePdfs(folder, ['a.pdf'], 20_000), false);
    const again = await newCore({ dataDir, keychain });
    await expect.poll(() => jobsOf(again, batchId)).toEqual([]);
    expect((await again.must('jobs.list', {})).counts.prepared).toBe(0);
    expect(service.control.requests().AddNewDocument).toBeUndefined();
  });
});

describe('a second program on the same folder', () => {
  it('does not take the jobs of the first one, and sees how they end', async () => {
    const { service, folder, dataDir, keychain, core, connectionId } = await ready();
    service.control.misbehave({ mischief: { kind: 'delay', ms: 150 } });
    const paths = await writePdfs(folder, ['0.pdf', '1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf', '6.pdf', '7.pdf']);
    const batchId = await register(core, connectionId, paths);
    await untilJobs(core, batchId, (jobs) => jobs.some(({ state }) => state === 'sending'));
    const other = await newCore({ dataDir, keychain });
    const own = await register(other, connectionId, await writePdfs(folder, ['other.pdf']));
    const jobs = await untilEnded(core, batchId);
    await untilEnded(other, own);
    expect((await jobsOf(other, batchId)).map(({ state }) => state)).toEqual(jobs.map(() => 'done'));
    expect([...service.control.addsByHash().values()]).toEqual(Array.from({ length: 9 }, () => 1));
    expect((await core.must('documents.list', {})).total).toBe(9);
  });

  it('lets the first one hear that the register changed, whose counts are on every screen', async () => {
    const { folder, dataDir, keychain, core, connectionId } = await ready();
    const other = await newCore({ dataDir, keychain });
    await untilEnded(other, await register(other, connectionId, await writePdfs(folder, ['other.pdf'])));
    await core.until('documents.changed', () => true);
  });
});

describe('what a killed program left, taken over after the same bytes were registered again', () => {
  const rules = ['send', 'skip'] as const;
  async function leftBehind(rule: (typeof rules)[number], names: readonly string[] = ['left.pdf']) {
    const { service, folder, dataDir, keychain, core, connectionId } = await ready();
    await core.stop();
    const [first = '', ...others] = await writePdfs(folder, [...names, 'again.pdf'], 20_000);
    for (const other of others) await copyFile(first, other);
    const again = await newCore({ dataDir, keychain, resumesQueue: false });
    const send = async (path: string, otherwise: DuplicateRule) => {
      const { id: intakeId } = await scan(again, [path]);
      const given = { connectionId, intakeId, creditType: 1, duplicates: { otherwise } };
      return (await again.must('documents.register', given)).batchId;
    };
    const takeOver = async (batchId: string) => {
      await again.must('jobs.takeOver', { jobIds: (await jobsOf(again, batchId)).map(({ id }) => id) });
      return untilJobs(again, batchId, (jobs) =>
        jobs.every(({ state, pausedBy }) => state === 'done' || state === 'passed-over' || pausedBy === 'duplicate'),
      );
    };
    const leaveAll = () =>
      leave(
        dataDir,
        connectionId,
        names.map((name) => join(folder, name)),
        true,
        { duplicates: rule },
      );
    const [added, requests] = (['AddNewDocument', 'AddNewEasySignTemplate'] as const).map(
      (operation) => () => service.control.requests()[operation],
    ) as [() => unknown, () => unknown];
    const args = { TemplateID: 'TPL-1001', Emails: 'a@example.com', Names: 'A', ReqOwnerESign: false };
    const request = { operation: 'AddNewEasySignTemplate', sourcePath: null, sizeBytes: 0, args } as const;
    const leaveRequest = (name: string) =>
      leave(dataDir, connectionId, [name], true, { ...request, duplicates: 'tell' });
    return {
      core: again,
      file: first,
      other: others.at(-1) ?? '',
      send,
      takeOver,
      leaveAll,
      leaveRequest,
      added,
      requests,
    };
  }
  const heldOrSkipped = { send: { state: 'waiting', pausedBy: 'duplicate' }, skip: { state: 'passed-over' } };

  it.each(rules)('before it was hashed, with the rule to %s: is held, or passed over', async (rule) => {
    const { core, other, send, takeOver, leaveAll, added } = await leftBehind(rule);
    const batchId = await leaveAll();
    const [{ documentId } = {}] = await untilEnded(core, await send(other, 'ask'));
    expect(await takeOver(batchId)).toMatchObject([{ ...heldOrSkipped[rule], duplicateOf: { documentId } }]);
    expect(added()).toBe(1);
  });

  it.each(rules.flatMap((rule) => [[rule, 'all'] as const, [rule, 'job'] as const]))(
    'when it waited, with the rule to %s, and a pause of %s: is held, or passed over',
    async (rule, paused) => {
      const { core, file, other, send, takeOver, added } = await leftBehind(rule);
      await core.must('jobs.pause', { what: 'all' });
      const batchId = await send(file, rule);
      const [{ id: jobId = '' } = {}] = await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
      if (paused === 'job') await core.must('jobs.pause', { what: 'job', jobId });
      // As when its program ends.
      await core.must('jobs.release', { jobIds: [jobId] });
      await core.must('jobs.resume', { what: 'all' });
      const [{ documentId } = {}] = await untilEnded(core, await send(other, 'send'));
      expect(await takeOver(batchId)).toMatchObject([{ ...heldOrSkipped[rule], duplicateOf: { documentId } }]);
      expect(added()).toBe(1);
    },
  );

  it('is held where it is a request of the same people that was made again', async () => {
    const { leaveRequest, takeOver, requests } = await leftBehind('send');
    const [batchId, again] = [await leaveRequest('one'), await leaveRequest('two')];
    expect(await takeOver(again)).toMatchObject([{ state: 'done' }]);
    expect(await takeOver(batchId)).toMatchObject([{ pausedBy: 'duplicate', duplicateOf: { title: 'two' } }]);
    expect(requests()).toBe(1);
  });

  it('is sent as it was told, though the bytes were known before or are twice among it', async () => {
    const names = ['one.pdf', 'two.pdf'];
    const { core, other, send, takeOver, leaveAll, added } = await leftBehind('send', names);
    await untilEnded(core, await send(other, 'ask'));
    const jobs = await takeOver(await leaveAll());
    expect(jobs.map(({ state, duplicateOf }) => [state, duplicateOf !== null])).toEqual(
      names.map(() => ['done', true]),
    );
    expect(added()).toBe(3);
  });
});
