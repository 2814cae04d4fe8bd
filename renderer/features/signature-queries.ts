import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallBudget } from '../../contract/budget.ts';
import type { FormPlace, StoredForm } from '../../contract/forms.ts';
import type { CallInput, EventName } from '../../contract/index.ts';
import type {
  RequestProgress,
  TrackedEntry,
  TrackedGroup,
  TrackedList,
  TrackingState,
} from '../../contract/tracking.ts';
import { askValue, listen } from '../bridge/client.ts';
import { readAgainEvery } from '../bridge/queries.ts';
import { readTold } from '../bridge/read-told.ts';
import { useFormat } from '../parts/format.ts';
import { useWindowed, type Windowed } from './list/pages.ts';

/** The core's filter, all fields optional. */
export type TrackedAsk = Omit<CallInput<'tracking.entries'>, 'connectionId' | 'offset' | 'limit'>;

/** Minimum time between two reads of the register, and of the outcomes of jobs. */
const readEveryMs = 400;
/** Minimum time between two reads of requests, which are counted anew, while jobs change. */
const countEveryMs = 1_000;

/** Lists, counts and budget of a connection from the last event. */
export function useTracking(connectionId: string) {
  return useQuery({
    queryKey: ['tracking', connectionId],
    queryFn: () =>
      readTold(() => askValue('tracking.state', { connectionId }), {
        'tracking.changed': (state, now) => (now.connectionId === connectionId ? now : state),
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Updates the visible data by the core's events; used once for the whole window. */
export function useSignatureChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const again = (names: readonly EventName[], everyMs: number, ...keys: readonly string[]) => {
      const reading = readAgainEvery(client, everyMs, ...keys);
      return [...names.map((name) => listen(name, reading.request)), reading.stop];
    };
    const stops = [
      listen('tracking.changed', (state) => {
        const before = client.getQueryData<TrackingState>(['tracking', state.connectionId]);
        client.setQueryData(['tracking', state.connectionId], state);
        client.setQueryData(['budget'], state.budget);
        if (!before || signOf(before) !== signOf(state)) {
          void client.invalidateQueries({ queryKey: ['tracked', state.connectionId] });
          // A list may name the document of a request whose answer named none.
          void client.invalidateQueries({ queryKey: ['documents'] });
        }
      }),
      listen('budget.changed', (budget) => client.setQueryData(['budget'], budget)),
      // Also when the window gets another language: the lists have names in it.
      ...again(['connections.changed'], 0, 'tracking'),
      ...again(['forms.changed'], 0, 'forms'),
      ...again(['answers.changed'], 0, 'answers', 'tracked', 'documents'),
      ...again(['documents.changed'], readEveryMs, 'documents'),
      ...again(['jobs.changed'], readEveryMs, 'sent', 'notes'),
      // A status may show that a request is complete.
      ...again(['jobs.changed', 'documents.changed'], countEveryMs, 'tracking', 'tracked'),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}

function signOf(state: TrackingState): string {
  const ofList = (list: TrackedList) => [list.listType, list.asOf, list.total, list.newCount, list.movedCount];
  return JSON.stringify([state.dueCount, state.requests, state.unlistedChanges, state.lists.map(ofList)]);
}

/** Of when the shown copies of these lists are, from the oldest to the newest, as each is read by itself; null before all were read: what is in none may be in the next. */
export function useCopyTime(lists: readonly TrackedList[]): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const times = lists.flatMap(({ asOf }) => asOf ?? []).sort();
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined || lists.some(isUnread)) return null;
  const [from, to] = [format.momentInText(oldest), format.momentInText(newest)];
  if (from === to) return to;
  const isOneDay = new Date(oldest).toDateString() === new Date(newest).toDateString();
  return t('common.span', { from, to: isOneDay ? format.time(newest) : to });
}

/** It was never read completely: what it has is not known. */
export const isUnread = ({ asOf }: TrackedList) => asOf === null;

/** The budget of automatic calls; null until known. */
export function useCallBudget(): CallBudget | null {
  const query = useQuery({
    queryKey: ['budget'],
    queryFn: () =>
      readTold(() => askValue('budget.state', {}), {
        'tracking.changed': (_, { budget }) => budget,
        'budget.changed': (_, budget) => budget,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data ?? null;
}

export function useTrackedEntries(connectionId: string, filter: TrackedAsk): Windowed<TrackedEntry> {
  return useWindowed(['tracked', connectionId, 'entries'], { connectionId, ...filter }, async (page) => {
    const { entries, total } = await askValue('tracking.entries', page);
    return { rows: entries, total };
  });
}

export function useTrackedGroups(connectionId: string, filter: TrackedAsk, isShown: boolean): Windowed<TrackedGroup> {
  const read = async (page: CallInput<'tracking.groups'>) => {
    const { groups, total } = await askValue('tracking.groups', page);
    return { rows: groups, total };
  };
  return useWindowed(['tracked', connectionId, 'groups'], { connectionId, ...filter }, read, isShown);
}

/** One entry with the history of its document's statuses. */
export function useTrackedEntry(connectionId: string, entryId: string) {
  return useQuery({
    queryKey: ['tracked', connectionId, 'entry', entryId],
    queryFn: () => askValue('tracking.entry', { connectionId, entryId }),
    placeholderData: (before) => before,
  });
}

/** Templates that the connection's service itself names. */
export function useOfferedTemplates(connectionId: string) {
  return useQuery({
    queryKey: ['offered-templates', connectionId],
    queryFn: () => askValue('templates.offered', { connectionId }),
    staleTime: 60_000,
  });
}

export type FormOf<P extends FormPlace> = Extract<StoredForm, { readonly place: P }>;

/** What is stored in one place, on a connection and for every connection. */
export function useForms<P extends FormPlace>(place: P, connectionId: string) {
  return useQuery({
    queryKey: ['forms', place, connectionId],
    queryFn: async () => {
      const forms = await askValue('forms.list', { place, connectionId });
      return forms.filter((form): form is FormOf<P> => form.place === place);
    },
  });
}

/** A draft with its files, as it is stored now. */
export function useDraftForm(id: string | null) {
  return useQuery({
    queryKey: ['draft', id],
    queryFn: () => askValue('forms.open', { id: id ?? '' }),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // The draft may have been changed or sent since it was last read.
    refetchOnMount: 'always',
    gcTime: 0,
  });
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

type ProgressOf = RequestProgress & Partial<Pick<TrackedGroup, 'signers' | 'state' | 'job'>>;

/** How many of a request signed, as far as it is known, and as of when where an answer says it and no list, or that a list is not loaded that may have more. `isShort`: beside words that say that it is about signatures. Of what the service has not taken only whether another was sent in its place. */
export function useProgressText() {
  const { t } = useTranslation();
  const format = useFormat();
  return (of: ProgressOf, isShort = false): string => {
    if (of.job) return of.state === 'not-known' ? t('jobs.corrected') : '';
    if (of.mayHaveMore) return t('tracking.neverAsked');
    const [signed, shown] = [format.number(of.signedCount), format.number(of.signerCount)];
    const asked = (of.signers ?? [])
      .flatMap(({ state, at }) => (state === 'waiting' && at !== null ? at : []))
      .sort()[0];
    const progress =
      isShort || asked !== undefined
        ? t('common.ofTotal', { done: signed, total: shown })
        : t('tracking.signedOf', { count: of.signerCount, signed, shown });
    if (of.hasUnknown) return t('tracking.seenSoFar', { progress });
    if (asked === undefined) return progress;
    const time = format.isToday(asked) ? format.time(asked) : format.date(asked);
    return `${progress} · ${t('documents.asOf', { time })}`;
  };
}
