import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow, DocumentSort } from '../../../contract/documents.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { ListGrid } from '../../features/list/list-grid.tsx';
import { ListScreen, NothingFits } from '../../features/list/list-screen.tsx';
import type { Windowed } from '../../features/list/pages.ts';
import { usePicked } from '../../features/list/picked.tsx';
import { useKeptLayout, useViews } from '../../features/saved-views.ts';
import { RefreshPart } from '../../features/tasks/refresh-part.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import { useGo, useKeptState } from '../../parts/navigation.tsx';
import { MoreMenu } from '../../parts/overlays/menu-button.tsx';
import { Page } from '../../parts/page.tsx';
import { BulkBar, BulkDownloads } from './bulk-downloads.tsx';
import { CheckReceipt } from './check-receipt.tsx';
import { titleOf, useDocumentColumns } from './document-columns.tsx';
import { type DocumentKey, type DocumentPlace, useDocumentPlace, useDocumentRows } from './document-history.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { DocumentsTools, OpenById } from './documents-tools.tsx';
import { cleared, type DocumentsView, firstView, queryOf, viewOf } from './documents-view.ts';

/** The register. Waits for its last layout, so that it does not change while the person reads. */
export function DocumentsScreen(props: { readonly open: DocumentKey | null; readonly openById: boolean }) {
  const { open, openById } = props;
  const kept = useViews('documents');
  const connection = useCurrentConnection();
  if (!kept.isRead) return <Waiting />;
  const last = kept.layout === null ? firstView : viewOf(kept.layout);
  // Columns and order are kept for the next time; searches and filters, which hide documents, are not. A person who comes for one document finds it
  // on whichever connection it is.
  const isElsewhere = open !== null && open.connectionId !== connection.id;
  const start: DocumentsView = { ...cleared(last), scope: isElsewhere ? 'all' : last.scope };
  if (open) return <DocumentsAt start={start} kept={kept} open={open} />;
  return <Documents start={start} kept={kept} place={null} openById={openById} />;
}

/** The register with one document selected; one that is not in it is searched for, so that the screen says that it is missing. */
function DocumentsAt(props: Pick<DocumentsProps, 'start' | 'kept'> & { readonly open: DocumentKey }) {
  const { start, open } = props;
  const connection = useCurrentConnection();
  const [view] = useState(start);
  const [currentId] = useState(connection.id);
  const place = useDocumentPlace(open, view, currentId);
  if (place.isPending) return <Waiting />;
  const first = place.data ? view : { ...view, search: open.documentId };
  return <Documents start={first} kept={props.kept} place={place.data ?? null} openById={false} />;
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Page title={t('documents.title')} fill>
      {null}
    </Page>
  );
}

interface DocumentsProps {
  readonly start: DocumentsView;
  readonly kept: ReturnType<typeof useViews>;
  /** The document to select and its index in the list. */
  readonly place: DocumentPlace | null;
  readonly openById: boolean;
}

function Documents(props: DocumentsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const { view, change, query } = useView(props.start, connection.id);
  const [dialog, setDialog] = useState<'open' | 'check' | null>(props.openById ? 'open' : null);
  const rows = useDocumentRows(query);
  const { shown, isStill, choose } = useChosenRow(rows, props.place);
  const total = rows.total ?? 0;
  return (
    <>
      <ListScreen
        title={t('documents.title')}
        about={
          <>
            {t('documents.lead', format.counted(total))}
            <RefreshPart
              connectionId={connection.id}
              beside={query.search !== '' || Object.keys(query.filters ?? {}).length > 0 ? 'some' : 'all'}
            />
          </>
        }
        actions={<Actions onChoose={setDialog} />}
        head={
          <>
            <DocumentsTools view={view} onChange={change} kept={props.kept} />
            <BulkDownloads />
          </>
        }
        panel={
          shown ? (
            <DocumentPanel
              key={shown.id}
              row={shown}
              isStill={isStill}
              onClose={() => choose(null)}
              onCheckReceipt={() => setDialog('check')}
            />
          ) : null
        }
      >
        <Grid rows={rows} view={view} onView={change} chosen={shown} onChoose={choose} place={props.place} />
      </ListScreen>
      {dialog === 'check' ? <CheckReceipt onClose={() => setDialog(null)} /> : null}
      {dialog === 'open' ? (
        <OpenById
          onClose={() => setDialog(null)}
          onOpened={(row) => {
            setDialog(null);
            change({ ...cleared(view), scope: firstView.scope });
            choose(row);
          }}
        />
      ) : null}
    </>
  );
}

