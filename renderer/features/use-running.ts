import { useRunningTasks } from '../bridge/tasks.tsx';
import { useBulks } from './bulks.ts';
import { useJobs } from './jobs.tsx';
import { transferOf } from './jobs-view.ts';

/** Everything that runs now, and the jobs that wait: between two uploads, or while sending is paused. */
export function useRunning() {
  const tasks = useRunningTasks();
  const { uploads, waiting } = transferOf(useJobs().view);
  const bulks = (useBulks().data ?? []).filter(({ state }) => state === 'sending');
  return { tasks, bulks, uploads, waiting, count: tasks.length + uploads + bulks.length };
}
