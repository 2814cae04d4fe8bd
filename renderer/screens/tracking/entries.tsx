import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  meaningOfList,
  type TrackedEntry,
  type TrackedGroup,
  type TrackedList,
  type TrackingState,
} from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import type { useViews } from '../../features/saved-views.ts';
import { useTrackedEntries, useTrackedGroups, useUnlisted } from '../../features/signature-queries.ts';
import type { Windowed } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { EntriesTable } from './entries-table.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RefreshLine } from './refresh-line.tsx';
import { RequestCards } from './request-cards.tsx';
import css from './signatures.module.css';
import { useStatusText } from './status-text.ts';
import { cleared, isNarrowed, type TrackedView } from './tracked-view.ts';
import { UnlistedRequests } from './unlisted-requests.tsx';

interface EntriesProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly kept: ReturnType<typeof useViews>;
  readonly chosen: string | null;
  readonly onView: (view: TrackedView) => void;
  readonly onSaved: (id: string) => void;
  readonly onChoose: (entry: TrackedEntry) => void;
  readonly onShowSent: () => void;
}

/** Heading, filters and the table of entries or of documents. */
export function Entries(props: EntriesProps) {
  const { state, view } = props;
  const { t } = useTranslation();
  const go = useGo();
  const connection = useCurrentConnection();
  const [exporting, setExporting] = useState(false);
  const filter = useDeferredValue(view.filter);
  const entries = useTrackedEntries(connection.id, filter);
  const groups = useTrackedGroups(connection.id, filter);
  const list = state.lists.find((one) => one.listType === view.filter.listType) ?? null;
  const title = useTitle(view, list);
  const sent = useUnlisted(connection.id).data ?? { requests: [], total: 0 };
  // The lists in which a request appears first; filters are about what the service lists.
  const isWhereSentAppear = filter.listType === null || meaningOfList(filter.listType) !== 'signed';
  const hasUnlisted = sent.total > 0 && isWhereSentAppear && !isNarrowed(filter);
  const failure = view.grouped ? groups.failure : entries.failure;
  return (
    <>
      <header className={css.head}>
        <div className={css.headLine}>
          <h1>{title}</h1>
          <div className={css.row}>
            <Button kind="quiet" isDisabled={!entries.total} onPress={() => setExporting(true)}>
              {t('tracking.export')}
            </Button>
            <Button kind="primary" onPress={() => go({ screen: 'compose' })}>
              {t('compose.newRequest')}
            </Button>
          </div>
        </div>
        <RefreshLine
          state={state}
          list={list}
          total={view.grouped ? groups.total : entries.total}
          grouped={view.grouped}
        />
        <FilterBar view={view} kept={props.kept} onView={props.onView} onSaved={props.onSaved} />
      </header>
      {failure ? (
        <FailureView failure={failure}>
          <Button onPress={view.grouped ? groups.again : entries.again}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      {hasUnlisted ? (
        <UnlistedRequests requests={sent.requests} total={sent.total} onShowAll={props.onShowSent} />
      ) : null}
      {hasUnlisted && entries.total === 0 ? null : <EntriesBody {...props} entries={entries} groups={groups} />}
      {exporting ? (
        <ExportDialog filter={view.filter} count={entries.total ?? 0} onClose={() => setExporting(false)} />
      ) : null}
    </>
  );
}

function useTitle({ filter, grouped }: TrackedView, list: TrackedList | null): string {
  const { t } = useTranslation();
  const textOf = useStatusText();
  if (filter.changedOnly) return t('tracking.changed');
  if (filter.dueOnly) return t('tracking.dueView');
  if (filter.status) return t('tracking.oneStatus', { status: textOf(filter.status) });
  return list?.name ?? t(grouped ? 'tracking.requests' : 'tracking.allLists');
}

/** The table of entries or of documents, or why it is empty. */
function EntriesBody(
  props: EntriesProps & { readonly entries: Windowed<TrackedEntry>; readonly groups: Windowed<TrackedGroup> },
) {
  const { state, view, entries } = props;
  if (entries.total === 0) {
    return (
      <div className={css.nothing}>
        <Nothing state={state} view={view} onView={props.onView} />
      </div>
    );
  }
  return view.grouped ? (
    <RequestCards
      groups={props.groups}
      lists={state.lists}
      chosen={props.chosen}
      onChoose={props.onChoose}
      onOpen={(origDocumentId) =>
        props.onView({ ...view, grouped: false, filter: { ...cleared(view.filter), origDocumentId } })
      }
    />
  ) : (
    <EntriesTable
      entries={entries}
      lists={state.lists}
      view={view}
      chosen={props.chosen}
      onChoose={props.onChoose}
      onSort={(sort, descending) => props.onView({ ...view, filter: { ...view.filter, sort, descending } })}
    />
  );
}

/** The reason why there are no entries. */
function Nothing(props: {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly onView: (view: TrackedView) => void;
}) {
  const { state, view } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const connection = useCurrentConnection();
  const refresh = useCall('tracking.refresh');
  const lists = state.lists.filter((list) => view.filter.listType === null || list.listType === view.filter.listType);
  const asOf = lists.map((list) => list.asOf).filter((time) => time !== null);
  if (isNarrowed(view.filter)) {
    return (
      <Empty kind="filtered" heading={t('tracking.filteredHeading')} text={t('tracking.filteredText')}>
        <Button onPress={() => props.onView({ ...view, filter: cleared(view.filter) })}>
          {t('tracking.clearFilters')}
        </Button>
      </Empty>
    );
  }
  const failure = lists.find((list) => list.failure)?.failure;
  if (failure && asOf.length === 0) {
    return (
      <Empty kind="failed" heading={t('tracking.noCopyHeading')} text={t('tracking.noCopyText')}>
        <Button kind="primary" onPress={() => void refresh.run({ connectionId: connection.id })}>
          {t('common.tryAgain')}
        </Button>
      </Empty>
    );
  }
  if (asOf.length === 0) {
    return (
      <Empty kind="nothing-yet" heading={t('tracking.neverHeading')} text={t('tracking.neverText')}>
        <Button kind="primary" onPress={() => void refresh.run({ connectionId: connection.id })}>
          {t('tracking.askNow')}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty
      kind="done"
      heading={t('tracking.emptyHeading')}
      text={t('tracking.emptyText', { time: format.momentInText(asOf[0] ?? '') })}
    >
      <Button onPress={() => go({ screen: 'compose' })}>{t('compose.newRequest')}</Button>
    </Empty>
  );
}
