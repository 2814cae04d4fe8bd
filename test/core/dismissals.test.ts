import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import type { RunningCore } from '../harness/core.ts';
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
