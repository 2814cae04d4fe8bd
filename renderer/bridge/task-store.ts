import type { Listen } from '../../contract/client.ts';
import type { Ask } from '../../contract/index.ts';
import type { Task, TaskKind } from '../../contract/tasks.ts';

/** Background tasks of this session with their last known state: running ones and ended ones. */
export interface TaskStore {
  /** In order of their start. The same array until a task of the kind changes. */
  ofKind<K extends TaskKind>(kind: K): readonly Task<K>[];
  /** Running tasks of all kinds. The same array until one of them changes. */
  running(): readonly Task[];
  /** Adds a task that a call answered. An event about the same task is always newer. */
  add(task: Task): void;
  /** Removes an ended task. */
  drop(taskId: string): void;
  /** As `drop`, in the core too. */
  dismiss(taskId: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(changed: () => void): () => void;
  /** Subscribes to the core, then reads the running tasks. Returns the function that ends the subscription. */
  follow(): () => void;
}

/** Limit of known tasks. Beyond it the oldest ended one is forgotten. */
const mostKept = 1_000;

export function createTaskStore({ ask, listen }: { readonly ask: Ask; readonly listen: Listen }): TaskStore {
  const all = new Map<string, Task>();
  const arrays = new Map<string, readonly Task[]>();
  const listeners = new Set<() => void>();
  const arrayOf = (name: string, fits: (task: Task) => boolean) => {
    const known = arrays.get(name) ?? [...all.values()].filter(fits);
    arrays.set(name, known);
    return known;
  };
  const changed = (kind: TaskKind) => {
    arrays.delete(kind);
    arrays.delete('running');
    for (const listener of [...listeners]) listener();
  };
  const put = (task: Task) => {
    const known = all.get(task.taskId);
    // A resumed verification keeps its ID and moves to the end of the list.
    if (known && known.startedAt !== task.startedAt) all.delete(task.taskId);
    all.set(task.taskId, task);
    const forgotten = all.size > mostKept ? [...all.values()].find(({ state }) => state !== 'running') : undefined;
    if (forgotten) {
      all.delete(forgotten.taskId);
      arrays.delete(forgotten.kind);
    }
    changed(task.kind);
  };
  const add = (task: Task) => {
    const known = all.get(task.taskId);
    if (!known || known.startedAt < task.startedAt) put(task);
  };
  const drop = (taskId: string) => {
    const known = all.get(taskId);
    if (!known || known.state === 'running') return;
    all.delete(taskId);
    changed(known.kind);
  };
  return {
    ofKind: <K extends TaskKind>(kind: K) => arrayOf(kind, (task) => task.kind === kind) as readonly Task<K>[],
    running: () => arrayOf('running', ({ state }) => state === 'running'),
    add,
    drop,
    dismiss: (taskId) => {
      drop(taskId);
      void ask('tasks.forget', { taskId });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    follow: () => {
      const stops = [listen('tasks.started', put), listen('tasks.progressed', put), listen('tasks.ended', put)];
      void ask('tasks.list', {}).then((listed) => {
        if (listed.ok) for (const task of listed.value) add(task);
      });
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
