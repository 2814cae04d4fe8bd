import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { idText } from '../../../contract/operation.ts';
import type { TrackedEntry, TrackedList } from '../../../contract/tracking.ts';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid/grid-column.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { ChangeChip, useSignerState } from './state-chips.tsx';
import { nameOf, type TableColumn, tableColumns } from './tracked-view.ts';

const widths: Record<TableColumn, string> = {
  documentName: 'minmax(8.5rem, 2fr)',
  name: 'minmax(9.5rem, 1.6fr)',
  email: 'minmax(11rem, 1.4fr)',
  status: 'minmax(12.5rem, 1fr)',
  due: 'minmax(7rem, 0.8fr)',
  list: 'minmax(8.5rem, 1fr)',
  documentId: 'minmax(20rem, 1.4fr)',
  origDocumentId: 'minmax(20rem, 1.4fr)',
  createdAt: 'minmax(5.5rem, 0.9fr)',
};
/** Columns that leave first where there is no room for all; the panel states the same. */
const folds: Partial<Record<TableColumn, number>> = { createdAt: 1, list: 2, due: 3 };
const sortable: ReadonlySet<TableColumn> = new Set(['documentName', 'name', 'email', 'createdAt']);

/** The columns of a table with one row per entry. What all cells need is made once: each hook of a cell would run for every row that scrolls by. */
export function useEntryColumns(
  shown: readonly TableColumn[],
  lists: readonly TrackedList[],
): readonly GridColumn<TrackedEntry, TableColumn>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const signerState = useSignerState();
  return useMemo(
    () =>
      tableColumns
        .filter((column) => shown.includes(column))
        .map((id) => ({
          id,
          title: t(`tracking.column.${id}`),
          width: widths[id],
          sortable: sortable.has(id),
          ...(folds[id] ? { fold: folds[id] } : {}),
          cell: (entry) => {
            const list = lists.find((one) => one.listType === entry.listType);
            if (id === 'status') return signerState(entry, list);
            return entryCell(entry, id, list, shown.includes('status'), format);
          },
        })),
    [shown, lists, t, format, signerState],
  );
}

function entryCell(
  entry: TrackedEntry,
  column: Exclude<TableColumn, 'status'>,
  list: TrackedList | undefined,
  isStateShown: boolean,
  format: ReturnType<typeof useFormat>,
) {
  if (column === 'documentName') {
    return (
      <>
        {entry.mark === null ? null : <ChangeChip entry={entry} list={list} isStateShown={isStateShown} />}
        <MiddleCut text={nameOf(entry) ?? '—'} />
      </>
    );
  }
  if (column === 'createdAt') {
    return (
      <time className={looks.inRow} title={entry.createdDate ?? undefined}>
        {entry.createdAt ? format.moment(entry.createdAt) : (entry.createdDate ?? '—')}
      </time>
    );
  }
  if (column === 'due') return entry.due ? format.date(entry.due.date) : '—';
  if (column === 'list') return <MiddleCut text={list?.name ?? String(entry.listType)} />;
  const isId = column === 'documentId' || column === 'origDocumentId';
  const value = column === 'name' ? entry.name || entry.email : entry[column];
  const text = isId && value ? idText(value) : value;
  return (
    <span className={`${looks.grow} ${isId ? looks.mono : ''}`}>
      <MiddleCut text={text || '—'} />
    </span>
  );
}
