import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { CallBudget } from '../../contract/budget.ts';
import type { CallInput, EventName } from '../../contract/index.ts';
import type { TrackedEntry, TrackedGroup, TrackedList, TrackingState } from '../../contract/tracking.ts';
import { askValue, listen } from './door.ts';

/** Filter as the core takes it, all parts optional. */
export type TrackedAsk = Omit<CallInput<'tracking.entries'>, 'connectionId' | 'offset' | 'limit'>;

const pageSize = 200;
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
      listen('activity.changed', () => {
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

/** Rows of any long list of the core, of which only the pages that are looked at are read. */
export interface Windowed<T> {
  readonly total: number | null;
  readonly rowAt: (index: number) => T | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly failure: import('../../contract/failure.ts').Failure | null;
  readonly again: () => void;
}

/** `read` answers one page; `key` names everything that the rows depend on. */
export function useWindowed<T>(
  key: readonly unknown[],
  read: (offset: number, limit: number) => Promise<{ readonly rows: readonly T[]; readonly total: number }>,
): Windowed<T> {
  const [pages, setPages] = useState<readonly number[]>([0]);
  const [lastTotal, setLastTotal] = useState<number | null>(null);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: () => read(page * pageSize, pageSize),
    })),
  });
  const told = results.find((result) => result.data)?.data?.total ?? null;
  useEffect(() => {
    if (told !== null) setLastTotal(told);
  }, [told]);
  const onRange = useCallback((first: number, last: number) => {
    const from = Math.floor(first / pageSize);
    const to = Math.floor(last / pageSize);
    setPages((have) =>
      have[0] === from && have.at(-1) === to ? have : Array.from({ length: to - from + 1 }, (_, at) => from + at),
    );
  }, []);
  return {
    total: told ?? lastTotal,
    rowAt: (index) => results[pages.indexOf(Math.floor(index / pageSize))]?.data?.rows[index % pageSize],
    onRange,
    failure: results.find((result) => result.error)?.error?.failure ?? null,
    again: () => {
      for (const result of results) void result.refetch();
    },
  };
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
    queryFn: async () => (await askValue('activity.list', { batchId, limit: 1 })).jobs[0] ?? null,
  });
}
