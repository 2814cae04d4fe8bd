import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  TrackedEntry,
  TrackedFilter,
  TrackedGroup,
  TrackedList,
  TrackingState,
} from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { ContinueDraft } from '../../features/continue-draft.tsx';
import type { Windowed } from '../../features/list/pages.ts';
import { useTrackedEntries } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { PageTitle } from '../../parts/page.tsx';
import { EntriesTable } from './entries-table.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { RefreshLine } from './refresh-line.tsx';
import { RequestRows } from './request-rows.tsx';
import css from './signatures.module.css';
import { cleared, isNarrowed, type TrackedView } from './tracked-view.ts';
import { ViewCounters } from './view-counters.tsx';

interface EntriesProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  /** That of the view; may lag behind while a person types. */
  readonly filter: TrackedFilter;
  readonly groups: Windowed<TrackedGroup>;
  readonly chosen: string | null;
  /** A person came to see one request. */
  readonly isOneWanted: boolean;
  readonly onView: (view: TrackedView) => void;
  readonly onChoose: (entry: TrackedEntry) => void;
  readonly onOpen: (group: TrackedGroup) => void;
}

/** Heading, counts, filters, and the requests or the entries of the service's lists. */
export function Entries(props: EntriesProps) {
  const { state, view, filter, groups } = props;
  const { t } = useTranslation();
  const go = useGo();
  const connection = useCurrentConnection();
  const [exporting, setExporting] = useState(false);
  const entries = useTrackedEntries(connection.id, filter);
  const list = view.grouped ? null : (state.lists.find((one) => one.listType === view.filter.listType) ?? null);
  const title = useTitle(view, list);
  const shown = view.grouped ? groups : entries;
  return (
    <>
      <header className={css.head}>
        <div className={css.headLine}>
          <PageTitle title={title} />
          <RefreshLine
            state={state}
            list={list}
            requests={view.grouped ? groups.total : null}
            isAll={view.grouped && view.filter.request === null && !isNarrowed(view.filter)}
            signers={view.grouped ? null : entries.total}
          />
          <Button kind="primary" onPress={() => go({ screen: 'compose' })}>
            {t('compose.newRequest')}
          </Button>
        </div>
        <ContinueDraft />
        <ViewCounters state={state} view={view} onView={props.onView} />
        <FilterBar state={state} view={view} onView={props.onView}>
          <Button kind="quiet" isDisabled={!entries.total} onPress={() => setExporting(true)}>
            {t('tracking.export')}
          </Button>
        </FilterBar>
      </header>
      <div className={css.list}>
        {shown.failure ? (
          <FailureView failure={shown.failure}>
            <Button onPress={shown.again}>{t('common.tryAgain')}</Button>
          </FailureView>
        ) : null}
        <EntriesBody {...props} entries={entries} />
      </div>
      {exporting ? (
        <ExportDialog filter={view.filter} count={entries.total ?? 0} onClose={() => setExporting(false)} />
      ) : null}
    </>
  );
}

function useTitle({ filter, grouped }: TrackedView, list: TrackedList | null): string {
  const { t } = useTranslation();
  if (filter.changedOnly) return t('tracking.changed');
  if (filter.dueOnly) return t('tracking.dueView');
  if (filter.mine) return t('team.assignedToMe');
  if (grouped && filter.request) return t(`tracking.requestState.${filter.request}`);
  return list?.name ?? t(grouped ? 'screens.signatures' : 'tracking.serviceLists');
}

/** The table of entries or the requests, or why there are none. */
function EntriesBody(props: EntriesProps & { readonly entries: Windowed<TrackedEntry> }) {
  const { state, view, entries, groups } = props;
  if ((view.grouped ? groups : entries).total === 0) {
    return (
      <div className={css.nothing}>
        <Nothing state={state} view={view} onView={props.onView} />
      </div>
    );
  }
  return view.grouped ? (
    <RequestRows
      connectionId={state.connectionId}
      groups={groups}
      chosen={props.chosen}
      onOpen={props.onOpen}
      isOneWanted={props.isOneWanted}
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
      <Empty kind="filtered" heading={t('list.nothingFits')} text={t('list.nothingFitsText')}>
        <Button onPress={() => props.onView({ ...view, filter: cleared(view.filter) })}>
          {t('list.clearFilters')}
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
    // The screen reads lists that were never read as soon as it is opened.
    return <p role="status">{t('common.loading')}</p>;
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
