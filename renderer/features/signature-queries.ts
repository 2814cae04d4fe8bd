import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallBudget } from '../../contract/budget.ts';
import type { CallInput, EventName } from '../../contract/index.ts';
import type { TrackedEntry, TrackedGroup, TrackedList, TrackingState } from '../../contract/tracking.ts';
import { askValue, listen } from '../bridge/client.ts';
import { useWindowed, type Windowed } from './use-pages.ts';

/** Filter as the core takes it, all parts optional. */
export type TrackedAsk = Omit<CallInput<'tracking.entries'>, 'connectionId' | 'offset' | 'limit'>;

/** What jobs became is read again at most so often, however fast they change. */
const readEveryMs = 400;

/** Lists, counts and budget of a connection, as last told. */
export function useTracking(connectionId: string) {
  return useQuery({
    queryKey: ['tracking', connectionId],
    queryFn: () => askValue('tracking.state', { connectionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Keeps what is on screen as the core tells it; once, for the whole window. */
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
          void client.invalidateQueries({ queryKey: ['tracked', state.connectionId] });
        }
      }),
      listen('budget.changed', (budget) => client.setQueryData(['budget'], budget)),
      again('drafts.changed', 'drafts'),
      again('templates.changed', 'templates'),
      again('answers.changed', 'answers', 'tracked', 'documents'),
      listen('jobs.changed', () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          for (const key of ['sent', 'notes']) void client.invalidateQueries({ queryKey: [key] });
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

/** What the program may ask by itself in an hour; nothing until known. */
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

/** One entry with the history of its document's statuses. */
export function useTrackedEntry(connectionId: string, entryId: string) {
  return useQuery({
    queryKey: ['tracked', connectionId, 'entry', entryId],
    queryFn: () => askValue('tracking.entry', { connectionId, entryId }),
    placeholderData: (before) => before,
  });
}

/** Templates that somebody wrote down for this connection or for all of them. */
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
