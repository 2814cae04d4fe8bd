import { expect, it } from 'vitest';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const numbered = (count: number) => Array.from({ length: count }, (_each, n) => `${n}.pdf`);

/** Most jobs that were being sent at the same time, by the published states since this was called. */
function watchMost(core: RunningCore) {
  let most = 0;
  core.listen('jobs.changed', ({ counts }) => {
    most = Math.max(most, counts.sending);
  });
  return { most: () => most, reset: () => (most = 0) };
}

it('sends no more files at once than the person allows, over all connections together', async () => {
  const [one, other] = [await newService(), await newService()];
  for (const { control } of [one, other]) control.misbehave({ mischief: { kind: 'delay', ms: 150 }, times: 100 });
  const [core, folder, folder2] = [await newCore(), await newFolder(), await newFolder()];
  await core.must('app.setPreferences', { atOnce: 2 });
  const first = await connect(core, one, { name: 'One', parallel: 4 });
  const second = await connect(core, other, { name: 'Other', parallel: 4 });
  const watched = watchMost(core);
  const batches = [
    await register(core, first, await writePdfs(folder, numbered(6))),
    await register(core, second, await writePdfs(folder2, numbered(6))),
  ];
  for (const batchId of batches)
    expect((await untilEnded(core, batchId)).map(({ state }) => state)).toEqual(Array(6).fill('done'));
  expect(watched.most()).toBe(2);
});

it('obeys a change while files are being sent, in both directions', async () => {
  const service = await newService();
  service.control.misbehave({ mischief: { kind: 'delay', ms: 200 }, times: 100 });
  const [core, folder] = [await newCore(), await newFolder()];
  await core.must('app.setPreferences', { atOnce: 1 });
  const connectionId = await connect(core, service, { parallel: 6, doubtLimit: 10 });
  const watched = watchMost(core);
  const batchId = await register(core, connectionId, await writePdfs(folder, numbered(30)));
  const done = async () => (await core.must('jobs.list', { batchId, limit: 100 })).counts.done;
  await expect.poll(done, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(watched.most()).toBe(1);

  await core.must('app.setPreferences', { atOnce: 5 });
  await expect.poll(watched.most, { timeout: 5_000 }).toBe(5);

  await core.must('app.setPreferences', { atOnce: 2 });
  // Those that are under way end; no more than two follow.
  await expect.poll(async () => (await core.must('jobs.list', {})).counts.sending).toBeLessThanOrEqual(2);
  watched.reset();
  await untilEnded(core, batchId);
  expect(watched.most()).toBeLessThanOrEqual(2);
});
