import { randomUUID } from 'node:crypto';
import type { Removed } from '../../../contract/call.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Task, TaskKind, taskEvents } from '../../../contract/tasks.ts';
import { appError, orNotFound } from '../foundation/app-error.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import type { Log } from '../foundation/ports.ts';
import type { Removals } from '../foundation/removals.ts';
import { carryOut, type Entry, type SomeTask, type Work } from './carry-out.ts';

/** All background tasks: they are listed, stopped and ended in the same way. Kept in memory; a feature stores what must survive the program. */
export type Tasks = ReturnType<typeof createTasks>;

export interface Limits {
  /** Limit of kept tasks of the kind, running ones included. The oldest ended ones are dropped first. */
  readonly known: number;
  /** If all kept tasks are running, the oldest is stopped and dropped. Without this, more tasks may run than `known`. */
  readonly stopsOldest?: boolean;
  /** Of a kind whose tasks can be gone on with when they have ended. `hide`: one is removed, and may be put back; `forget`: no more. */
  readonly again?: {
    resume(taskId: string): SomeTask;
    hide(taskId: string): { putBack(): number };
    forget(taskId: string): void;
  };
}

export interface TasksOfKind<K extends TaskKind, D> {
  /**
   * Starts a task at once and publishes `tasks.started`. Throws cancelled while the program is closing, and bad-input if a task with this ID is
   * running.
   */
  start(order: Order<K, D>, work: Work<Task<K>['progress']>): Started<K>;
  /** Makes a task known that an earlier program left, as stopped. */
  recall(order: Order<K, D> & { readonly taskId: string }): void;
  /** Throws not-found. */
  get(taskId: string): { readonly task: Task<K>; readonly data: D };
  /** Data of a task that is done. Throws not-found, and bad-input for a task that is not done. */
  finished(taskId: string): D;
  running(): readonly Task<K>[];
}

export interface Order<K extends TaskKind, D> {
  /** ID of the stored object that the task works on, if there is one; it may run again later. Default: a new ID. */
  readonly taskId?: string;
  readonly progress: Task<K>['progress'];
  readonly data: D;
}

export interface Started<K extends TaskKind> {
  readonly task: Task<K>;
  /** Never rejects. */
  readonly ended: Promise<Task<K>>;
}

interface KnownEntry<K extends TaskKind, D> extends Entry<Task<K>> {
  readonly data: D;
}

interface Kind {
  readonly known: Map<string, Entry>;
  readonly again: Limits['again'];
}

interface Needs {
  readonly emit: Emit;
  readonly log: Log;
  readonly removals: Removals;
}

export function createTasks({ emit, log, removals }: Needs) {
  const running = new Map<string, Entry>();
  const kinds: Kind[] = [];
  // The type of the progress is checked when a task is started.
  const announce = (event: keyof typeof taskEvents, task: SomeTask) => emit(event, task as Task);
  let isClosing = false;
  return {
    /** Returns the runner for one kind; called once per kind, by the feature that starts such tasks. `D`: data of the task that only the core knows. */
    ofKind: <K extends TaskKind, D>(kind: K, limits: Limits): TasksOfKind<K, D> => {
      const known = new Map<string, KnownEntry<K, D>>();
      kinds.push({ known: known as unknown as Map<string, Entry>, again: limits.again });
      return {
        start: (order, work) => {
          const entry = entryOf(kind, order);
          const { taskId } = entry.task;
          if (isClosing) throw appError('cancelled', 'the program is closing');
          if (running.has(taskId)) throw appError('bad-input', `the ${kind} is running already`);
          // A stored object that runs again moves to the end of the list.
          known.delete(taskId);
          known.set(taskId, entry);
          forgetOldest(known, limits);
          running.set(taskId, entry as unknown as Entry);
          announce('tasks.started', entry.task);
          entry.ended = carryOut(entry, work, { announce, log, onEnd: () => running.delete(taskId) });
          return { task: entry.task, ended: entry.ended };
        },
        recall: (order) => {
          const entry = entryOf(kind, order);
          entry.task = { ...entry.task, state: 'stopped' };
          known.set(order.taskId, entry);
        },
        ...readersOf(kind, known),
      };
    },
    /** Running tasks, the oldest first. */
    list: (): readonly Task[] => [...running.values()].map(({ task }) => task as Task),
    /** Resolves when the task has ended; an ended task is left as it is. Rejects with not-found. */
    stop: async (taskId: string) => {
      const entry = running.get(taskId);
      if (!entry && !kinds.some(({ known }) => known.has(taskId))) throw appError('not-found', 'no such task');
      entry?.controller.abort();
      await entry?.ended;
    },
    ...resumingOf(kinds, running, removals),
    get isClosing() {
      return isClosing;
    },
    /** Stops all tasks, waits until they have ended, and starts no more. */
    close: async () => {
      isClosing = true;
      const entries = [...running.values()];
      for (const { controller } of entries) controller.abort();
      await Promise.all(entries.map(({ ended }) => ended));
    },
  };
}

