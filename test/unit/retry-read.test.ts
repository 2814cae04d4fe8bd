import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { retryRead } from '../../electron/core/foundation/backoff.ts';

it.each([
  ['is repeated as often as asked', 3, {}],
  ['that took long is not repeated: a silent service is waited for once', 1, { withinMs: 10 }],
  ['is not repeated where that could cost something', 1, { mayRepeat: () => false }],
])('a read without an answer %s', async (_what, times, how) => {
  let tried = 0;
  const read = async () => {
    tried += 1;
    await sleep(20);
    throw appError('service-timeout', 'no answer', { detail: 'no-answer-in-time' });
  };
  await expect(retryRead(read, { tries: 3, baseMs: 1, ...how })).rejects.toThrow();
  expect(tried).toBe(times);
});
