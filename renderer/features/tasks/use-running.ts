import type { TFunction } from 'i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { useRunningTasks } from '../../bridge/tasks.tsx';
import type { useFormat } from '../../parts/format.ts';
import { useBulks, usePausedBulks } from '../jobs/bulks.ts';
import { useJobs } from '../jobs/jobs.tsx';
import { transferOf } from '../jobs/jobs-view.ts';

type Format = ReturnType<typeof useFormat>;

/** Everything that runs now, and what waits: jobs between two uploads or while sending is paused, and the rows of bulks that a person paused. */
export function useRunning() {
  const tasks = useRunningTasks();
  const transfer = transferOf(useJobs().view);
  const bulks = (useBulks().data ?? []).filter(({ state }) => state === 'sending');
  return {
    ...transfer,
    tasks,
    bulks,
    pausedBulks: usePausedBulks(),
    count: tasks.length + transfer.uploads + bulks.length,
  };
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

/** That bulks are paused, and how many of their requests were not sent; null if none is. */
export function pausedBulksText(t: TFunction, format: Format, bulks: readonly Bulk[]): string | null {
  const left = bulks.map(({ counts, includeWarnings }) => counts.ready + (includeWarnings ? counts.withWarnings : 0));
  const shown = format.number(left.reduce((sum, n) => sum + n, 0));
  return bulks.length > 0 ? t('status.bulksPaused', { shown }) : null;
}
