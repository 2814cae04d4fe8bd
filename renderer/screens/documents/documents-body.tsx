import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useColumnWidths } from '../../features/column-widths.ts';
import { Button } from '../../parts/button.tsx';
import { DataGrid } from '../../parts/data-grid.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { titleOf, useDocumentColumns } from './document-columns.tsx';
import { mostPicked, type useDocumentRows, type usePicked } from './document-queries.ts';
import css from './documents.module.css';
import { type DocumentsView, filterCount, firstView, type SortId } from './documents-view.ts';

type Rows = ReturnType<typeof useDocumentRows>;

/** The table, or the reason why it is empty. */
export function DocumentsBody(props: {
  readonly view: DocumentsView;
  readonly onChange: (view: DocumentsView) => void;
  readonly rows: Rows;
  readonly picked: ReturnType<typeof usePicked>;
  readonly chosen: string | null;
  readonly onChoose: (row: DocumentRow) => void;
  readonly onRange: (first: number, last: number) => void;
  /** The row to which the list scrolls at first. */
  readonly reveal: number | null;
}) {
  const { t } = useTranslation();
  const { rows, view } = props;
  const trouble = rows.failure ? (
    <FailureView failure={rows.failure} subject={t('documents.failedHeading')}>
      <Button onPress={rows.readAgain}>{t('common.tryAgain')}</Button>
    </FailureView>
  ) : null;
  if (rows.total > 0) {
    return (
      <>
        {trouble}
        <DocumentsGrid {...props} />
      </>
    );
  }
  if (trouble) return trouble;
  if (rows.isPending) return <p role="status">{t('common.loading')}</p>;
  return <NoDocuments view={view} onChange={props.onChange} />;
}

function DocumentsGrid(props: Parameters<typeof DocumentsBody>[0]) {
  const { t } = useTranslation();
  const format = useFormat();
  const { rows, view, picked } = props;
  const columns = useDocumentColumns(view.columns, props.onChoose);
  const sizing = useColumnWidths('documents-columns');
  const isNarrow = useNarrow();
  const listKey = useMemo(() => JSON.stringify(rows.shown), [rows.shown]);
  const isAll = picked.picked.size >= Math.min(rows.total, mostPicked);
  return (
    <>
      {isAll && rows.total > mostPicked ? (
        <p className={css.note}>{t('documents.selectedFirst', { shown: format.number(mostPicked) })}</p>
      ) : null}
      <div className={css.tableBox}>
        <DataGrid
          label={t('documents.table')}
          columns={columns}
          total={rows.total}
          rowAt={rows.at}
          keyOf={(row) => row.id}
          chosen={props.chosen}
          onChoose={props.onChoose}
          onRange={props.onRange}
          isEnterNeeded={isNarrow}
          sorting={{ column: view.sort, descending: view.descending }}
          onSort={({ column, descending }) => props.onChange({ ...view, sort: column as SortId, descending })}
          listKey={listKey}
          reveal={props.reveal}
          sizing={sizing}
          picking={{
            isPicked: (row) => picked.picked.has(row.id),
            onPick: (index, isRange) => void picked.pick(rows.shown, rows.at, index, isRange),
            all: isAll ? true : picked.picked.size > 0 ? 'some' : false,
            onPickAll: (isPicked) => (isPicked ? void picked.pickAll(rows.shown, rows.total) : picked.clear()),
            label: (row) => t('documents.select', { title: titleOf(row) }),
            allLabel: t('documents.selectAll'),
          }}
        />
      </div>
    </>
  );
}

function NoDocuments(props: { readonly view: DocumentsView; readonly onChange: (view: DocumentsView) => void }) {
  const { t } = useTranslation();
  const go = useGo();
  const { view, onChange } = props;
  if (view.search !== '') {
    return (
      <Empty
        kind="filtered"
        heading={t('documents.hiddenHeading', { text: view.search })}
        text={t('documents.hiddenText')}
      >
        <Button onPress={() => onChange({ ...view, search: '' })}>{t('documents.clearSearch')}</Button>
      </Empty>
    );
  }
  if (filterCount(view) > 0 || view.by === 'mine') {
    const { statuses, from, to, origin, by } = firstView;
    return (
      <Empty kind="filtered" heading={t('documents.filteredHeading')} text={t('documents.filteredText')}>
        <Button onPress={() => onChange({ ...view, statuses, from, to, origin, by })}>
          {t('documents.clearFilters')}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty kind="nothing-yet" heading={t('documents.emptyHeading')} text={t('documents.emptyText')}>
      <Button kind="primary" onPress={() => go({ screen: 'start' })}>
        {t('documents.toStart')}
      </Button>
    </Empty>
  );
}
