import { afterEach, describe, expect, it, vi } from 'vitest';
import { appError, failureOf } from '../../electron/core/foundation/app-error.ts';
import { createAuditClock } from '../../electron/core/verify/audits.ts';
import type { StoredAudit } from '../../electron/store/verify/verify-runs.ts';

describe('a planned audit', () => {
  afterEach(() => void vi.useRealTimers());

  it('that cannot be started is tried again once a minute', async () => {
    vi.useFakeTimers();
    const audit = { next_at: new Date(Date.now() - 1_000).toISOString() } as StoredAudit;
    let tries = 0;
    const codes: (string | undefined)[] = [];
    const clock = createAuditClock({
      due: () => [audit],
      start: async () => {
        tries += 1;
        if (tries <= 100) throw appError('storage-full', 'the next time cannot be stored');
      },
      onFailure: (error) => codes.push(failureOf(error)?.code),
    });
    clock.arm();
    await vi.advanceTimersByTimeAsync(5 * 60_000 + 1_000);
    clock.stop();
    expect(codes).toEqual(Array(6).fill('storage-full'));
    expect(tries).toBe(6);
  });
});
