import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { askValue, listen } from '../../bridge/client.ts';
import { readTold } from '../../bridge/read-told.ts';
import { useJobs } from './jobs.tsx';

/** Updates the visible bulks by the core's events; used once for the whole window. */
export function useBulkChanges(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listen('bulk.changed', (bulk) => {
        client.setQueryData<readonly Bulk[]>(['bulks'], (have) => have && withBulk(have, bulk));
        void client.invalidateQueries({ queryKey: ['bulk-rows', bulk.id] });
      }),
    [client],
  );
}

function withBulk(all: readonly Bulk[], bulk: Bulk): readonly Bulk[] {
  return all.some(({ id }) => id === bulk.id) ? all.map((one) => (one.id === bulk.id ? bulk : one)) : [bulk, ...all];
}

/** Bulks that were paused, taken back, or begun with their first row: the other rows wait for a person. */
export function usePausedBulks(): readonly Bulk[] {
  return (useBulks().data ?? []).filter(({ state }) => state === 'paused');
}

/** Whether a bulk that is being sent stands still: all, or its connection, waits for a person, and nothing of it is being sent. */
export function useIsHeld(): (bulk: Pick<Bulk, 'connectionId' | 'batchId' | 'state'>) => boolean {
  const { queue, sending } = useJobs().view;
  return ({ connectionId, batchId, state }) =>
    state === 'sending' &&
    (queue.isPaused || queue.held.some((one) => one.connectionId === connectionId)) &&
    ![...sending.values()].some((job) => job.batchId === batchId);
}

/** What a bulk does, as its rows say it: nothing is sent before its first request leaves, and while everything or its connection waits. */
export function useBulkState(): (bulk: Bulk) => string {
  const { t } = useTranslation();
  const { countdowns, held, isPaused } = useJobs().view.queue;
  return ({ id, connectionId, state, counts }) => {
    const countdown = countdowns.find(({ bulkId }) => bulkId === id);
    const isHeld = held.some((one) => one.connectionId === connectionId);
    const waits = countdown
      ? countdown.isStopped
        ? 'countdown-stopped'
        : 'countdown'
      : isPaused
        ? 'all'
        : isHeld && 'connection';
    if (waits && (state === 'sending' || countdown)) return t(`jobs.pausedBy.${waits}`);
    return t(`bulk.bulkState.${state === 'paused' && counts.queued === 0 ? 'checked' : state}`);
  };
}

/** How many requests a bulk sends in all: without rows that have errors, were taken back, or are not to be sent. */
export const requestsOf = ({ counts, includeWarnings }: Bulk): number =>
  counts.queued + counts.ready + (includeWarnings ? counts.withWarnings : 0);

/** All bulks. */
export function useBulks() {
  return useQuery({
    queryKey: ['bulks'],
    queryFn: () => readTold(() => askValue('bulk.list', {}), { 'bulk.changed': withBulk }),
  });
}
