import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkFilter } from '../../../contract/bulk.ts';
import { askValue, listen } from '../../bridge/client.ts';
import { readTold } from '../../bridge/read-told.ts';
import { useFormat } from '../../parts/format.ts';
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

/** How many rows of the bulks that are being sent over a connection are not in the queue yet: they wait for what its jobs wait for. */
export function useRowsToCome(): (connectionId: string) => number {
  const bulks = (useBulks().data ?? []).filter(({ state }) => state === 'sending');
  return (id) =>
    bulks.filter(({ connectionId }) => connectionId === id).reduce((sum, bulk) => sum + countsOf(bulk).ready, 0);
}

/** What a bulk does, as its rows say it: nothing is sent before its first request leaves, and while everything or its connection waits. A finished one says what of it was not sent. */
export function useBulkState(): (bulk: Bulk) => string {
  const { t } = useTranslation();
  const [format, textsOf] = [useFormat(), useCountTexts()];
  const { countdowns, isPaused } = useJobs().view.queue;
  const isHeld = useIsHeld();
  return (bulk) => {
    const { id, state, counts } = bulk;
    // Of what is stopped a person decides first; what counts down beside what is sent has its own line.
    const countdown = countdowns.findLast(
      ({ bulkId, isStopped, count }) => bulkId === id && (isStopped || count >= countsOf(bulk).waiting),
    );
    if (countdown) return t(`jobs.pausedBy.${countdown.isStopped ? 'countdown-stopped' : 'countdown'}`);
    if (isAsking(bulk)) return t('jobs.pausedBy.duplicate');
    if (isHeld(bulk)) return t(`jobs.pausedBy.${isPaused ? 'all' : 'connection'}`);
    if (state === 'checked' && isSentBefore(bulk) && counts.withErrors === 0) return t('bulk.states.before');
    const kind = t(`bulk.bulkState.${state === 'paused' && counts.queued === 0 ? 'checked' : state}`);
    const others = state === 'finished' ? textsOf(bulk, ['notSent', ...ends]) : [];
    return others.length > 0 ? t('tasks.named', { kind, what: format.amounts(others) }) : kind;
  };
}

/** Whether all that is left of a bulk that was sent waits for a person's decision. */
export const isAsking = (bulk: Bulk): boolean => {
  const { asking, waiting, ready } = countsOf(bulk);
  return bulk.state === 'sending' && asking > 0 && waiting + ready === 0;
};

/** Whether the same as all that is left of a bulk is known to be sent, and nobody wants it sent again. */
export const isSentBefore = ({ counts: { ready, withWarnings, sentBefore }, includeWarnings }: Bulk): boolean =>
  !includeWarnings && ready === 0 && sentBefore > 0 && withWarnings === sentBefore;

/** What rows came to that were not sent by it. */
const ends = ['in-doubt', 'refused', 'failed', 'cancelled', 'before'] as const;

/** In words how many rows of a bulk were sent of all, so that the sum is the same whatever it does, and what else they came to. */
export function useRowTexts(): (bulk: Bulk) => readonly [string, ...string[]] {
  const { t } = useTranslation();
  const [format, textsOf] = [useFormat(), useCountTexts()];
  return (bulk) => {
    const count = bulk.rowCount;
    const sent = t('bulk.sentOf', { sent: format.number(bulk.counts.done), count, total: format.number(count) });
    return [sent, ...textsOf(bulk, ['errors', 'warnings', ...ends])];
  };
}

function useCountTexts() {
  const { t } = useTranslation();
  const format = useFormat();
  return (bulk: Bulk, kinds: readonly Exclude<keyof ReturnType<typeof countsOf>, 'asking'>[]): readonly string[] => {
    const counts = countsOf(bulk);
    return kinds.filter((one) => counts[one] > 0).map((one) => t(`bulk.counts.${one}`, format.counted(counts[one])));
  };
}

/** Number of rows by filter: each row counts once. `notSent`: those of them that were not given to the queue, other than of which the same was sent. */
export function countsOf(bulk: Bulk): Record<Exclude<BulkFilter, 'all'> | 'notSent', number> {
  const { counts, includeWarnings } = bulk;
  return {
    ...counts,
    notSent: counts.ready + counts.withErrors + counts.withWarnings - (includeWarnings ? 0 : counts.sentBefore),
    errors: counts.withErrors,
    warnings: includeWarnings ? 0 : counts.withWarnings - counts.sentBefore,
    before: counts.passedOver + (includeWarnings ? 0 : counts.sentBefore),
    ready: counts.ready + (includeWarnings ? counts.withWarnings : 0),
    waiting: counts.waiting - counts.asking,
    'in-doubt': counts.inDoubt,
  };
}

/** All bulks. */
export function useBulks() {
  return useQuery({
    queryKey: ['bulks'],
    queryFn: () => readTold(() => askValue('bulk.list', {}), { 'bulk.changed': withBulk }),
  });
}
