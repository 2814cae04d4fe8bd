import type { TFunction } from 'i18next';
import { useRunningTasks } from '../bridge/tasks.tsx';
import { useBulks } from './bulks.ts';
import { useJobs } from './jobs.tsx';
import { transferOf } from './jobs-view.ts';

/** Everything that runs now, and the jobs that wait: between two uploads, or while sending is paused. */
export function useRunning() {
  const tasks = useRunningTasks();
  const transfer = transferOf(useJobs().view);
  const bulks = (useBulks().data ?? []).filter(({ state }) => state === 'sending');
  return { ...transfer, tasks, bulks, count: tasks.length + transfer.uploads + bulks.length };
}

/** How many wait their turn, and apart from them how many wait for a connection that is away. */
export function waitingTexts(
  t: TFunction,
  { waiting, waitingAway }: Pick<ReturnType<typeof transferOf>, 'waiting' | 'waitingAway'>,
) {
  const inTurn = waiting - waitingAway;
  return [
    inTurn > 0 ? t('status.waiting', { count: inTurn }) : null,
    waitingAway > 0 ? t('status.waitingAway', { count: waitingAway }) : null,
  ];
}
