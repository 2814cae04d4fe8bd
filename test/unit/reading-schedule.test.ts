import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../electron/core/context.ts';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { createReadingSchedule, usualPace } from '../../electron/core/signatures/tracking/reading-schedule.ts';

describe('the schedule of lists', () => {
  afterEach(() => void vi.useRealTimers());

  it('waits for the next interval if the call cannot be counted', async () => {
    vi.useFakeTimers();
    let tries = 0;
    const schedule = createReadingSchedule({
      context: {
        connections: { get: async () => ({ kind: 'service', credentials: 'keychain', lists: [] }) },
        budget: {
          take: () => {
            tries += 1;
            throw appError('storage-full', 'the budget cannot be stored');
          },
          state: () => ({ isAutomatic: true, freeAt: null }),
        },
        ports: { log: { info: () => undefined, error: () => undefined } },
      } as unknown as Context,
      pace: { ...usualPace, leastMs: 60_000, mostMs: 60_000 },
      isAutomatic: true,
      onDue: async () => undefined,
      publish: () => undefined,
    });
    schedule.read('connection', 1, { changes: 1, failure: null });
    await vi.advanceTimersByTimeAsync(10 * 60_000 + 1_000);
    await schedule.close();
    expect(tries).toBe(10);
  });
});
