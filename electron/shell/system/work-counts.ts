import { isDeepStrictEqual } from 'node:util';
import type { Bridge, CallOutput, EventValue } from '../../../contract/index.ts';
import type { QueueState } from '../../../contract/jobs.ts';
import type { Task } from '../../../contract/tasks.ts';

/** Counts what runs, files that are sent or are in turn, those that can be taken back or wait for a person or a connection, and tasks: what the core says at the start, then by its events. `onChange` is called when a number changes. */
export function followWork(core: Bridge, onChange: () => void) {
  let files: ReturnType<typeof openFiles> | null = null;
  const running = new Set<string>();
  /** Tasks that ended before the core said what runs. */
  let ended: Set<string> | null = new Set();
  const counts = () => ({ ...(files ?? noFiles), tasks: running.size });
  const change = (make: () => void) => {
    const before = counts();
    make();
    const now = counts();
    if (!isDeepStrictEqual(now, before)) onChange();
  };
  core.onEvent((name, value) =>
    change(() => {
      // The values come from the core, and the contract gives them these types.
      if (name === 'jobs.changed') files = openFiles(value as EventValue<'jobs.changed'>);
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
      if (answer.ok) files ??= openFiles(answer.value as CallOutput<'jobs.list'>);
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

const noFiles = { sending: 0, inCountdown: 0, waiting: 0 };

function openFiles(queue: QueueState): typeof noFiles {
  const { counts, countdowns, held, backingOff, askingCount, isPaused } = queue;
  const countsOf = (isStopped: boolean) =>
    sumOf(countdowns.filter((one) => one.isStopped === isStopped).map(({ count }) => count));
  const away = backingOff.filter((one) => !held.some(({ connectionId }) => connectionId === one.connectionId));
  const kept = askingCount + countsOf(true) + sumOf([...held, ...away].map(({ openJobs }) => openJobs));
  const [all, inCountdown] = [counts.prepared + counts.waiting, countsOf(false)];
  const inTurn = isPaused ? 0 : Math.max(0, all - inCountdown - kept);
  return { sending: counts.sending + inTurn, inCountdown, waiting: Math.max(0, all - inCountdown - inTurn) };
}

const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
