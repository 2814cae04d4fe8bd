import { describe, expect, it } from 'vitest';
import type { Task } from '../../../contract/tasks.ts';
import { appError } from '../../../electron/core/foundation/app-error.ts';
import { createListeners } from '../../../electron/core/foundation/event-emitter.ts';
import { createRemovals } from '../../../electron/core/foundation/removals.ts';
import { createTasks, type Limits } from '../../../electron/core/tasks/tasks.ts';

/** A runner with reports as its only kind, what it announced, and its log. */
function runner(limits: Limits = { known: 20 }) {
  const lines: string[] = [];
  const log = {
    info: (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields })),
    error: (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields })),
  };
  const { emit, onEvent } = createListeners(log);
  const published: { readonly name: string; readonly task: Task }[] = [];
  onEvent((name, task) => published.push({ name, task: task as Task }));
  const tasks = createTasks({ emit, log, removals: createRemovals(1_000, log) });
  const reports = tasks.ofKind<'report', string>('report', limits);
  const progress = { runId: 'run', format: 'pdf', fileName: 'report.pdf', writtenFiles: 0, totalFiles: 9 } as const;
  return { tasks, reports, published, lines, onEvent, order: (data = '') => ({ progress, data }) };
}

/** A task that runs until it is stopped. */
const untilStopped = ({ signal }: { readonly signal: AbortSignal }) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const turn = (ms = 0) => new Promise<void>((done) => setTimeout(done, ms));
const names = (published: readonly { readonly name: string }[]) => published.map(({ name }) => name);

