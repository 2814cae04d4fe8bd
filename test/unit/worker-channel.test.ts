import { afterEach, expect, it } from 'vitest';
import { startWorker, type WorkerChannel } from '../../electron/core/foundation/worker-channel.ts';
import type { TrialActions } from '../harness/trial-worker.ts';

let worker: WorkerChannel<TrialActions>;
const start = () => {
  worker = startWorker<TrialActions>(new URL('../harness/trial-worker.ts', import.meta.url));
  return worker;
};
afterEach(() => worker.end());

it('answers one by one, in the order of the requests', async () => {
  const { ask } = start();
  const answers = await Promise.all([ask('later', 'a', 50), ask('later', 'b', 0), ask('later', 'c', 0)]);
  expect(answers).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
});

it('rejects with the failure or the error that an action threw, and answers the next request', async () => {
  const { ask } = start();
  await expect(ask('fail')).rejects.toMatchObject({ failure: { code: 'storage-full', detail: 'drive-error' } });
  await expect(ask('missing')).rejects.toMatchObject({ name: 'TypeError', code: 'ENOENT', message: 'not there' });
  await expect(ask('later', 'a', 0)).resolves.toEqual(['a']);
});

it('rejects with bug all requests that an ended worker did not answer, and all later ones', async () => {
  const { ask, isOver } = start();
  const unanswered = [ask('exit'), ask('later', 'a', 0)];
  for (const each of unanswered) await expect(each).rejects.toMatchObject({ failure: { code: 'bug' } });
  expect(isOver()).toBe(true);
  await expect(ask('later', 'b', 0)).rejects.toMatchObject({ failure: { code: 'bug' } });
});

it('ends after the requests made before', async () => {
  const { ask, end } = start();
  const answer = ask('later', 'a', 50);
  await Promise.all([end(), expect(answer).resolves.toEqual(['a'])]);
});

it('rejects an input that cannot be copied without losing the order', async () => {
  const { ask } = start();
  const uncopyable = (() => undefined) as unknown as string;
  await expect(ask('later', uncopyable, 0)).rejects.toThrow();
  await expect(ask('later', 'a', 0)).resolves.toEqual(['a']);
});

it('is killed in the midst of its work, which is rejected', async () => {
  const { ask, kill, isOver } = start();
  const unanswered = ask('later', 'a', 60_000);
  await Promise.all([kill(), expect(unanswered).rejects.toMatchObject({ failure: { code: 'bug' } })]);
  expect(isOver()).toBe(true);
});
