import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useKeptLayout, useViews } from '../../features/saved-views.ts';
import { type Span, useSpan } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { useDebounced } from '../../parts/use-debounced.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkDownloads } from './bulk-downloads.tsx';
import { CheckReceipt } from './check-receipt.tsx';
import { DocumentPanel } from './document-panel.tsx';
import {
  type DocumentKey,
  type DocumentPlace,
  useDocumentPlace,
  useDocumentRows,
  usePicked,
} from './document-queries.ts';
import css from './documents.module.css';
import { DocumentsBody } from './documents-body.tsx';
import { DocumentsTools } from './documents-tools.tsx';
import { type DocumentsView, firstView, queryOf, viewOf } from './documents-view.ts';
import { OpenById } from './open-by-id.tsx';
import { RefreshPart } from './refresh-part.tsx';

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
  const start: DocumentsView = {
    ...firstView,
    columns: last.columns,
    sort: last.sort,
    descending: last.descending,
    scope: isElsewhere ? 'all' : last.scope,
  };
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
  const { view, setView, query } = useView(props.start, connection.id);
  const [dialog, setDialog] = useState<'open' | 'check' | null>(props.openById ? 'open' : null);
  const [span, onRange] = useSpan();
  const picked = usePicked();
  const rows = useDocumentRows(query, span);
  const { shown, isStill, choose } = useChosenRow(rows, span, props.place?.row);
  return (
    <div className={`${css.split} ${shown ? css.withPanel : ''}`}>
      <Page
        title={t('documents.title')}
        lead={t('documents.lead', { count: rows.total, shown: format.number(rows.total) })}
        fill
        actions={
          <>
            <Button onPress={() => setDialog('check')}>{t('receipts.check')}</Button>
            <Button onPress={() => setDialog('open')}>{t('documents.openById')}</Button>
          </>
        }
      >
        <DocumentsTools view={view} onChange={setView} kept={props.kept} />
        <RefreshPart connection={connection} />
        <BulkDownloads />
        <BulkBar picked={picked.picked} onClear={picked.clear} />
        <DocumentsBody
          view={view}
          onChange={setView}
          rows={rows}
          picked={picked}
          chosen={shown?.id ?? null}
          onChoose={choose}
          onRange={onRange}
          reveal={props.place?.index ?? null}
        />
      </Page>
      {shown ? (
        <DocumentPanel
          key={shown.id}
          row={shown}
          isStill={isStill}
          onClose={() => choose(null)}
          onCheckReceipt={() => setDialog('check')}
        />
      ) : null}
      {dialog === 'check' ? <CheckReceipt onClose={() => setDialog(null)} /> : null}
      {dialog === 'open' ? (
        <OpenById
          onClose={() => setDialog(null)}
          onOpened={(row) => {
            setDialog(null);
            setView({ ...firstView, columns: view.columns, sort: view.sort, descending: view.descending });
            choose(row);
          }}
        />
      ) : null}
    </div>
  );
}

/** The view, whose layout is saved for the next visit, and the query for its rows, which may lag behind while a person types. */
function useView(start: DocumentsView, connectionId: string) {
  const [view, setView] = useKeptState('view', start);
  const { columns, sort, descending, scope } = view;
  useKeptLayout(
    'documents',
    useMemo(() => JSON.stringify({ columns, sort, descending, scope }), [columns, sort, descending, scope]),
  );
  const asked = useDeferredValue(view);
  const query = useMemo(() => queryOf(asked, connectionId), [asked, connectionId]);
  return { view, setView, query };
}

/** The row of the panel: the selected one, at first `opened`. `choose(null)` selects none. `isStill`: the selection has not changed for a moment. */
function useChosenRow(rows: ReturnType<typeof useDocumentRows>, span: Span, opened: DocumentRow | undefined) {
  const [chosen, choose] = useKeptState<DocumentRow | null>('chosen', opened ?? null);
  const shown = useCurrentRow(rows, span, chosen ?? undefined);
  const still = useDebounced(shown?.id);
  return { shown, isStill: still === shown?.id, choose };
}

/** The selected row from the register if it is visible; otherwise as it was when it was selected. */
function useCurrentRow(
  rows: ReturnType<typeof useDocumentRows>,
  span: Span,
  chosen: DocumentRow | undefined,
): DocumentRow | undefined {
  const [known, setKnown] = useState(chosen);
  if (chosen === undefined) return undefined;
  for (let index = span.first; index <= span.last; index += 1) {
    const row = rows.at(index);
    if (row?.id !== chosen.id) continue;
    if (known !== row) setKnown(row);
    return row;
  }
  return known?.id === chosen.id ? known : chosen;
}
