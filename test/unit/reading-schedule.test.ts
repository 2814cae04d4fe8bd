import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../electron/core/context.ts';
import { appError } from '../../electron/core/foundation/app-error.ts';
import {
  createReadingSchedule,
  type ReadingSchedule,
  usualPace,
} from '../../electron/core/signatures/tracking/reading-schedule.ts';

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

  /** A schedule for two lists of the practice service with so many changes at each reading, and when each was read. */
  function practiceSchedule(changes = 0, perHour = 1_000) {
    vi.useFakeTimers();
    const calls: number[] = [];
    const used = () => calls.filter((at) => at > Date.now() - 3_600_000).length;
    const since = Date.now();
    const readAt: string[] = [];
    const lists = [
      { value: 1, name: 'Out for signature' },
      { value: 2, name: 'Signed' },
    ];
    const schedule: ReadingSchedule = createReadingSchedule({
      context: {
        connections: { get: async () => ({ kind: 'practice', credentials: 'none', lists }) },
        budget: {
          take: () => used() < perHour && calls.push(Date.now()) > 0,
          state: () => {
            const at = calls.at(-perHour);
            const freeAt = used() < perHour || at === undefined ? null : new Date(at + 3_600_000).toISOString();
            return { isAutomatic: true, freeAt, used: used(), perHour };
          },
        },
        ports: { log: { info: () => undefined, error: () => undefined } },
        store: { tracked: { listState: () => null } },
      } as unknown as Context,
      pace: usualPace,
      isAutomatic: true,
      onDue: async (connectionId, listType) => {
        readAt.push(`${listType} at ${Math.round((Date.now() - since) / 1_000)} s`);
        schedule.read(connectionId, listType, { changes, failure: null });
      },
      publish: () => undefined,
    });
    return { schedule, readAt, used };
  }

  it('reads all lists soon after a request was sent, then less and less often', async () => {
    const { schedule, readAt } = practiceSchedule();
    schedule.sent('practice', false);
    await vi.advanceTimersByTimeAsync(240_000);
    await schedule.close();
    expect(readAt.filter((text) => text.startsWith('1'))).toEqual([
      '1 at 5 s',
      '1 at 25 s',
      '1 at 105 s',
      '1 at 225 s',
    ]);
    expect(readAt).toHaveLength(8);
  });

  it('reads the lists a few times while one request is sent after the other, and soon after one that follows a pause', async () => {
    const { schedule, readAt } = practiceSchedule(1);
    for (let second = 0; second < 140; second += 1) {
      schedule.sent('practice', false);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await vi.advanceTimersByTimeAsync(210_000);
    schedule.sent('practice', false);
    await vi.advanceTimersByTimeAsync(10_000);
    await schedule.close();
    const times = [5, 25, 105, 225, 345, 355];
    expect(readAt.filter((text) => text.startsWith('1'))).toEqual(times.map((at) => `1 at ${at} s`));
  });

  it('leaves calls for the lists of what a person waits for while a bulk is sent, however long', async () => {
    const { schedule, readAt, used } = practiceSchedule(1, 24);
    const mostUsed: number[] = [];
    for (let second = 0; second < 3 * 3_600; second += 5) {
      schedule.sent('practice', true);
      await vi.advanceTimersByTimeAsync(5_000);
      mostUsed.push(used());
    }
    expect(Math.max(...mostUsed)).toBeGreaterThanOrEqual(12);
    expect(Math.max(...mostUsed)).toBeLessThan(24);
    // What a person sends meanwhile is read as soon as without the bulk.
    readAt.length = 0;
    schedule.sent('practice', false);
    schedule.sent('practice', true);
    await vi.advanceTimersByTimeAsync(125_000);
    await schedule.close();
    expect(readAt).toHaveLength(2);
  });

  it('does not read a list again and again until what is expected of it is due, although the lists stay as they are', async () => {
    const { schedule, readAt, used } = practiceSchedule(0, 32);
    for (let second = 0; second < 1_200; second += 5) {
      schedule.sent('practice', true);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    await vi.advanceTimersByTimeAsync(2_400_000);
    await schedule.close();
    const times = [5, 25, 105, 225, 345, 465, 585, 705, 1_305];
    expect(readAt.filter((text) => text.startsWith('1'))).toEqual(times.map((at) => `1 at ${at} s`));
    expect(used()).toBe(2 * times.length);
  });

  it('leaves a part of the hour for later although every reading of three connections brings changes', async () => {
    const { schedule, used } = practiceSchedule(1, 120);
    const mostUsed: number[] = [];
    for (let second = 0; second < 2 * 3_600; second += 60) {
      for (const connectionId of ['one', 'two', 'three']) schedule.looked(connectionId);
      if (second === 0) for (const connectionId of ['one', 'two', 'three']) schedule.sent(connectionId, false);
      await vi.advanceTimersByTimeAsync(60_000);
      mostUsed.push(used());
    }
    await schedule.close();
    expect(Math.max(...mostUsed)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...mostUsed)).toBeLessThan(100);
  });

  it('plans no reading before a call is left', async () => {
    const { schedule } = practiceSchedule(1, 1);
    schedule.sent('practice', false);
    await vi.advanceTimersByTimeAsync(5_000);
    const free = Date.now() + 3_600_000;
    expect(schedule.view('practice', 1).nextAt).toBe(new Date(free).toISOString());
    schedule.read('practice', 1, { changes: 1, failure: null });
    expect(schedule.view('practice', 1).nextAt).toBe(new Date(free).toISOString());
    await schedule.close();
  });

  it('reads a list soon after a request although a person opened it before the service listed the request', async () => {
    const { schedule, readAt } = practiceSchedule();
    schedule.sent('practice', false);
    await vi.advanceTimersByTimeAsync(1_000);
    schedule.read('practice', 1, { changes: 0, failure: null });
    await vi.advanceTimersByTimeAsync(29_000);
    await schedule.close();
    expect(readAt.filter((text) => text.startsWith('1'))).toEqual(['1 at 5 s', '1 at 25 s']);
  });
});
