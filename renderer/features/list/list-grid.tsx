import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { DataGrid } from '../../parts/data-grid.tsx';
import type { GridColumn, GridEditing, GridSorting } from '../../parts/grid-column.ts';
import { useNarrow } from '../../parts/use-narrow.ts';
import { type Table, useColumnWidths } from './column-widths.ts';
import css from './list.module.css';
import type { Windowed } from './pages.ts';
import type { Picked } from './picked.tsx';

interface ListGridProps<T, K extends string> {
  readonly label: string;
  /** Under which the widths of its columns are kept. */
  readonly table: Table;
  readonly list: Windowed<T>;
  readonly columns: readonly GridColumn<T, K>[];
  readonly keyOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  /** What a row is called, where its cells together say too much. */
  readonly labelOf?: (row: T) => string;
  readonly chosen: string | null;
  readonly onChoose: (row: T) => void;
  readonly sorting?: GridSorting<K>;
  readonly onSort?: (sorting: GridSorting<K>) => void;
  readonly picked?: Picked<T>;
  readonly editing?: GridEditing<T>;
  /** The row to which the list scrolls at first. */
  readonly reveal?: number | null;
  /** What could not be read, if reading fails. */
  readonly subject?: string;
  /** In place of a list without rows; by default it stays. */
  readonly empty?: ReactNode;
}

/** The rows of a list, or why there are none. */
export function ListGrid<T, K extends string>(props: ListGridProps<T, K>) {
  const { list } = props;
  return (
    <ListBody list={list} subject={props.subject} empty={props.empty}>
      <Rows {...props} total={list.total ?? 0} />
    </ListBody>
  );
}

/** Rows of any look, or why there are none. */
export function ListBody(props: {
  readonly list: Pick<Windowed<unknown>, 'total' | 'failure' | 'again'>;
  readonly subject?: string | undefined;
  readonly empty?: ReactNode;
  readonly children: ReactNode;
}) {
  const { list, subject } = props;
  const { t } = useTranslation();
  return (
    <>
      {list.failure ? (
        <div className={css.nothing}>
          <FailureView failure={list.failure} {...(subject ? { subject } : {})} onAgain={list.again} />
        </div>
      ) : null}
      {list.total === null && !list.failure ? (
        <p role="status" className={css.nothing}>
          {t('common.loading')}
        </p>
      ) : null}
      {list.total === 0 && !list.failure ? <div className={css.nothing}>{props.empty}</div> : null}
      {list.total || (list.total === 0 && props.empty === undefined) ? (
        <div className={css.table}>{props.children}</div>
      ) : null}
    </>
  );
}

function Rows<T, K extends string>(props: ListGridProps<T, K> & { readonly total: number }) {
  const { list, picked, nameOf } = props;
  const { t } = useTranslation();
  const sizing = useColumnWidths(props.table);
  const isNarrow = useNarrow();
  return (
    <DataGrid
      label={props.label}
      columns={props.columns}
      total={props.total}
      rowAt={list.rowAt}
      keyOf={props.keyOf}
      {...(props.labelOf ? { labelOf: props.labelOf } : {})}
      chosen={props.chosen}
      onChoose={props.onChoose}
      onRange={list.onRange}
      isEnterNeeded={isNarrow && !props.editing}
      {...(props.editing ? { editing: props.editing } : {})}
      sizing={sizing}
      sorting={props.sorting ?? null}
      {...(props.onSort ? { onSort: props.onSort } : {})}
      listKey={JSON.stringify(list.asked)}
      reveal={props.reveal ?? null}
      {...(picked
        ? {
            picking: {
              ...picked.picking,
              label: (row: T) => t('list.select', { title: nameOf(row) }),
              allLabel: t('list.selectAll'),
            },
          }
        : {})}
    />
  );
}
