import { afterEach, describe, expect, it, vi } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { createPatience } from '../../electron/core/foundation/retry-while-busy.ts';
import { type LiveRunOrder, runVerification } from '../../electron/core/verify/run-verification.ts';
import type { VerifyContext } from '../../electron/core/verify/verify-context.ts';

/** A run without any file: `flush` and `onEnd` are called when it ends. */
function runWithoutFiles({ flush, onEnd }: { readonly flush: () => void; readonly onEnd: () => void }) {
  const stopping = new AbortController();
  const log = { info: () => undefined, error: () => undefined };
  const context = {
    store: { verifyFiles: { todo: () => [] } },
    emit: () => undefined,
    ports: { log },
    settings: { preferences: () => ({ atOnce: 8 }) },
  };
  const record = {
    progress: { state: 'running', listing: false, isListed: true, trouble: null, endedAt: null },
    tally: {},
    view: () => ({}),
    write: () => undefined,
    put: () => undefined,
    unwritten: 0,
    flush: () => {
      flush();
      return [];
    },
  };
  const order = {
    run: { id: 'run', scope: 1, connection_id: 'c' },
    record,
    list: null,
    parallel: 2,
    trouble: null,
    onEnd,
  };
  const task = { signal: stopping.signal, report: () => undefined, stop: () => stopping.abort() };
  return runVerification(context as unknown as VerifyContext, order as unknown as LiveRunOrder, task).ended;
}

describe('a verification run', () => {
  afterEach(() => void vi.useRealTimers());

  it('tries again for a minute while another program holds the database', async () => {
    vi.useFakeTimers();
    let isBusy = true;
    let tries = 0;
    const ended = runWithoutFiles({
      flush: () => {
        tries += 1;
        if (isBusy) throw appError('storage-busy', 'another program writes to the database');
      },
      onEnd: () => undefined,
    });
    ended.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(50_000);
    isBusy = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(ended).resolves.toEqual({});
    expect(tries).toBeLessThan(2 * 4 * 51);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the database from its last success on, however often another program holds it', async () => {
    vi.useFakeTimers();
    const patience = createPatience();
    for (let times = 0; times < 1_000; times += 1) {
      expect(patience.isLeft()).toBe(true);
      await vi.advanceTimersByTimeAsync(30_000);
      patience.renew();
    }
    expect(patience.isLeft()).toBe(true);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(patience.isLeft()).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(patience.isLeft()).toBe(false);
  });

  it('ends also if a listener for its end fails', async () => {
    const ended = runWithoutFiles({
      flush: () => undefined,
      onEnd: () => {
        throw appError('storage-unusable', 'the list of audits cannot be read');
      },
    });
    await expect(ended).resolves.toEqual({});
  });
});
