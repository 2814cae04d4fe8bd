import { useTranslation } from 'react-i18next';
import type { TrackedGroup, TrackedList } from '../../../contract/tracking.ts';
import { useColumnWidths } from '../../features/column-widths.ts';
import type { Windowed } from '../../features/use-pages.ts';
import { Chip } from '../../parts/chip.tsx';
import { DataGrid } from '../../parts/data-grid.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid-column.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import css from './signatures.module.css';

/** One row per original document; selecting one shows its entries. */
export function GroupsTable(props: {
  readonly groups: Windowed<TrackedGroup>;
  readonly lists: readonly TrackedList[];
  readonly onOpen: (origDocumentId: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const sizing = useColumnWidths('tracked-documents-columns');
  const nameOf = (listType: number) => props.lists.find((list) => list.listType === listType)?.name ?? String(listType);
  const columns: readonly GridColumn<TrackedGroup>[] = [
    {
      id: 'documentName',
      title: t('tracking.column.documentName'),
      width: 'minmax(12rem, 2.4fr)',
      cell: (group) => (
        <>
          {group.changedCount > 0 ? (
            <Chip tone="info">{t('tracking.changedCount', { count: group.changedCount })}</Chip>
          ) : null}
          <MiddleCut text={group.documentName || group.origDocumentId || t('tracking.noDocument')} />
        </>
      ),
    },
    {
      id: 'signers',
      title: t('tracking.signers'),
      width: 'minmax(5rem, 0.5fr)',
      cell: (group) => format.number(group.entryCount),
    },
    {
      id: 'lists',
      title: t('tracking.lists'),
      width: 'minmax(12rem, 1.6fr)',
      cell: (group) => (
        <span className={css.cut}>
          {group.lists.map((list) => `${nameOf(list.listType)} ${format.number(list.count)}`).join(' · ')}
        </span>
      ),
    },
    {
      id: 'newestAt',
      title: t('tracking.column.createdAt'),
      width: 'minmax(8rem, 0.9fr)',
      cell: (group) => (group.newestAt ? format.moment(group.newestAt) : '—'),
    },
  ];
  return (
    <DataGrid
      label={t('tracking.documentsTable')}
      columns={columns}
      total={props.groups.total ?? 0}
      rowAt={props.groups.rowAt}
      keyOf={(group) => group.origDocumentId ?? ''}
      chosen={null}
      onChoose={(group) => (group.origDocumentId ? props.onOpen(group.origDocumentId) : undefined)}
      onRange={props.groups.onRange}
      sizing={sizing}
    />
  );
}
