import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { isOfFirstFile } from '../../../contract/verify-result.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useLive } from '../../bridge/live.tsx';
import { useRunningTasks } from '../../bridge/tasks.tsx';
import { type useFormat, visibleName } from '../../parts/format.ts';
import { countsOf, isAsking, useBulks, useIsHeld, usePausedBulks, useRowsToCome } from '../jobs/bulks.ts';
import { useJobs } from '../jobs/jobs.tsx';
import { transferOf } from '../jobs/jobs-view.ts';

type Format = ReturnType<typeof useFormat>;

/** Everything that runs now, and what waits: jobs between two uploads or while sending is paused, and the rows of bulks that a person paused or that are on hold. A bulk whose countdown was stopped, or of which all that is left are duplicates, waits for a decision where that is asked. */
export function useRunning() {
  const tasks = useRunningTasks();
  const isHeld = useIsHeld();
  const { view } = useJobs();
  const isStopped = (bulk: Bulk) =>
    isAsking(bulk) || view.queue.countdowns.some(({ bulkId, isStopped }) => bulkId === bulk.id && isStopped);
  const sending = (useBulks().data ?? []).filter((bulk) => bulk.state === 'sending' && !isStopped(bulk));
  const bulks = sending.filter((bulk) => !isHeld(bulk));
  const transfer = transferOf(view, bulks);
  const toCome = useRowsToCome();
  return {
    ...transfer,
    held: useHeldTexts(toCome),
    onHold: view.queue.held.reduce((sum, { connectionId }) => sum + toCome(connectionId), transfer.onHold),
    tasks,
    bulks,
    pausedBulks: [...usePausedBulks(), ...sending.filter(isHeld)],
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
function useHeldTexts(toCome: (connectionId: string) => number): readonly string[] {
  const { t } = useTranslation();
  const { connections } = useLive().connections;
  return useJobs().view.queue.held.map(({ connectionId, openJobs }) => {
    const count = openJobs + toCome(connectionId);
    const connection = connections.find(({ id }) => id === connectionId)?.name ?? t('documents.gone');
    const kind = t('jobs.heldHeading', { connection });
    return count > 0 ? t('tasks.named', { kind, what: t('status.waiting', { count }) }) : kind;
  });
}

/** That bulks are paused, and how many of their rows were not sent; null if none is. */
export function pausedBulksText(t: TFunction, format: Format, bulks: readonly Bulk[]): string | null {
  const left = bulks.reduce(
    (sum, bulk) => sum + countsOf(bulk).notSent + (bulk.state === 'sending' ? bulk.counts.waiting : 0),
    0,
  );
  return left > 0
    ? t('tasks.named', { kind: t('bulk.title'), what: t('bulk.counts.notSent', format.counted(left)) })
    : null;
}

/** The progress of a task as an amount. */
interface TaskAmount {
  readonly done: number;
  /** Null if it is not known (yet). */
  readonly total: number | null;
  readonly unit: 'bytes' | 'files' | 'documents';
}

export function amountOf(task: Task): TaskAmount {
  const { kind, progress } = task;
  switch (kind) {
    case 'download':
      return { done: progress.receivedBytes, total: progress.totalBytes, unit: 'bytes' };
    case 'bulk-download':
      return { done: progress.doneCount + progress.failedCount, total: progress.total, unit: 'documents' };
    case 'status-refresh':
      return { done: progress.askedCount, total: progress.total, unit: 'documents' };
    case 'duplicate-check':
      return { done: progress.readBytes, total: progress.totalBytes, unit: 'bytes' };
    case 'report':
      return { done: progress.writtenFiles, total: progress.totalFiles, unit: 'files' };
    case 'comparison':
      return { done: progress.comparison.comparedBytes, total: progress.comparison.copySizeBytes, unit: 'bytes' };
    case 'verification':
      return { done: progress.run.answered, total: progress.run.listing ? null : progress.run.total, unit: 'files' };
  }
}

/** What runs, and how far it is. */
export function taskText(t: TFunction, format: ReturnType<typeof useFormat>, task: Task): string {
  return t('tasks.named', { kind: t(`tasks.kind.${task.kind}`), what: progressText(t, format, task) });
}

/** 1.2 MB of 3.4 MB; 12 of 40 files; and why it does not go on for now. */
export function progressText(t: TFunction, format: ReturnType<typeof useFormat>, task: Task): string {
  return [amountText(t, format, amountOf(task)), waitText(t, format, task)].filter(Boolean).join(' · ');
}

/** Why a task does not go on for now, and when it is tried again; null if it goes on. */
export function waitText(t: TFunction, format: ReturnType<typeof useFormat>, { state, progress }: Task): string | null {
  if (state !== 'running' || !('waitsFor' in progress) || !progress.waitsFor) return null;
  const { waitsFor, away } = progress;
  const next = away?.nextTryAt ? t('jobs.nextTry', { when: format.seconds(away.nextTryAt) }) : null;
  return [t('jobs.waitsFor', { reason: failureText(t, waitsFor).heading }), next].filter(Boolean).join(' · ');
}

function amountText(t: TFunction, format: ReturnType<typeof useFormat>, amount: TaskAmount): string {
  const { done, total, unit } = amount;
  if (unit === 'bytes') {
    const bytes = format.bytes(done);
    return total === null ? bytes : t('common.ofTotal', { done: bytes, total: format.bytes(total) });
  }
  if (total === null) return t(`tasks.${unit}`, { count: done });
  return t(`tasks.${unit}Of`, { done: format.number(done), count: total });
}

/** What was verified: of single files, the first one and how many others. */
export function runName(t: TFunction, run: VerifyRun): string {
  const title = visibleName(run.title);
  return isOfFirstFile(run) ? t('jobs.batchMore', { title, count: run.total - 1 }) : title;
}
