import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../contract/index.ts';
import type { Task } from '../../../contract/tasks.ts';
import { createTaskStore } from '../../../renderer/bridge/tasks.tsx';

type Report = Task<'report'>;

const report = (taskId: string, writtenFiles: number, more: Partial<Report> = {}): Report => ({
  taskId,
  kind: 'report',
  startedAt: '2026-01-01T00:00:00.000Z',
  state: 'running',
  failure: null,
  progress: { runId: 'run', format: 'pdf', fileName: 'report.pdf', writtenFiles, totalFiles: 9 },
  ...more,
});

/** A store whose list is answered when the test says so. */
function following() {
  const listeners = new Map<string, (task: Task) => void>();
  let answer: (tasks: readonly Task[]) => void = () => undefined;
  const ask = (() =>
    new Promise((resolve) => {
      answer = (tasks) => resolve({ ok: true, value: tasks });
    })) as unknown as Ask;
  const listen = ((name: string, listener: (task: Task) => void) => {
    listeners.set(name, listener);
    return () => void listeners.delete(name);
  }) as never;
  const store = createTaskStore({ ask, listen });
  const stop = store.follow();
  const tell = (name: 'started' | 'progressed' | 'ended', task: Task) => listeners.get(`tasks.${name}`)?.(task);
  return {
    store,
    stop,
    tell,
    listeners,
    answer: async (tasks: readonly Task[]) => {
      answer(tasks);
      await Promise.resolve();
    },
  };
}

describe('the tasks that a window knows', () => {
  it('are read after a reload, and the answer does not overwrite later events', async () => {
    const { store, tell, answer } = following();
    tell('progressed', report('a', 5));
    await answer([report('a', 1), report('b', 2)]);
    await Promise.resolve();
    expect(store.running()).toMatchObject([
      { taskId: 'a', progress: { writtenFiles: 5 } },
      { taskId: 'b', progress: { writtenFiles: 2 } },
    ]);
    tell('ended', report('a', 9, { state: 'done' }));
    store.add(report('a', 0));
    expect(store.ofKind('report')[0]).toMatchObject({ state: 'done', progress: { writtenFiles: 9 } });
    expect(store.running()).toMatchObject([{ taskId: 'b' }]);
  });

  it('are the same array until a task of the kind changes, so that nothing is rendered without a change', () => {
    const { store, tell } = following();
    tell('started', report('a', 0));
    const before = store.ofKind('report');
    const reports = store.ofKind('comparison');
    expect(store.ofKind('report')).toBe(before);
    tell('progressed', report('a', 1));
    expect(store.ofKind('report')).not.toBe(before);
    expect(store.ofKind('comparison')).toBe(reports);
  });

  it('are listed last if the same id runs again, and are not ended by an answer about the earlier run', () => {
    const { store, tell } = following();
    const later = { startedAt: '2026-01-01T00:01:00.000Z' };
    tell('ended', report('a', 3, { state: 'stopped' }));
    tell('started', report('b', 0));
    tell('started', report('a', 3, later));
    store.add(report('a', 3, { state: 'stopped' }));
    expect(store.running().map(({ taskId }) => taskId)).toEqual(['b', 'a']);
  });

  it('can be dismissed only after their end', () => {
    const { store, tell } = following();
    tell('started', report('a', 0));
    store.dismiss('a');
    expect(store.ofKind('report')).toHaveLength(1);
    tell('ended', report('a', 0, { state: 'done' }));
    store.dismiss('a');
    expect(store.ofKind('report')).toHaveLength(0);
  });

  it('are forgotten, the oldest ended one first, in the list of its kind too', () => {
    const { store, tell } = following();
    tell('started', report('running', 0));
    tell('ended', report('oldest', 0, { state: 'done' }));
    expect(store.ofKind('report')).toHaveLength(2);
    const check = { ...report('', 0, { state: 'done' }), kind: 'status-refresh' } as unknown as Task;
    for (let n = 0; n < 999; n += 1) tell('ended', { ...check, taskId: `check ${n}` });
    expect(store.ofKind('report').map(({ taskId }) => taskId)).toEqual(['running']);
    expect(store.ofKind('status-refresh')).toHaveLength(999);
  });

  it('are followed until the store is told to stop', () => {
    const { stop, listeners } = following();
    expect(listeners.size).toBe(3);
    stop();
    expect(listeners.size).toBe(0);
  });
});
