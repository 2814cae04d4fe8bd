import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { CellCheckbox } from '../checkbox.tsx';
import css from './data-grid.module.css';
import type { GridColumn, GridPicking, GridSorting } from './grid-column.ts';

/** The checkbox that ticks all rows. */
export function PickAll<T>(props: { readonly picking: GridPicking<T> }) {
  const { all, onPickAll, allLabel } = props.picking;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the box inside
    <div role="columnheader" className={`${css.heading} ${css.pick}`}>
      <CellCheckbox state={all} label={allLabel} isTabStop onToggle={onPickAll} />
    </div>
  );
}

/** The heading of a column, which sorts if the column can be sorted. `children`: the control of the column's width. */
export function Heading<T, K extends string>(props: {
  readonly column: GridColumn<T, K>;
  readonly sorting: GridSorting<string> | null;
  readonly onSort: ((sorting: GridSorting<K>) => void) | undefined;
  readonly children: ReactNode;
}) {
  const { column, sorting, onSort } = props;
  const mine = sorting?.column === column.id ? sorting : null;
  const Arrow = mine?.descending ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid and on the button inside
    <div
      role="columnheader"
      aria-label={column.title}
      title={column.title}
      data-column={column.id}
      className={`${css.heading} ${column.isNumber ? css.number : ''}`}
      aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable && onSort ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => onSort({ column: column.id, descending: mine ? !mine.descending : false })}
        >
          {column.title}
          {mine ? <Arrow aria-hidden="true" /> : null}
        </button>
      ) : (
        <span className={css.title}>{column.title}</span>
      )}
      {props.children}
    </div>
  );
}
