import type { Task, TaskKind } from '../../contract/tasks.ts';
import type { Session } from './session.ts';

/** Starts a task and resolves with it when it has ended. Ctrl-C stops it. Rejects if it does not start. */
export async function awaitTask<K extends TaskKind>(
  session: Session,
  start: () => Promise<Task<K>>,
  interrupted?: AbortSignal,
): Promise<Task<K>> {
  const ended = new Map<string, Task>();
  let wake: () => void = () => undefined;
  const stopListening = session.listen('tasks.ended', (task) => {
    ended.set(task.taskId, task);
    wake();
  });
  try {
    const { taskId } = await start();
    const stop = () => void session.ask('tasks.stop', { taskId });
    interrupted?.addEventListener('abort', stop, { once: true });
    if (interrupted?.aborted) stop();
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const task = ended.get(taskId);
      if (task) return task as Task<K>;
      await changed;
    }
  } finally {
    stopListening();
  }
}
