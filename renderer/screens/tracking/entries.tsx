import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup, TrackedList, TrackingState } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { ContinueDraft } from '../../features/continue-draft.tsx';
import { useTrackedEntries, useTrackedGroups } from '../../features/signature-queries.ts';
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

interface EntriesProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly chosen: string | null;
  readonly onView: (view: TrackedView) => void;
  readonly onChoose: (entry: TrackedEntry) => void;
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
  const groups = useTrackedGroups(connection.id, filter, view.grouped);
  const list = state.lists.find((one) => one.listType === view.filter.listType) ?? null;
  const title = useTitle(view, list);
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
        <ContinueDraft />
        <RefreshLine
          state={state}
          list={list}
          requests={view.grouped ? groups.total : null}
          signers={view.grouped ? null : entries.total}
        />
        <FilterBar view={view} onView={props.onView} />
      </header>
      {failure ? (
        <FailureView failure={failure}>
          <Button onPress={view.grouped ? groups.again : entries.again}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      <EntriesBody {...props} entries={entries} groups={groups} />
      {exporting ? (
        <ExportDialog filter={view.filter} count={entries.total ?? 0} onClose={() => setExporting(false)} />
      ) : null}
    </>
  );
}

function useTitle({ filter }: TrackedView, list: TrackedList | null): string {
  const { t } = useTranslation();
  const textOf = useStatusText();
  if (filter.changedOnly) return t('tracking.changed');
  if (filter.dueOnly) return t('tracking.dueView');
  if (filter.mine) return t('team.assignedToMe');
  if (filter.request) return t(`tracking.requestState.${filter.request}`);
  if (filter.status) return t('tracking.oneStatus', { status: textOf(filter.status) });
  return list?.name ?? t('screens.signatures');
}

/** The table of entries or of documents, or why it is empty. */
function EntriesBody(
  props: EntriesProps & { readonly entries: Windowed<TrackedEntry>; readonly groups: Windowed<TrackedGroup> },
) {
  const { state, view, entries } = props;
  if ((view.grouped ? props.groups : entries).total === 0) {
    return (
      <div className={css.nothing}>
        <Nothing state={state} view={view} onView={props.onView} />
      </div>
    );
  }
  return view.grouped ? (
    <RequestCards
      connectionId={state.connectionId}
      groups={props.groups}
      lists={state.lists}
      chosen={props.chosen}
      onChoose={props.onChoose}
      isOneWanted={view.filter.origDocumentId !== null}
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
