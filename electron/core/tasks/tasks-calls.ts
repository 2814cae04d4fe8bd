import type { HandlersOf } from '../../../contract/index.ts';
import type { Tasks } from './tasks.ts';

/** Calls about running tasks of every kind. */
export function taskCalls(tasks: Tasks): HandlersOf<'tasks'> {
  return {
    'tasks.list': async () => [...tasks.resumable(), ...tasks.list()],
    'tasks.stop': async ({ taskId }) => {
      await tasks.stop(taskId);
      return null;
    },
    'tasks.resume': async ({ taskId }) => tasks.resume(taskId),
    'tasks.forget': async ({ taskId }) => {
      tasks.forget(taskId);
      return null;
    },
  };
}