function entryOf<K extends TaskKind, D>(kind: K, { taskId, progress, data }: Order<K, D>): KnownEntry<K, D> {
  const task = {
    taskId: taskId ?? randomUUID(),
    kind,
    startedAt: new Date().toISOString(),
    state: 'running',
    failure: null,
    progress,
  } as unknown as Task<K>;
  return { task, data, controller: new AbortController(), ended: Promise.resolve(task) };
}

function readersOf<K extends TaskKind, D>(kind: K, known: ReadonlyMap<string, KnownEntry<K, D>>) {
  const get = (taskId: string): KnownEntry<K, D> => orNotFound(known.get(taskId), 'no such task');
  return {
    get,
    finished: (taskId: string) => {
      const { task, data } = get(taskId);
      if (task.state !== 'done') throw appError('bad-input', `the ${kind} is not finished`);
      return data;
    },
    running: () => [...known.values()].map(({ task }) => task).filter(({ state }) => state === 'running'),
  };
}

function resumingOf(kinds: readonly Kind[], running: ReadonlyMap<string, unknown>, removals: Removals) {
  const kindOf = (taskId: string) => kinds.find(({ known, again }) => again && known.has(taskId));
  return {
    /** Ended before their end, of kinds that can resume them. */
    resumable: () =>
      kinds
        .flatMap(({ known, again }) => (again ? [...known.values()] : []))
        .map(({ task }) => task as Task)
        .filter(({ state }) => state === 'stopped' || state === 'failed'),
    /** Throws not-found, and what the kind throws. */
    resume: (taskId: string): Task => {
      const again = orNotFound(kindOf(taskId)?.again, 'no such task that can be resumed');
      return again.resume(taskId) as Task;
    },
    /** Throws not-found if the task is running, or is of a kind that cannot resume it. */
    forget: (taskId: string): Removed => {
      const { known, again } = kindOf(taskId) ?? {};
      const entry = known?.get(taskId);
      if (!known || !entry || !again || running.has(taskId)) throw appError('not-found', 'no such task that has ended');
      const row = again.hide(taskId);
      known.delete(taskId);
      const putBack = () => {
        const count = row.putBack();
        if (count > 0) known.set(taskId, entry);
        return count;
      };
      return removals.keep(
        { putBack },
        () => undefined,
        () => again.forget(taskId),
      );
    },
  };
}

function forgetOldest<K extends TaskKind, D>(
  known: Map<string, KnownEntry<K, D>>,
  { known: limit, stopsOldest }: Limits,
): void {
  const tooMany = known.size - limit;
  if (tooMany <= 0) return;
  const all = [...known.values()];
  const ended = all.filter(({ task }) => task.state !== 'running');
  const running = stopsOldest ? all.filter(({ task }) => task.state === 'running') : [];
  for (const { task, controller } of [...ended, ...running].slice(0, tooMany)) {
    controller.abort();
    known.delete(task.taskId);
  }
}

/** Calls about running tasks of every kind. */
export function taskCalls(tasks: Tasks): HandlersOf<'tasks'> {
  return {
    'tasks.list': async () => [...tasks.resumable(), ...tasks.list()],
    'tasks.stop': ({ taskId }) => tasks.stop(taskId),
    'tasks.resume': async ({ taskId }) => tasks.resume(taskId),
    'tasks.forget': async ({ taskId }) => tasks.forget(taskId),
  };
}
