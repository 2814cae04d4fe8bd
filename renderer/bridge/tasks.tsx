import { createContext, type ReactNode, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Listen } from '../../contract/client.ts';
import type { Ask } from '../../contract/index.ts';
import type { Task, TaskKind } from '../../contract/tasks.ts';
import { ask, listen } from './client.ts';

const TasksContext = createContext<TaskStore | null>(null);

/** Follows the background tasks of the core, so that their progress stays known while the person views other screens. */
export function TasksProvider(props: { readonly children: ReactNode }) {
  const [store] = useState(() => createTaskStore({ ask, listen }));
  useEffect(() => store.follow(), [store]);
  return <TasksContext value={store}>{props.children}</TasksContext>;
}

/** For adding and dismissing tasks. Only below TasksProvider. */
export function useTaskStore(): Pick<TaskStore, 'add' | 'drop' | 'dismiss'> {
  return useStore();
}

/** Tasks of one kind in this session, in order of their start. Only below TasksProvider. */
export function useTasks<K extends TaskKind>(kind: K): readonly Task<K>[] {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.ofKind(kind), [store, kind]),
  );
}

/** All running tasks. Only below TasksProvider. */
export function useRunningTasks(): readonly Task[] {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.running);
}

function useStore(): TaskStore {
  const store = use(TasksContext);
  if (!store) throw new Error('useStore outside TasksProvider');
  return store;
}

/** Background tasks of this session with their last known state: running ones and ended ones. */
interface TaskStore {
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
