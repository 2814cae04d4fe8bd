import { CheckCheck, RefreshCw, TimerReset } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListMeaning } from '../../../contract/connections.ts';
import { requestStates, type TrackedFilter, type TrackedList, type TrackingState } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { AutoRefresh, NotRead, useCopyText, useRestText } from '../../features/list-readings.tsx';
import { isUnread, useCopyTime } from '../../features/signature-queries.ts';
import { IconButton, ToolButton } from '../../parts/button.tsx';
import { type ChipTone, Counters } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Fold } from '../../parts/problem.tsx';
import { stateTones } from './state-chips.tsx';
import { isNarrowed, type TrackedView } from './tracked-view.ts';

interface RefreshLineProps {
  readonly state: TrackingState;
  readonly list: TrackedList | null;
  /** Number of requests; null until it is known, and if filters narrow a list of signers. */
  readonly requests: number | null;
  /** True if these are all: those that nobody sent from here are then told apart, as above the list. */
  readonly isAll: boolean;
  /** Number of signers, if these are listed. */
  readonly signers: number | null;
}

/** The number of entries, the age of the copy, and the refresh button. */
export function RefreshLine(props: RefreshLineProps) {
  const { state, list } = props;
  const { t } = useTranslation();
  const refresh = useCall('tracking.refresh');
  const markSeen = useCall('tracking.look');
  const [isAsking, setAsking] = useState(false);
  const lists = list ? [list] : state.lists;
  const isRefreshing = lists.some((one) => one.isRefreshing);
  const marks = lists.reduce((sum, one) => sum + one.newCount + one.movedCount, list ? 0 : state.unlistedChanges);
  const { connectionId } = state;
  // All lists are refreshed, so that an entry that moves between lists is recognised.
  const scope = { connectionId, ...(list ? { listType: list.listType } : {}) };
  const parts = useLineTexts(props, lists);
  return (
    <>
      <div className={looks.row}>
        <span role="status" className={looks.twoLines} title={useReadTimes(lists)}>
          {parts.filter((part) => part !== null).join(' · ')}
        </span>
        <ToolButton
          kind="quiet"
          data-refresh=""
          label={isRefreshing ? t('tracking.refreshing') : t('tracking.refresh')}
          icon={<RefreshCw aria-hidden="true" />}
          isPending={isRefreshing}
          onPress={() => void refresh.run({ connectionId })}
        />
        <IconButton
          label={t('tracking.budgetButton')}
          icon={<TimerReset aria-hidden="true" />}
          onPress={() => setAsking(true)}
        />
        {marks > 0 ? (
          // An icon has room on the line, also beside the panel: the list must not move when somebody signs.
          <IconButton
            label={t('tracking.seen', { count: marks })}
            icon={<CheckCheck aria-hidden="true" />}
            onPress={() => void markSeen.run(scope)}
          />
        ) : null}
      </div>
      <Offline lists={lists} />
      {refresh.failure ? <FailureView failure={refresh.failure} calm /> : null}
      {isAsking ? (
        <Dialog title={t('tracking.budgetTitle')} onClose={() => setAsking(false)}>
          <p>{t('tracking.budgetText')}</p>
          <AutoRefresh />
        </Dialog>
      ) : null}
    </>
  );
}

/** When each of the lists was read. */
function useReadTimes(lists: readonly TrackedList[]): string | undefined {
  const format = useFormat();
  return (
    lists.flatMap(({ name, asOf }) => (asOf ? `${name}: ${format.fullMoment(asOf)}` : [])).join(' · ') || undefined
  );
}

