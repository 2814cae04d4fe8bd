import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

/** A service that refuses, and one refused document. */
async function refused(undoMs: number) {
  const [dataDir, service, folder] = [await newFolder(), await newService(), await newFolder()];
  const core = await newCore({ dataDir, pauses: { ...usualPauses, undoMs } });
  const connectionId = await connect(core, service);
  service.control.misbehave({ mischief: { kind: 'answer', text: '-123' } });
  const [job] = await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['Lease.pdf'])));
  service.control.misbehave(null);
  const jobIds = [job?.id ?? ''];
  expect(job?.state).toBe('refused');
  return { dataDir, core, service, jobIds };
}

const spooled = async (dataDir: string) => (await readdir(join(dataDir, 'spool'))).length;
const listed = async (core: RunningCore) => (await core.must('jobs.list', {})).jobs.map(({ state }) => state);

it('what was dismissed is put back with its copy, and can be sent then', async () => {
  const { dataDir, core, jobIds } = await refused(60_000);
  await core.must('jobs.dismiss', { jobIds });
  expect(await listed(core)).toEqual([]);
  expect(await core.must('jobs.restoreDismissed', { jobIds })).toEqual({ count: 1 });
  expect(await listed(core)).toEqual(['refused']);
  expect((await core.must('jobs.list', {})).counts.refused).toBe(1);
  expect(await spooled(dataDir)).toBe(1);
  // Once is enough: it is no longer dismissed.
  expect(await core.must('jobs.restoreDismissed', { jobIds })).toEqual({ count: 0 });
  await core.must('jobs.sendAgain', { jobId: jobIds[0] ?? '' });
  await expect.poll(() => listed(core)).toEqual(['done']);
});

it('after a while its copy is removed and it cannot be put back', async () => {
  const { dataDir, core, jobIds } = await refused(20);
  await core.must('jobs.dismiss', { jobIds });
  await expect.poll(() => spooled(dataDir)).toBe(0);
  expect(await core.must('jobs.restoreDismissed', { jobIds })).toEqual({ count: 0 });
  expect(await listed(core)).toEqual([]);
});

it('a program that ends removes the copies that it still keeps', async () => {
  const { dataDir, core, jobIds } = await refused(60_000);
  await core.must('jobs.dismiss', { jobIds });
  await core.core.close();
  expect(await spooled(dataDir)).toBe(0);
});

it('what is dismissed while another program takes the database is put back as a whole', async () => {
  const [dataDir, service, folder] = [await newFolder(), await newService(), await newFolder()];
  const kept = memoryKeychain(new Map());
  let hold = () => undefined as unknown;
  const keychain = { ...kept, remove: (account: string) => Promise.resolve(hold()).then(() => kept.remove(account)) };
  const core = await newCore({ dataDir, keychain, host: 'desktop', pauses: { ...usualPauses, undoMs: 60_000 } });
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, ['Lease.pdf']);
  const fileToken = (await core.core.acceptPath(path)).token;
  await core.must('jobs.pause', { what: 'all' });
  for (const at of [1, 2, 3]) {
    const emails = [`ayla${at}@example.com`];
    const given = { kind: 'plain', connectionId, fileToken, creditType: 1, emails, secretWord: 'cucumber' } as const;
    await core.must('signatures.request', given);
  }
  await core.must('jobs.cancelWaiting', {});
  const jobIds = (await core.must('jobs.list', {})).jobs.map(({ id }) => id);
  // Taken right after the first secret word was forgotten, for longer than a window waits within one write.
  const other = openSql(join(dataDir, 'sealdesk.db'));
  hold = () => {
    hold = () => undefined;
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => {
      other.exec('COMMIT');
      other.close();
    }, 400);
  };
  await core.must('jobs.dismiss', { jobIds });
  expect(await listed(core)).toEqual([]);
  expect(await core.must('jobs.restoreDismissed', { jobIds })).toEqual({ count: 3 });
  expect(await listed(core)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});
