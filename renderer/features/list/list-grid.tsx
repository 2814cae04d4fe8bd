import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { ViewsState } from '../../../contract/views.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { DataGrid, type GridProps } from '../../parts/grid/data-grid.tsx';
import {
  type GridSizing,
  type GridSorting,
  type GridWidths,
  narrowestRem,
  widestRem,
} from '../../parts/grid/grid-column.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import css from './list.module.css';
import type { Windowed } from './pages.ts';
import type { Picked } from './picked.tsx';

interface ListGridProps<T, K extends string>
  extends Pick<GridProps<T, K>, 'label' | 'columns' | 'keyOf' | 'labelOf' | 'chosen' | 'onChoose'>,
    Pick<GridProps<T, K>, 'onSort' | 'editing' | 'reveal'> {
  /** Under which the widths of its columns are kept. */
  readonly table: Table;
  readonly list: Windowed<T>;
  readonly nameOf: (row: T) => string;
  readonly sorting?: GridSorting<K>;
  readonly picked?: Picked<T>;
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

type Table = Extract<CallInput<'views.state'>['screen'], `${string}-columns`>;

/** The widths that a person gave to the columns of a table, kept over restarts; the default ones until they are read. */
function useColumnWidths(table: Table): GridSizing {
  const client = useQueryClient();
  const key = ['views', table];
  const { data } = useQuery({ queryKey: key, queryFn: () => askValue('views.state', { screen: table }) });
  return {
    widths: widthsOf(data?.layout ?? null),
    onWidths: (widths) => {
      const layout = JSON.stringify(widths);
      client.setQueryData<ViewsState>(key, { views: [], layout });
      void ask('views.keepLayout', { screen: table, layout });
    },
  };
}

/** Unknown values, from another version, are ignored and never an error. */
function widthsOf(layout: string | null): GridWidths {
  try {
    const kept: unknown = JSON.parse(layout ?? '{}');
    const sane = Object.entries(kept ?? {}).filter(
      (one): one is [string, number] => typeof one[1] === 'number' && one[1] >= narrowestRem && one[1] <= widestRem,
    );
    return Object.fromEntries(sane);
  } catch {
    return {};
  }
}
