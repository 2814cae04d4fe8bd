import { createContext, type ReactNode, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Task, TaskKind } from '../../contract/tasks.ts';
import { ask, listen } from './client.ts';
import { createTaskStore, type TaskStore } from './task-store.ts';

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
