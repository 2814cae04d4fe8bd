import type { Bridge, CallOutput, EventValue } from '../../../contract/index.ts';
import type { Task } from '../../../contract/tasks.ts';

/** Counts what runs, files that are sent or wait for it, and tasks: what the core says at the start, then by its events. `onChange` is called when a number changes. */
export function followWork(core: Bridge, onChange: () => void) {
  let files: number | null = null;
  const running = new Set<string>();
  /** Tasks that ended before the core said what runs. */
  let ended: Set<string> | null = new Set();
  const counts = () => ({ files: files ?? 0, tasks: running.size });
  const change = (make: () => void) => {
    const before = counts();
    make();
    const now = counts();
    if (now.files !== before.files || now.tasks !== before.tasks) onChange();
  };
  core.onEvent((name, value) =>
    change(() => {
      // The values come from the core, and the contract gives them these types.
      if (name === 'jobs.changed') files = openJobs(value as EventValue<'jobs.changed'>);
      else if (name === 'tasks.started') running.add((value as Task).taskId);
      else if (name === 'tasks.ended') {
        running.delete((value as Task).taskId);
        ended?.add((value as Task).taskId);
      }
    }),
  );
  // What an event said meanwhile is newer than these answers.
  void core.call('jobs.list', { limit: 1 }).then((answer) =>
    change(() => {
      if (answer.ok) files ??= openJobs(answer.value as CallOutput<'jobs.list'>);
    }),
  );
  void core.call('tasks.list', {}).then((answer) =>
    change(() => {
      const tasks = answer.ok ? (answer.value as CallOutput<'tasks.list'>) : [];
      for (const { taskId, state } of tasks) if (state === 'running' && !ended?.has(taskId)) running.add(taskId);
      ended = null;
    }),
  );
  return counts;
}

function openJobs({ counts }: Pick<EventValue<'jobs.changed'>, 'counts'>): number {
  return counts.prepared + counts.waiting + counts.sending;
}
