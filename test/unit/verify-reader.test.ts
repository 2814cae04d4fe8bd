import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../contract/failure.ts';
import type { Ask, CallOutput } from '../../contract/index.ts';
import type { VerifyRun } from '../../contract/verify.ts';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { followRun, type ReaderClient } from '../../renderer/screens/verify/verify-reader.ts';

type Page = Envelope<CallOutput<'verify.results'>>;

const run = (state: VerifyRun['state'], answered: number) => ({ runId: 'run', state, answered, total: 3 }) as VerifyRun;
const result = (index: number, state: VerifyResult['state']) => ({ index, state }) as VerifyResult;
const page = (published: VerifyRun, results: readonly VerifyResult[], total = results.length): Page => ({
  ok: true,
  value: { run: published, results, total, ownCounts: {} },
});
const turn = (ms = 0) => new Promise<void>((done) => setTimeout(done, ms));

const task = (progress: VerifyRun) => ({ kind: 'verification', progress: { run: progress } });

/** A client whose answers come when the test says so. */
function slowDoor() {
  const asked: { readonly offset: number; readonly answer: (page: Page) => void }[] = [];
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const ask = ((_name: string, input: { offset?: number }) =>
    new Promise((answer) => asked.push({ offset: input.offset ?? 0, answer: answer as (page: Page) => void }))) as Ask;
  const listen = ((name: string, listener: (value: unknown) => void) => {
    const some = listeners.get(name) ?? new Set();
    listeners.set(name, some.add(listener));
    return () => void some.delete(listener);
  }) as ReaderClient['listen'];
  const tell = (name: string, value: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(value);
  };
  return {
    asked,
    tell,
    client: { ask, listen },
    listening: () => [...listeners.values()].some((some) => some.size > 0),
  };
}

describe('following a run', () => {
  it('listens before it reads', () => {
    const { asked, client } = slowDoor();
    const order: string[] = [];
    const noted =
      <A extends readonly never[], R>(name: string, action: (...given: A) => R) =>
      (...given: A): R => {
        order.push(name);
        return action(...given);
      };
    const watched = {
      ask: noted('ask', client.ask),
      listen: noted('listen', client.listen),
    } as unknown as ReaderClient;
    followRun(watched, 'run', {}, () => undefined);
    expect(order.indexOf('ask')).toBeGreaterThan(order.lastIndexOf('listen'));
    expect(asked).toHaveLength(1);
  });

  it('does not let a late read undo what was published meanwhile, and reads again to the end', async () => {
    const { asked, tell, client } = slowDoor();
    const reader = followRun(client, 'run', {}, () => undefined, 5);
    // All that is ever published comes while the first read is still on its way, long after the pause is over.
    tell('verify.answered', { runId: 'run', results: [result(0, 'answered')] });
    tell('tasks.progressed', task(run('running', 2)));
    await turn(20);
    tell('verify.answered', { runId: 'run', results: [result(1, 'answered')] });
    tell('tasks.ended', task(run('finished', 3)));
    await turn(20);
    expect(asked).toHaveLength(1);
    asked[0]?.answer(page(run('running', 0), [result(0, 'pending'), result(1, 'pending'), result(2, 'pending')]));
    await turn();
    expect(reader.snapshot().run?.state).toBe('finished');
    expect([...reader.snapshot().rows.values()].map((row) => row.state)).toEqual(['answered', 'answered', 'pending']);
    await turn(20);
    expect(asked).toHaveLength(2);
    asked[1]?.answer(
      page(
        run('finished', 3),
        [0, 1, 2].map((index) => result(index, 'answered')),
      ),
    );
    await turn(20);
    expect([...reader.snapshot().rows.values()].map((row) => row.state)).toEqual(['answered', 'answered', 'answered']);
    expect(asked).toHaveLength(2);
    reader.stop();
  });

  it('shows what was published of rows at once, without waiting for a read', async () => {
    const { asked, tell, client } = slowDoor();
    const reader = followRun(client, 'run', {}, () => undefined);
    asked[0]?.answer(page(run('running', 0), [result(0, 'pending'), result(1, 'pending')]));
    await turn();
    tell('verify.answered', { runId: 'run', results: [result(1, 'answered')] });
    tell('tasks.progressed', task(run('running', 1)));
    expect(reader.snapshot().run?.answered).toBe(1);
    expect(reader.snapshot().rows.get(1)?.state).toBe('answered');
    tell('verify.answered', { runId: 'other', results: [result(0, 'answered')] });
    tell('tasks.progressed', task({ ...run('running', 9), runId: 'other' }));
    expect(reader.snapshot().rows.get(0)?.state).toBe('pending');
    reader.stop();
  });

  it('is never starved by events that come faster than reads', async () => {
    const { asked, tell, client } = slowDoor();
    const reader = followRun(client, 'run', {}, () => undefined, 2);
    for (let n = 1; n <= 5; n += 1) {
      tell('tasks.progressed', task(run('running', n)));
      await turn(5);
      asked.at(-1)?.answer(page(run('running', n), [result(n, 'answered')]));
      await turn(5);
      expect(reader.snapshot().rows.get(0)?.index).toBe(n);
    }
    reader.stop();
  });

  it('reads the places that are looked at, and only those', async () => {
    const { asked, client } = slowDoor();
    const reader = followRun(client, 'run', {}, () => undefined);
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => result(from + at, 'answered'));
    asked[0]?.answer(page(run('finished', 5000), some(0, 100), 5000));
    await turn();
    reader.setVisible(4210, 4230);
    expect(asked.map(({ offset }) => offset)).toEqual([0, 4200]);
    asked[1]?.answer(page(run('finished', 5000), some(4200, 100), 5000));
    await turn();
    expect(reader.snapshot().rows.get(4215)?.index).toBe(4215);
    reader.setVisible(4220, 4240);
    expect(asked).toHaveLength(2);
    reader.stop();
  });

  it('keeps what it has when a read fails, and says so', async () => {
    const { asked, client, listening } = slowDoor();
    const reader = followRun(client, 'run', {}, () => undefined);
    asked[0]?.answer(page(run('finished', 1), [result(0, 'answered')]));
    await turn();
    reader.readAgain();
    asked[1]?.answer({ ok: false, failure: { code: 'storage-unusable', note: '', retryable: false } });
    await turn();
    expect(reader.snapshot()).toMatchObject({ failure: { code: 'storage-unusable' }, total: 1 });
    expect(reader.snapshot().rows.size).toBe(1);
    reader.stop();
    expect(listening()).toBe(false);
  });
});
