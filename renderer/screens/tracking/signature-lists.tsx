import { FileSpreadsheet } from 'lucide-react';
import { type Dispatch, type ReactNode, type SetStateAction, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  mostSelected,
  type TrackedEntry,
  type TrackedFilter,
  type TrackedGroup,
  type TrackedSort,
  type TrackingState,
} from '../../../contract/tracking.ts';
import { CallButton } from '../../features/call-button.tsx';
import { ContinueDraft } from '../../features/forms/continue-draft.tsx';
import { ListGrid } from '../../features/list/list-grid.tsx';
import { ListScreen, NothingFits } from '../../features/list/list-screen.tsx';
import type { Windowed } from '../../features/list/pages.ts';
import { usePicked } from '../../features/list/picked.tsx';
import { isUnread, useCopyTime, useProgressText, useTrackedEntries } from '../../features/signature-queries.ts';
import { RefreshPart } from '../../features/tasks/refresh-part.tsx';
import { Button, ToolButton } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import { useGo } from '../../parts/navigation.tsx';
import { useEntryColumns } from './entry-columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { usePeopleTexts, useRequestName } from './people-text.ts';
import { RefreshLine, ViewCounters } from './refresh-line.tsx';
import { ExportDialog, type RequestAction, RequestActionDialog, RequestsBar } from './request-actions.tsx';
import { useRequestColumns } from './request-columns.tsx';
import css from './signatures.module.css';
import { cleared, isNarrowed, nameOf, type TrackedView, withFilter } from './tracked-view.ts';

interface ListsProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  /** That of the view; may lag behind while a person types. */
  readonly filter: TrackedFilter;
  readonly groups: Windowed<TrackedGroup>;
  readonly chosen: string | null;
  /** A person came to see one request. */
  readonly isOneWanted: boolean;
  readonly panel: ReactNode | null;
  readonly onView: Dispatch<SetStateAction<TrackedView>>;
  readonly onChoose: (entryId: string) => void;
  readonly onOpen: (group: TrackedGroup) => void;
}

/** The requests, or the entries of the service's lists. */
export function SignatureLists(props: ListsProps) {
  const { state, view, filter, groups, onView } = props;
  const { t } = useTranslation();
  const go = useGo();
  const { connectionId } = state;
  const [exporting, setExporting] = useState(false);
  const entries = useTrackedEntries(connectionId, filter);
  const list = view.grouped ? null : (state.lists.find((one) => one.listType === view.filter.listType) ?? null);
  const title = useTitle(view, list);
  const requests = view.grouped ? groups.total : null;
  const isEmpty = !(view.grouped ? requests : entries.total);
  // Not drawn anew for each page of rows that comes in while a person scrolls.
  const head = useMemo(() => {
    const onFilter = (part: Partial<TrackedFilter>) => onView(withFilter(part));
    return (
      <>
        <div className={css.states}>
          <ViewCounters state={state} view={view} onFilter={onFilter} />
          <ContinueDraft />
        </div>
        <FilterBar state={state} view={view} onView={onView} onFilter={onFilter}>
          <ToolButton
            kind="quiet"
            label={t('tracking.export')}
            icon={<FileSpreadsheet aria-hidden="true" />}
            isDisabled={isEmpty}
            onPress={() => setExporting(true)}
          />
        </FilterBar>
      </>
    );
  }, [state, view, onView, isEmpty, t]);
  return (
    <>
      <ListScreen
        title={title}
        about={
          <RefreshLine
            state={state}
            list={list}
            requests={requests}
            isAll={view.grouped && view.filter.request === null && !isNarrowed(view.filter)}
            signers={view.grouped ? null : entries.total}
          />
        }
        actions={
          <Button kind="primary" onPress={() => go({ screen: 'compose' })}>
            {t('compose.newRequest')}
          </Button>
        }
        head={head}
        panel={props.panel}
      >
        {view.grouped ? <Requests {...props} /> : <ServiceLists {...props} entries={entries} />}
      </ListScreen>
      {exporting ? <ExportDialog wanted={view.filter} requests={requests} onClose={() => setExporting(false)} /> : null}
    </>
  );
}

