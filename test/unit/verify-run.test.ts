import { afterEach, describe, expect, it, vi } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { createCircuitBreakers } from '../../electron/core/lasting-work/circuit-breaker.ts';
import { createReadRuns, type ReadRun, type ReadRuns } from '../../electron/core/lasting-work/read-runs.ts';
import type { RunningTask } from '../../electron/core/tasks/carry-out.ts';
import { type LiveRunOrder, runVerification, type VerifyEngine } from '../../electron/core/verify/run-verification.ts';
import type { VerifyContext } from '../../electron/core/verify/verify-file.ts';

const log = { info: () => undefined, error: () => undefined };
const newEngine = <Item extends { readonly seq: number }, Result, Progress>(): ReadRuns<Item, Result, Progress> =>
  createReadRuns({ kind: 'verification', atOnce: () => 8, breakers: createCircuitBreakers(usualPauses), log });

/** A run without any file: `write` and `onEnd` are called when it ends. */
function runWithoutFiles({ write, onEnd }: { readonly write: () => void; readonly onEnd: () => void }) {
  const stopping = new AbortController();
  const context = {
    store: { verifyFiles: { todo: () => [] } },
    emit: () => undefined,
    ports: { log },
  };
  const record = {
    progress: { state: 'running', listing: false, isListed: true, trouble: null, endedAt: null },
    tally: {},
    view: () => ({}),
    write,
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
  const { ended } = runVerification(
    context as unknown as VerifyContext,
    newEngine() as VerifyEngine,
    order as unknown as LiveRunOrder,
    task,
  );
  return { ended, stop: task.stop };
}

/** One that cannot write its end while another program holds the database. */
function heldRun() {
  const database = { isHeld: true, tries: 0 };
  const write = () => {
    database.tries += 1;
    if (database.isHeld) throw appError('storage-busy', 'another program writes to the database');
  };
  const run = runWithoutFiles({ write, onEnd: () => undefined });
  run.ended.catch(() => undefined);
  return { ...run, database };
}

type Run = ReadRun<{ readonly seq: number }, null, object>;
type AddRun = Omit<Run, 'effect'> & { readonly effect: 'add' };

it('is no add: what the engine may perform again cannot be one', () => {
  const begin = (engine: ReadRuns<{ readonly seq: number }, null, object>, add: AddRun, task: RunningTask<object>) =>
    // @ts-expect-error An add is never repeated by the program.
    engine.begin(add, task);
  expect(begin).toBeTypeOf('function');
});

describe('a verification run', () => {
  afterEach(() => void vi.useRealTimers());

  it('goes on however long another program holds the database', async () => {
    vi.useFakeTimers();
    const { ended, database } = heldRun();
    await vi.advanceTimersByTimeAsync(600_000);
    database.isHeld = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(ended).resolves.toEqual({});
    expect(database.tries).toBeLessThan(2 * 20 * 601);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that was stopped tries for a minute to write its end', async () => {
    vi.useFakeTimers();
    const { ended, database, stop } = heldRun();
    stop();
    await vi.advanceTimersByTimeAsync(50_000);
    const tries = database.tries;
    await vi.advanceTimersByTimeAsync(20_000);
    await expect(ended).rejects.toMatchObject({ failure: { code: 'storage-busy' } });
    expect(database.tries).toBeGreaterThan(tries);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says that it waits also where it stores what is no outcome, as the count of a check', async () => {
    vi.useFakeTimers();
    const [engine, database] = [newEngine<{ readonly seq: number }, null, object>(), { isHeld: true }];
    const write = () => {
      if (database.isHeld) throw appError('storage-busy', 'another program writes to the database');
    };
    const items = [{ seq: 1 }];
    const run: Run = {
      effect: 'read',
      connections: ['c'],
      parallel: 1,
      isPatient: false,
      prepare: () => [...items],
      perform: async () => {
        await live.store(write);
        items.pop();
        return null;
      },
      failed: () => ({}),
      outcome: () => undefined,
      summary: () => ({}),
      end: (trouble) => trouble,
    };
    const task = { signal: new AbortController().signal, report: () => undefined, stop: () => undefined };
    const live = engine.begin(run, task);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(engine.waiting('c').waitsFor).toMatchObject({ code: 'storage-busy' });
    database.isHeld = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(live.ended).resolves.toEqual({});
    expect(engine.waiting('c').waitsFor).toBeNull();
  });

  it('ends also if a listener for its end fails', async () => {
    const { ended } = runWithoutFiles({
      write: () => undefined,
      onEnd: () => {
        throw appError('storage-unusable', 'the list of audits cannot be read');
      },
    });
    await expect(ended).resolves.toEqual({});
  });
});
