import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../electron/core/files/file-stamp.ts';
import type { NewJob } from '../../electron/store/jobs/job-rows.ts';
import { openStore } from '../../electron/store/store.ts';
import { setOldTime } from '../harness/overwrite.ts';
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
  const secrets = new Map<string, string>();
  const keychain = {
    get: async (account: string) => secrets.get(account) ?? null,
    set: async (account: string, secret: string) => void secrets.set(account, secret),
    remove: async (account: string) => void secrets.delete(account),
  };
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
});
