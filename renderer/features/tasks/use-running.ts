import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { useLive } from '../../bridge/live.tsx';
import { useRunningTasks } from '../../bridge/tasks.tsx';
import type { useFormat } from '../../parts/format.ts';
import { useBulks, usePausedBulks } from '../jobs/bulks.ts';
import { useJobs } from '../jobs/jobs.tsx';
import { transferOf } from '../jobs/jobs-view.ts';

type Format = ReturnType<typeof useFormat>;

/** Everything that runs now, and what waits: jobs between two uploads or while sending is paused, and the rows of bulks that a person paused. */
export function useRunning() {
  const tasks = useRunningTasks();
  const bulks = (useBulks().data ?? []).filter(({ state }) => state === 'sending');
  const transfer = transferOf(useJobs().view, bulks);
  return {
    ...transfer,
    tasks,
    bulks,
    pausedBulks: usePausedBulks(),
    count: tasks.length + Math.max(0, transfer.uploads - transfer.uploadsOfBulks) + bulks.length,
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

/** Connections on which a person lets sending go on, and how many wait there: as Home says it. */
export function useHeldTexts(): readonly string[] {
  const { t } = useTranslation();
  const { connections } = useLive().connections;
  return useJobs().view.queue.held.map(({ connectionId, openJobs }) => {
    const connection = connections.find(({ id }) => id === connectionId)?.name ?? t('documents.gone');
    const kind = t('jobs.heldHeading', { connection });
    return openJobs > 0 ? t('tasks.named', { kind, what: t('status.waiting', { count: openJobs }) }) : kind;
  });
}

/** That bulks are paused, and how many of their requests were not sent; null if none is. */
export function pausedBulksText(t: TFunction, format: Format, bulks: readonly Bulk[]): string | null {
  const left = bulks.map(({ counts, includeWarnings }) => counts.ready + (includeWarnings ? counts.withWarnings : 0));
  const shown = format.number(left.reduce((sum, n) => sum + n, 0));
  return bulks.length > 0 ? t('status.bulksPaused', { shown }) : null;
}
