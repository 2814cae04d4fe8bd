import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallBudget } from '../../contract/budget.ts';
import type { CallInput, EventName } from '../../contract/index.ts';
import type { TrackedEntry, TrackedGroup, TrackedList, TrackingState } from '../../contract/tracking.ts';
import { askValue, listen } from '../bridge/client.ts';
import { useWindowed, type Windowed } from './use-pages.ts';

/** The core's filter, all fields optional. */
export type TrackedAsk = Omit<CallInput<'tracking.entries'>, 'connectionId' | 'offset' | 'limit'>;

/** Minimum time between two reads of the outcomes of jobs. */
const readEveryMs = 400;

/** Lists, counts and budget of a connection from the last event. */
export function useTracking(connectionId: string) {
  return useQuery({
    queryKey: ['tracking', connectionId],
    queryFn: () => askValue('tracking.state', { connectionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Updates the visible data by the core's events; used once for the whole window. */
export function useSignatureChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (name: EventName, ...keys: readonly string[]) =>
      listen(name, () => {
        for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
      });
    const stops = [
      listen('tracking.changed', (state) => {
        const before = client.getQueryData<TrackingState>(['tracking', state.connectionId]);
        client.setQueryData(['tracking', state.connectionId], state);
        client.setQueryData(['budget'], state.budget);
        if (!before || signOf(before) !== signOf(state)) {
          for (const key of ['tracked', 'unlisted'])
            void client.invalidateQueries({ queryKey: [key, state.connectionId] });
        }
      }),
      listen('budget.changed', (budget) => client.setQueryData(['budget'], budget)),
      again('drafts.changed', 'drafts'),
      again('templates.changed', 'templates'),
      again('answers.changed', 'answers', 'tracked', 'documents'),
      listen('jobs.changed', () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          for (const key of ['sent', 'unlisted', 'notes']) void client.invalidateQueries({ queryKey: [key] });
        }, readEveryMs);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [client]);
}

function signOf(state: TrackingState): string {
  const ofList = (list: TrackedList) => [list.listType, list.asOf, list.total, list.newCount, list.movedCount];
  return JSON.stringify([state.dueCount, state.lists.map(ofList)]);
}

/** The budget of automatic calls; null until known. */
export function useCallBudget(): CallBudget | null {
  const query = useQuery({
    queryKey: ['budget'],
    queryFn: () => askValue('budget.state', {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data ?? null;
}

export function useTrackedEntries(connectionId: string, filter: TrackedAsk): Windowed<TrackedEntry> {
  return useWindowed(['tracked', connectionId, 'entries', filter], async (offset, limit) => {
    const { entries, total } = await askValue('tracking.entries', { connectionId, ...filter, offset, limit });
    return { rows: entries, total };
  });
}

export function useTrackedGroups(connectionId: string, filter: TrackedAsk): Windowed<TrackedGroup> {
  return useWindowed(['tracked', connectionId, 'groups', filter], async (offset, limit) => {
    const { groups, total } = await askValue('tracking.groups', { connectionId, ...filter, offset, limit });
    return { rows: groups, total };
  });
}

/** Requests from the ledger that the service does not list yet. */
export function useUnlisted(connectionId: string) {
  return useQuery({
    queryKey: ['unlisted', connectionId],
    queryFn: () => askValue('tracking.unlisted', { connectionId }),
  });
}

/** One entry with the history of its document's statuses. */
export function useTrackedEntry(connectionId: string, entryId: string) {
  return useQuery({
    queryKey: ['tracked', connectionId, 'entry', entryId],
    queryFn: () => askValue('tracking.entry', { connectionId, entryId }),
    placeholderData: (before) => before,
  });
}

/** Saved templates for this connection or for all. */
export function useTemplates(connectionId?: string) {
  return useQuery({
    queryKey: ['templates', connectionId ?? 'all'],
    queryFn: () => askValue('templates.list', connectionId === undefined ? {} : { connectionId }),
  });
}

export function useDrafts(connectionId: string) {
  return useQuery({ queryKey: ['drafts', connectionId], queryFn: () => askValue('drafts.list', { connectionId }) });
}

export function useAnswersTable() {
  return useQuery({ queryKey: ['answers', 'table'], queryFn: () => askValue('answers.table', {}) });
}

/** The one job of a request that was just given to the queue; null until it is read. */
export function useJobOfBatch(batchId: string) {
  return useQuery({
    queryKey: ['sent', 'batch', batchId],
    queryFn: async () => (await askValue('jobs.list', { batchId, limit: 1 })).jobs[0] ?? null,
  });
}