function useLineTexts({ state, requests, isAll, signers }: RefreshLineProps, lists: readonly TrackedList[]) {
  const { t } = useTranslation();
  const format = useFormat();
  const { elsewhere: known, ...states } = state.requests;
  const elsewhere = known ?? 0;
  // Counted by itself: while a list is written, rows that are there already are in no count of those from elsewhere.
  const sent = Object.values(states).reduce((sum, one) => sum + one, 0);
  const time = useCopyText(lists, 'tracking.asOf');
  const isWhole = lists.length > 0 && !lists.some(isUnread);
  const nil = lists.reduce((sum, one) => sum + one.nilEntries, 0);
  const isStale = isWhole && lists.every((one) => one.failure !== null);
  const counted = (key: 'tracking.requestCount' | 'tracking.entries', count: number | null) =>
    count === null || !isWhole ? null : t(key, format.counted(count));
  return [
    counted('tracking.requestCount', requests === null || !isAll ? requests : sent),
    isAll && elsewhere > 0 ? t('tracking.andElsewhere', { shown: format.number(elsewhere) }) : null,
    counted('tracking.entries', signers),
    isStale ? null : time,
    useRestText(lists),
    nil > 0 ? t('tracking.nil', { count: nil }) : null,
  ];
}

/** That lists could not be read, so the last copies are shown or there is none of one, in the place of their time, and why. */
function Offline(props: { readonly lists: readonly TrackedList[] }) {
  const { t } = useTranslation();
  const failed = props.lists.filter(({ failure }) => failure !== null);
  const time = useCopyTime(failed);
  const one = failed.find(isUnread) ?? failed[0];
  if (!one?.failure) return null;
  const what = time === null ? t('tracking.offlineNoCopy', { list: one.name }) : t('tracking.offline', { time });
  return (
    <div className={looks.said} role="status">
      <Fold label={what}>
        <FailureView failure={one.failure} calm />
      </Fold>
    </div>
  );
}

const listTones: Record<ListMeaning, ChipTone> = {
  waiting: stateTones.waiting,
  signed: stateTones.complete,
  none: { tone: 'silent', icon: 'dashed' },
};

const ofLists: ReadonlySet<string> = new Set(['waiting', 'partly-signed', 'complete', 'elsewhere']);

/** How many requests are in each state, which together are all that were sent; or how many entries each list of the service has. Each filters. Without numbers while a search or another filter hides some of them. */
export function ViewCounters(props: {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly onFilter: (part: Partial<TrackedFilter>) => void;
}) {
  const { state, view, onFilter } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { filter } = view;
  const isNarrow = useNarrow();
  const counted = (isKnown: boolean, count: number) =>
    isNarrowed(filter) ? {} : { count: isKnown ? format.number(count) : <NotRead /> };
  if (!view.grouped)
    return (
      <Counters
        label={t('tracking.serviceLists')}
        selected={filter.listType === null ? null : String(filter.listType)}
        onSelect={(key) => onFilter({ listType: key === null ? null : Number(key) })}
        counters={state.lists.map(({ listType, name, meaning, asOf, total }) => ({
          key: String(listType),
          ...listTones[meaning],
          text: name,
          ...counted(asOf !== null, total),
        }))}
      />
    );
  const isAny = requestStates.some((key) => state.requests[key] > 0);
  // Before all lists were read, that none is in a state that they tell is not known; without anything that was sent, none at all.
  const isKnown = (key: string) => !state.lists.some(isUnread) || (isAny && !ofLists.has(key));
  // Most of the time everything was sent. In a small window states that no request has are only in the filters.
  const keys = ([...requestStates, 'elsewhere'] as const).filter(
    (key) => state.requests[key] !== 0 || filter.request === key || !(key === 'not-sent' || (isNarrow && isAny)),
  );
  return (
    <Counters
      label={t('tracking.states')}
      selected={filter.request === 'open' ? null : filter.request}
      onSelect={(request) => onFilter({ request })}
      counters={keys.map((key) => ({
        key,
        ...stateTones[key],
        text: t(`tracking.requestState.${key}`),
        ...counted(!!state.requests[key] || isKnown(key), state.requests[key] ?? 0),
      }))}
    />
  );
}