describe('a background task', () => {
  it('is announced at its start and its end, with its result', async () => {
    const { tasks, reports, published, order } = runner();
    const { task, ended } = reports.start(order(), async ({ report }) => {
      await turn();
      report({ writtenFiles: 3 });
      return { writtenFiles: 4 };
    });
    expect(task).toMatchObject({ kind: 'report', state: 'running', failure: null, progress: { writtenFiles: 0 } });
    expect(tasks.list()).toEqual([task]);
    expect(await ended).toMatchObject({
      taskId: task.taskId,
      state: 'done',
      progress: { fileName: 'report.pdf', writtenFiles: 4 },
    });
    expect(tasks.list()).toEqual([]);
    expect(names(published)).toEqual(['tasks.started', 'tasks.progressed', 'tasks.ended']);
    expect(published.map(({ task }) => task.progress)).toMatchObject([
      { writtenFiles: 0 },
      { writtenFiles: 3 },
      { writtenFiles: 4 },
    ]);
  });

  it('publishes progress at most ten times a second, never loses the last one, and computes it only to publish it', async () => {
    const { reports, published, order } = runner();
    let workedOut = 0;
    const begun = performance.now();
    const { ended } = reports.start(order(), async ({ report }) => {
      for (let writtenFiles = 1; writtenFiles <= 60; writtenFiles += 1) {
        report(() => {
          workedOut += 1;
          return { writtenFiles };
        });
        await turn(5);
      }
      return {};
    });
    expect(await ended).toMatchObject({ progress: { writtenFiles: 60 } });
    const seconds = (performance.now() - begun) / 1000;
    const progressed = published.filter(({ name }) => name === 'tasks.progressed').length;
    expect(progressed).toBeGreaterThan(1);
    expect(progressed).toBeLessThanOrEqual(seconds * 10 + 1);
    expect(workedOut).toBe(progressed + 1);
  });

  it('fails if its progress cannot be computed, also when that happens in a delayed event', async () => {
    const { reports, order } = runner();
    const { ended } = reports.start(order(), async ({ signal, report }) => {
      report({ writtenFiles: 1 });
      report(() => {
        throw appError('storage-unusable', 'cannot be counted');
      });
      return untilStopped({ signal });
    });
    expect(await ended).toMatchObject({ state: 'failed', failure: { code: 'storage-unusable' } });
  });

  it('publishes nothing after its end', async () => {
    const { reports, published, order } = runner();
    let late: (change: { writtenFiles: number }) => void = () => undefined;
    const { ended } = reports.start(order(), async ({ report }) => {
      late = report;
      report({ writtenFiles: 1 });
      report({ writtenFiles: 2 });
      return {};
    });
    await ended;
    late({ writtenFiles: 9 });
    await turn(150);
    expect(names(published).at(-1)).toBe('tasks.ended');
    expect(published.at(-1)?.task.progress).toMatchObject({ writtenFiles: 2 });
  });

  it('has ended when stop resolves; a second stop changes nothing, and an unknown task is not found', async () => {
    const { tasks, reports, published, order } = runner();
    const { task } = reports.start(order(), async (running) => {
      await untilStopped(running).catch(async (error) => {
        await turn(20);
        throw error;
      });
      return {};
    });
    await tasks.stop(task.taskId);
    expect(published.at(-1)).toMatchObject({
      name: 'tasks.ended',
      task: { state: 'stopped', failure: { code: 'cancelled' } },
    });
    await tasks.stop(task.taskId);
    expect(names(published)).toEqual(['tasks.started', 'tasks.ended']);
    await expect(tasks.stop('nobody')).rejects.toMatchObject({ failure: { code: 'not-found' } });
  });

  it('is done if it was complete before it could be stopped', async () => {
    const { tasks, reports, order } = runner();
    const { task, ended } = reports.start(order(), async () => {
      await turn();
      return { writtenFiles: 1 };
    });
    await tasks.stop(task.taskId);
    expect(await ended).toMatchObject({ state: 'done', progress: { writtenFiles: 1 } });
  });

  it('fails with its reason and keeps its last progress', async () => {
    const { reports, order } = runner();
    const { ended } = reports.start(order(), async ({ report }) => {
      report({ writtenFiles: 7 });
      throw appError('storage-full', 'no space');
    });
    expect(await ended).toMatchObject({
      state: 'failed',
      failure: { code: 'storage-full' },
      progress: { writtenFiles: 7 },
    });
  });

  it('turns an unexpected error into a bug with a reference that is in the log, without the text of the error', async () => {
    const { reports, published, lines, order } = runner();
    const { ended } = reports.start(order(), () => {
      throw new Error('with key-abcdef inside');
    });
    const { state, failure } = await ended;
    expect(state).toBe('failed');
    expect(failure).toMatchObject({ code: 'bug', reference: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(lines.filter((line) => line.includes(failure?.reference ?? '?'))).toHaveLength(1);
    expect(JSON.stringify([published, lines])).not.toContain('key-abcdef');
  });

  it('continues if a listener throws', async () => {
    const { reports, published, onEvent, order } = runner();
    onEvent(() => {
      throw new Error('bad listener');
    });
    const { ended } = reports.start(order(), async ({ report }) => {
      report({ writtenFiles: 1 });
      return {};
    });
    expect(await ended).toMatchObject({ state: 'done' });
    expect(names(published)).toEqual(['tasks.started', 'tasks.progressed', 'tasks.ended']);
  });
});

describe('tasks of a kind', () => {
  it('return their private data, and with `finished` only that of tasks that are done', async () => {
    const { tasks, reports, published, order } = runner();
    const { task } = reports.start(order('secret path'), async (running) => untilStopped(running));
    expect(reports.get(task.taskId).data).toBe('secret path');
    expect(() => reports.finished(task.taskId)).toThrow('not finished');
    await tasks.stop(task.taskId);
    expect(() => reports.finished(task.taskId)).toThrow('not finished');
    const done = reports.start(order('other path'), async () => ({}));
    await done.ended;
    expect(reports.finished(done.task.taskId)).toBe('other path');
    expect(() => reports.get('nobody')).toThrow('no such task');
    expect(JSON.stringify(published)).not.toContain('path');
  });

  it('forget the oldest ended tasks, and never a running one', async () => {
    const { tasks, reports, order } = runner({ known: 2 });
    const first = reports.start(order(), untilStopped).task;
    const second = reports.start(order(), async () => ({}));
    await second.ended;
    const third = reports.start(order(), untilStopped).task;
    expect(() => reports.get(second.task.taskId)).toThrow('no such task');
    const fourth = reports.start(order(), untilStopped).task;
    expect(tasks.list()).toEqual([first, third, fourth]);
    expect(reports.running()).toEqual([first, third, fourth]);
    await tasks.close();
  });

  it('stop the oldest if more than the limit would run', async () => {
    const { tasks, reports, published, order } = runner({ known: 2, stopsOldest: true });
    const [first, second, third] = [1, 2, 3].map(() => reports.start(order(), untilStopped).task);
    await turn();
    expect(tasks.list()).toEqual([second, third]);
    expect(published.at(-1)).toMatchObject({ name: 'tasks.ended', task: { taskId: first?.taskId, state: 'stopped' } });
    expect(() => reports.get(first?.taskId ?? '')).toThrow('no such task');
    await tasks.close();
  });

  it('run only once at a time for the same id, and again after the end', async () => {
    const { tasks, reports, order } = runner();
    const again = () => reports.start({ ...order(), taskId: 'run' }, untilStopped);
    again();
    expect(again).toThrow('running already');
    await tasks.stop('run');
    again();
    expect(tasks.list()).toMatchObject([{ taskId: 'run', state: 'running' }]);
    await tasks.close();
  });

  it('are down to the limit again after more than that had run at the same time', async () => {
    const { reports, order } = runner({ known: 2 });
    const begun = [1, 2, 3, 4].map(() => reports.start(order(), async () => ({})));
    await Promise.all(begun.map(({ ended }) => ended));
    const last = reports.start(order(), async () => ({}));
    await last.ended;
    const isKept = ({ task: { taskId } }: { readonly task: Task }) => {
      try {
        return reports.get(taskId).task.state === 'done';
      } catch {
        return false;
      }
    };
    expect([...begun, last].map(isKept)).toEqual([false, false, false, true, true]);
  });
});

describe('the end of the program', () => {
  it('stops all tasks, waits for their ends, and starts no others', async () => {
    const { tasks, reports, published, order } = runner();
    let isCleared = false;
    reports.start(order(), untilStopped);
    reports.start(order(), async (running) => {
      await untilStopped(running).catch(async () => {
        await turn(20);
        isCleared = true;
        running.signal.throwIfAborted();
      });
      return {};
    });
    await tasks.close();
    expect(isCleared).toBe(true);
    expect(tasks.list()).toEqual([]);
    expect(published.filter(({ name }) => name === 'tasks.ended')).toHaveLength(2);
    expect(tasks.isClosing).toBe(true);
    expect(() => reports.start(order(), async () => ({}))).toThrow('closing');
  });
});