/** What opens a dialog; in a small window behind one button. */
function Actions(props: { readonly onChoose: (dialog: 'check' | 'open') => void }) {
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  const choices = [
    { key: 'check', text: t('receipts.check') },
    { key: 'open', text: t('documents.openById') },
  ] as const;
  if (isNarrow) return <MoreMenu choices={choices} onChoose={props.onChoose} />;
  return choices.map(({ key, text }) => (
    <Button key={key} onPress={() => props.onChoose(key)}>
      {text}
    </Button>
  ));
}

/** The documents, and what is done with the ticked ones. */
function Grid(props: {
  readonly rows: Windowed<DocumentRow>;
  readonly view: DocumentsView;
  readonly onView: (part: Partial<DocumentsView>) => void;
  readonly chosen: DocumentRow | null;
  readonly onChoose: (row: DocumentRow) => void;
  readonly place: DocumentPlace | null;
}) {
  const { rows, view, onView, onChoose } = props;
  const { t } = useTranslation();
  const picked = usePicked(rows, idOf);
  return (
    <>
      <ListGrid
        label={t('documents.table')}
        table="documents-columns"
        list={rows}
        columns={useDocumentColumns(view, onChoose)}
        keyOf={idOf}
        nameOf={titleOf}
        chosen={props.chosen?.id ?? null}
        onChoose={onChoose}
        sorting={{ column: view.sort, descending: view.descending }}
        onSort={({ column, descending }) => onView({ sort: column as DocumentSort, descending })}
        picked={picked}
        reveal={props.place?.index ?? null}
        subject={t('documents.failedHeading')}
        empty={<NoDocuments view={view} onChange={onView} />}
      />
      <BulkBar picked={picked} />
    </>
  );
}

const idOf = ({ id }: DocumentRow) => id;

function NoDocuments(props: { readonly view: DocumentsView; readonly onChange: (part: DocumentsView) => void }) {
  const { t } = useTranslation();
  const go = useGo();
  const all = cleared(props.view);
  if (JSON.stringify(all) !== JSON.stringify(props.view)) return <NothingFits onClear={() => props.onChange(all)} />;
  return (
    <Empty kind="nothing-yet" heading={t('documents.emptyHeading')} text={t('documents.emptyText')}>
      <Button kind="primary" onPress={() => go({ screen: 'start' })}>
        {t('documents.toStart')}
      </Button>
    </Empty>
  );
}

/** The view, whose layout is saved for the next visit, and the query for its rows. It is changed in parts: what was typed right before may still be on its way. */
function useView(start: DocumentsView, connectionId: string) {
  const [view, setView] = useKeptState('view', start);
  const { columns, sort, descending, scope } = view;
  useKeptLayout(
    'documents',
    useMemo(() => JSON.stringify({ columns, sort, descending, scope }), [columns, sort, descending, scope]),
  );
  const query = useMemo(() => queryOf(view, connectionId), [view, connectionId]);
  const change = (part: Partial<DocumentsView>) => setView((now) => ({ ...now, ...part }));
  return { view, change, query };
}

/** The row of the panel: the selected one, at first that of `place`. `choose(null)` selects none. `isStill`: the selection has not changed for a moment. */
function useChosenRow(rows: Windowed<DocumentRow>, place: DocumentPlace | null) {
  const [chosen, choose] = useKeptState<DocumentRow | null>('chosen', place?.row ?? null);
  // As it was when it was last read, if it is not among the visible ones.
  const [known, setKnown] = useState(chosen);
  const now = chosen && rows.find((row) => row.id === chosen.id);
  if (now && now !== known) setKnown(now);
  const shown = now ?? (known?.id === chosen?.id ? known : chosen);
  const still = useDebounced(shown?.id);
  return { shown, isStill: still === shown?.id, choose };
}