function useTitle({ filter, grouped }: TrackedView, list: { readonly name: string } | null): string {
  const { t } = useTranslation();
  if (filter.changedOnly) return t('tracking.changed');
  if (filter.dueOnly) return t('tracking.dueView');
  if (filter.mine) return t('team.assignedToMe');
  if (grouped && filter.request) return t(`tracking.requestState.${filter.request}`);
  return list?.name ?? t(grouped ? 'screens.signatures' : 'tracking.serviceLists');
}

const idOf = ({ id }: { readonly id: string }) => id;

function Requests(props: ListsProps) {
  const { state, groups, chosen, onOpen } = props;
  const { connectionId } = state;
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  const nameOfRequest = useRequestName();
  const progress = useProgressText();
  const people = usePeopleTexts();
  const picked = usePicked(groups, idOf, mostSelected);
  const [asked, setAsked] = useState<{ action: RequestAction; groups: readonly TrackedGroup[] } | null>(null);
  const onAct = useCallback(
    (action: RequestAction, some: readonly TrackedGroup[]) => setAsked({ action, groups: some }),
    [],
  );
  const columns = useRequestColumns({ connectionId, isTight: isNarrow || props.panel !== null, onOpen, onAct });
  return (
    <>
      <ListGrid
        label={t('tracking.requests')}
        table="request-columns"
        list={groups}
        columns={columns}
        keyOf={idOf}
        nameOf={nameOfRequest}
        labelOf={(group) => [nameOfRequest(group), progress(group), people(group)[0]].filter(Boolean).join(' · ')}
        chosen={chosen}
        onChoose={onOpen}
        picked={picked}
        reveal={props.isOneWanted ? 0 : null}
        empty={<Nothing {...props} />}
      />
      <RefreshPart connectionId={connectionId} beside="requests" />
      <RequestsBar connectionId={connectionId} picked={picked} onAct={onAct} />
      {asked ? <RequestActionDialog {...asked} connectionId={connectionId} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

function ServiceLists(props: ListsProps & { readonly entries: Windowed<TrackedEntry> }) {
  const { state, view, onView } = props;
  const { t } = useTranslation();
  return (
    <ListGrid
      label={t('tracking.table')}
      table="tracking-columns"
      list={props.entries}
      columns={useEntryColumns(view.columns, state.lists)}
      keyOf={idOf}
      nameOf={(entry) => nameOf(entry) ?? t('tracking.noName')}
      chosen={props.chosen}
      onChoose={({ id }) => props.onChoose(id)}
      sorting={{ column: view.filter.sort, descending: view.filter.descending }}
      onSort={({ column, descending }) => onView(withFilter({ sort: column as TrackedSort, descending }))}
      empty={<Nothing {...props} />}
    />
  );
}

/** The reason why there are no rows. */
function Nothing(props: Pick<ListsProps, 'state' | 'view' | 'onView'>) {
  const { state, view } = props;
  const { t } = useTranslation();
  const go = useGo();
  const lists = state.lists.filter((list) => view.filter.listType === null || list.listType === view.filter.listType);
  const time = useCopyTime(lists);
  if (isNarrowed(view.filter) && !lists.some(isUnread))
    return <NothingFits onClear={() => props.onView({ ...view, filter: cleared(view.filter) })} />;
  if (lists.some(({ failure }) => failure) && lists.some(({ asOf }) => asOf === null)) {
    return (
      <Empty kind="failed" heading={t('tracking.noCopyHeading')} text={t('tracking.noCopyText')}>
        <CallButton kind="primary" call="tracking.refresh" input={{ connectionId: state.connectionId }}>
          {t('common.tryAgain')}
        </CallButton>
      </Empty>
    );
  }
  // The screen reads lists that were never read as soon as it is opened.
  if (time === null) return <p role="status">{t('tracking.listLoading')}</p>;
  return (
    <Empty kind="done" heading={t('tracking.emptyHeading')} text={t('tracking.emptyText', { time })}>
      <Button onPress={() => go({ screen: 'compose' })}>{t('compose.newRequest')}</Button>
    </Empty>
  );
}
