import { describe, expect, it } from 'vitest';
import type { Task } from '../../../contract/tasks.ts';
import { appError } from '../../../electron/core/foundation/app-error.ts';
import { createListeners } from '../../../electron/core/foundation/event-emitter.ts';
import { createRemovals } from '../../../electron/core/foundation/removals.ts';
import { createTasks, type Limits } from '../../../electron/core/tasks/tasks.ts';

/** A runner with estimates as its only kind, what it announced, and its log. */
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
  const estimates = tasks.ofKind<'estimate', string>('estimate', limits);
  const progress = { name: 'folder', files: 0 };
  return { tasks, estimates, published, lines, onEvent, order: (data = '') => ({ progress, data }) };
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
    const { tasks, estimates, published, order } = runner();
    const { task, ended } = estimates.start(order(), async ({ report }) => {
      await turn();
      report({ files: 3 });
      return { files: 4 };
    });
    expect(task).toMatchObject({ kind: 'estimate', state: 'running', failure: null, progress: { files: 0 } });
    expect(tasks.list()).toEqual([task]);
    expect(await ended).toMatchObject({ taskId: task.taskId, state: 'done', progress: { name: 'folder', files: 4 } });
    expect(tasks.list()).toEqual([]);
    expect(names(published)).toEqual(['tasks.started', 'tasks.progressed', 'tasks.ended']);
    expect(published.map(({ task }) => task.progress)).toMatchObject([{ files: 0 }, { files: 3 }, { files: 4 }]);
  });

  it('publishes progress at most ten times a second, never loses the last one, and computes it only to publish it', async () => {
    const { estimates, published, order } = runner();
    let workedOut = 0;
    const begun = performance.now();
    const { ended } = estimates.start(order(), async ({ report }) => {
      for (let files = 1; files <= 60; files += 1) {
        report(() => {
          workedOut += 1;
          return { files };
        });
        await turn(5);
      }
      return {};
    });
    expect(await ended).toMatchObject({ progress: { files: 60 } });
    const seconds = (performance.now() - begun) / 1000;
    const progressed = published.filter(({ name }) => name === 'tasks.progressed').length;
    expect(progressed).toBeGreaterThan(1);
    expect(progressed).toBeLessThanOrEqual(seconds * 10 + 1);
    expect(workedOut).toBe(progressed + 1);
  });

  it('fails if its progress cannot be computed, also when that happens in a delayed event', async () => {
    const { estimates, order } = runner();
    const { ended } = estimates.start(order(), async ({ signal, report }) => {
      report({ files: 1 });
      report(() => {
        throw appError('storage-unusable', 'cannot be counted');
      });
      return untilStopped({ signal });
    });
    expect(await ended).toMatchObject({ state: 'failed', failure: { code: 'storage-unusable' } });
  });

  it('publishes nothing after its end', async () => {
    const { estimates, published, order } = runner();
    let late: (change: { files: number }) => void = () => undefined;
    const { ended } = estimates.start(order(), async ({ report }) => {
      late = report;
      report({ files: 1 });
      report({ files: 2 });
      return {};
    });
    await ended;
    late({ files: 9 });
    await turn(150);
    expect(names(published).at(-1)).toBe('tasks.ended');
    expect(published.at(-1)?.task.progress).toMatchObject({ files: 2 });
  });

  it('has ended when stop resolves; a second stop changes nothing, and an unknown task is not found', async () => {
    const { tasks, estimates, published, order } = runner();
    const { task } = estimates.start(order(), async (running) => {
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
    const { tasks, estimates, order } = runner();
    const { task, ended } = estimates.start(order(), async () => {
      await turn();
      return { files: 1 };
    });
    await tasks.stop(task.taskId);
    expect(await ended).toMatchObject({ state: 'done', progress: { files: 1 } });
  });

  it('fails with its reason and keeps its last progress', async () => {
    const { estimates, order } = runner();
    const { ended } = estimates.start(order(), async ({ report }) => {
      report({ files: 7 });
      throw appError('storage-full', 'no space');
    });
    expect(await ended).toMatchObject({ state: 'failed', failure: { code: 'storage-full' }, progress: { files: 7 } });
  });

  it('turns an unexpected error into a bug with a reference that is in the log, without the text of the error', async () => {
    const { estimates, published, lines, order } = runner();
    const { ended } = estimates.start(order(), () => {
      throw new Error('with key-abcdef inside');
    });
    const { state, failure } = await ended;
    expect(state).toBe('failed');
    expect(failure).toMatchObject({ code: 'bug', reference: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(lines.filter((line) => line.includes(failure?.reference ?? '?'))).toHaveLength(1);
    expect(JSON.stringify([published, lines])).not.toContain('key-abcdef');
  });

  it('continues if a listener throws', async () => {
    const { estimates, published, onEvent, order } = runner();
    onEvent(() => {
      throw new Error('bad listener');
    });
    const { ended } = estimates.start(order(), async ({ report }) => {
      report({ files: 1 });
      return {};
    });
    expect(await ended).toMatchObject({ state: 'done' });
    expect(names(published)).toEqual(['tasks.started', 'tasks.progressed', 'tasks.ended']);
  });
});

describe('tasks of a kind', () => {
  it('return their private data, and with `finished` only that of tasks that are done', async () => {
    const { tasks, estimates, published, order } = runner();
    const { task } = estimates.start(order('secret path'), async (running) => untilStopped(running));
    expect(estimates.get(task.taskId).data).toBe('secret path');
    expect(() => estimates.finished(task.taskId)).toThrow('not finished');
    await tasks.stop(task.taskId);
    expect(() => estimates.finished(task.taskId)).toThrow('not finished');
    const done = estimates.start(order('other path'), async () => ({}));
    await done.ended;
    expect(estimates.finished(done.task.taskId)).toBe('other path');
    expect(() => estimates.get('nobody')).toThrow('no such task');
    expect(JSON.stringify(published)).not.toContain('path');
  });

  it('forget the oldest ended tasks, and never a running one', async () => {
    const { tasks, estimates, order } = runner({ known: 2 });
    const first = estimates.start(order(), untilStopped).task;
    const second = estimates.start(order(), async () => ({}));
    await second.ended;
    const third = estimates.start(order(), untilStopped).task;
    expect(() => estimates.get(second.task.taskId)).toThrow('no such task');
    const fourth = estimates.start(order(), untilStopped).task;
    expect(tasks.list()).toEqual([first, third, fourth]);
    expect(estimates.running()).toEqual([first, third, fourth]);
    await tasks.close();
  });

  it('stop the oldest if more than the limit would run', async () => {
    const { tasks, estimates, published, order } = runner({ known: 2, stopsOldest: true });
    const [first, second, third] = [1, 2, 3].map(() => estimates.start(order(), untilStopped).task);
    await turn();
    expect(tasks.list()).toEqual([second, third]);
    expect(published.at(-1)).toMatchObject({ name: 'tasks.ended', task: { taskId: first?.taskId, state: 'stopped' } });
    expect(() => estimates.get(first?.taskId ?? '')).toThrow('no such task');
    await tasks.close();
  });

  it('run only once at a time for the same id, and again after the end', async () => {
    const { tasks, estimates, order } = runner();
    const again = () => estimates.start({ ...order(), taskId: 'run' }, untilStopped);
    again();
    expect(again).toThrow('running already');
    await tasks.stop('run');
    again();
    expect(tasks.list()).toMatchObject([{ taskId: 'run', state: 'running' }]);
    await tasks.close();
  });

  it('are down to the limit again after more than that had run at the same time', async () => {
    const { estimates, order } = runner({ known: 2 });
    const begun = [1, 2, 3, 4].map(() => estimates.start(order(), async () => ({})));
    await Promise.all(begun.map(({ ended }) => ended));
    const last = estimates.start(order(), async () => ({}));
    await last.ended;
    const isKept = ({ task: { taskId } }: { readonly task: Task }) => {
      try {
        return estimates.get(taskId).task.state === 'done';
      } catch {
        return false;
      }
    };
    expect([...begun, last].map(isKept)).toEqual([false, false, false, true, true]);
  });
});

describe('the end of the program', () => {
  it('stops all tasks, waits for their ends, and starts no others', async () => {
    const { tasks, estimates, published, order } = runner();
    let isCleared = false;
    estimates.start(order(), untilStopped);
    estimates.start(order(), async (running) => {
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
    expect(() => estimates.start(order(), async () => ({}))).toThrow('closing');
  });
});
