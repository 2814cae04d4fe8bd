import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { CellCheckbox } from '../checkbox.tsx';
import { useKeptScroll, useSteadyRows } from '../hooks/focus-and-scroll.ts';
import { useLatest } from '../hooks/use-latest.ts';
import { useKeptState } from '../navigation.tsx';
import css from './data-grid.module.css';
import {
  type GridColumn,
  type GridEditing,
  type GridPicking,
  type GridSizing,
  type GridSorting,
  type GridWidths,
  gridTemplate,
} from './grid-column.ts';
import { gridKeys, useFittingColumns, useGridRows } from './grid-room.ts';
import { GridRow } from './grid-row.tsx';
import { ColumnSeparator, type Resizing, remPx } from './grid-separator.tsx';

/** A property of the grid for all rows: dragging a column renders no row again. */
const templateName = '--grid-columns';
const noWidths: GridWidths = {};

export interface GridProps<T, K extends string> {
  readonly label: string;
  readonly columns: readonly GridColumn<T, K>[];
  readonly total: number;
  readonly rowAt: (index: number) => T | undefined;
  readonly keyOf: (item: T) => string;
  /** What a row is called, where its cells together say too much. */
  readonly labelOf?: (item: T) => string;
  readonly chosen: string | null;
  readonly onChoose: (item: T) => void;
  readonly onRange: (first: number, last: number) => void;
  /** True if the chosen row's panel takes the place of the grid: arrows then only move, Enter and clicks choose. */
  readonly isEnterNeeded?: boolean;
  readonly sorting?: GridSorting<string> | null;
  readonly onSort?: (sorting: GridSorting<K>) => void;
  readonly picking?: GridPicking<T>;
  /** If given, columns can be resized. */
  readonly sizing?: GridSizing;
  readonly editing?: GridEditing<T>;
  /** When it changes, the list is another one and scrolls to its top. */
  readonly listKey?: string;
  /** The row to which the grid scrolls when it is first shown; it gets the focus. */
  readonly reveal?: number | null;
}

/**
 * A table of any length of which only the visible rows are rendered: `rowAt` returns nothing for rows that are not read yet, `onRange` reports the
 * visible ones. The table is one Tab stop; arrows, Page Up and Down, Home and End move the selection.
 */
export function DataGrid<T, K extends string>(given: GridProps<T, K>) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(box, given.columns, given.sizing?.widths ?? noWidths, given.picking !== undefined);
  const props = { ...given, columns };
  const [active, setActive] = useKeptState(`active ${props.label}`, 0);
  const [activeColumn, setActiveColumn] = useState(0);
  const { total, picking, sizing, editing } = props;
  const grid = useGridRows(box, total, props.onRange);
  useTopOfNewList(props.listKey, box, setActive);
  useKeptScroll(box, props.label);
  useReveal(props.reveal ?? null, box, grid.rowPx, setActive);
  useSteadyRows(box);

  const current = Math.min(active, Math.max(0, total - 1));
  function moveTo(index: number, isChosen: boolean) {
    const next = Math.max(0, Math.min(total - 1, index));
    setActive(next);
    grid.scrollTo(next);
    const item = props.rowAt(next);
    if (isChosen && item !== undefined) props.onChoose(item);
  }
  const { rowPx } = grid;
  const cells = editing && {
    moveBy: (columns: number) =>
      setActiveColumn((now) => Math.max(0, Math.min(props.columns.length - 1, now + columns))),
    edit: () => editCell(props, current, activeColumn),
  };
  const keys = { hasChosen: props.chosen !== null, isEnterNeeded: props.isEnterNeeded ?? false };
  const onKeyDown = gridKeys({ box, rowPx, total, current, ...keys, picking, moveTo, cells });
  const template = gridTemplate(props.columns, sizing?.widths ?? {}, picking !== undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid cannot be an HTML table
    <div
      ref={box}
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-multiselectable={picking ? true : undefined}
      aria-activedescendant={total > 0 ? `${id}-${current}${editing ? `-${activeColumn}` : ''}` : undefined}
      tabIndex={0}
      className={css.grid}
      style={{ [templateName]: template } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <GridHead {...props} resizing={sizing ? resizingOf(box, props.columns, sizing, picking !== undefined) : null} />
      <GridBody
        {...props}
        id={id}
        grid={grid}
        current={current}
        setActive={setActive}
        activeColumn={editing ? activeColumn : null}
        setActiveColumn={setActiveColumn}
      />
    </div>
  );
}

function useTopOfNewList(
  listKey: string | undefined,
  box: { readonly current: HTMLElement | null },
  setActive: (index: number) => void,
): void {
  const shown = useRef(listKey);
  useEffect(() => {
    if (shown.current === listKey) return;
    shown.current = listKey;
    setActive(0);
    box.current?.scrollTo({ top: 0 });
  }, [listKey, setActive, box]);
}

/** Scrolls to one row, once, and puts the focus on it. */
function useReveal(
  reveal: number | null,
  box: { readonly current: HTMLElement | null },
  rowPx: number,
  setActive: (index: number) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another row is to be shown
  useEffect(() => {
    if (reveal === null || !box.current) return;
    setActive(reveal);
    box.current.scrollTo({ top: Math.max(0, (reveal + 1) * rowPx - box.current.clientHeight / 2) });
    box.current.focus();
  }, [reveal]);
}

function GridHead<T, K extends string>(props: GridProps<T, K> & { readonly resizing: Resizing | null }) {
  const { picking, resizing } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    <div role="rowgroup" className={css.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid */}
      <div role="row" aria-rowindex={1} className={css.columns}>
        {picking ? <PickAll picking={picking} /> : null}
        {props.columns.map((column) => (
          <Heading key={column.id} column={column} sorting={props.sorting ?? null} onSort={props.onSort}>
            {resizing && !column.isSlim ? (
              <ColumnSeparator columnId={column.id} title={column.title} resizing={resizing} />
            ) : null}
          </Heading>
        ))}
      </div>
    </div>
  );
}

function GridBody<T, K extends string>(
  props: GridProps<T, K> & {
    readonly id: string;
    readonly grid: ReturnType<typeof useGridRows>;
    readonly current: number;
    readonly setActive: (index: number) => void;
    /** Null if cells cannot be edited. */
    readonly activeColumn: number | null;
    readonly setActiveColumn: (column: number) => void;
  },
) {
  const { id, grid, picking, editing } = props;
  const { press, pick, pressCell } = useRowActions(props, props.setActive, props.setActiveColumn);
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    <div role="rowgroup" data-marked="" className={css.body} style={{ blockSize: grid.totalPx }}>
      {grid.rows.map(({ index, slot, startPx }) => {
        const item = props.rowAt(index);
        const edited =
          editing?.cell && item !== undefined && editing.cell.key === props.keyOf(item) ? editing.cell : null;
        return (
          <GridRow
            // A row with an editor is moved and not drawn anew: what is typed in it stays.
            key={edited ? 'edited' : slot}
            id={`${id}-${index}`}
            index={index}
            item={item}
            columns={props.columns as readonly GridColumn<unknown>[]}
            heightPx={grid.rowPx}
            startPx={startPx}
            isChosen={item !== undefined && props.keyOf(item) === props.chosen}
            isActive={index === props.current}
            isPicked={item !== undefined && picking ? picking.isPicked(item) : null}
            label={item === undefined ? undefined : props.labelOf?.(item)}
            pickLabel={item !== undefined && picking ? picking.label(item) : ''}
            onPress={press}
            onPick={pick}
            onPressCell={editing ? pressCell : null}
            activeColumn={index === props.current ? props.activeColumn : null}
            editing={
              editing && edited && item !== undefined
                ? { columnId: edited.columnId, editor: editing.editor(item, edited.columnId) }
                : null
            }
          />
        );
      })}
    </div>
  );
}

/** Selecting and ticking a row. The functions stay the same, so that rows are rendered only when their own data changes. */
function useRowActions<T, K extends string>(
  props: GridProps<T, K>,
  setActive: (index: number) => void,
  setActiveColumn: (column: number) => void,
) {
  const latest = useLatest(props);
  const [press] = useState(() => (index: number, isRange: boolean) => {
    const { rowAt, onChoose, picking } = latest.current;
    setActive(index);
    if (isRange && picking) return picking.onPick(index, true);
    const item = rowAt(index);
    if (item !== undefined) onChoose(item);
  });
  const [pick] = useState(() => (index: number, isRange: boolean) => {
    setActive(index);
    latest.current.picking?.onPick(index, isRange);
  });
  const [pressCell] = useState(() => (index: number, column: number, isTwice: boolean) => {
    setActiveColumn(column);
    const item = latest.current.rowAt(index);
    const isInvalid = item !== undefined && latest.current.columns[column]?.invalidBy?.(item);
    if (isTwice || isInvalid) editCell(latest.current, index, column);
  });
  return { press, pick, pressCell };
}

/** Begins to edit a cell. False if it cannot be edited. */
function editCell<T, K extends string>({ rowAt, columns, editing }: GridProps<T, K>, index: number, column: number) {
  const item = rowAt(index);
  const columnId = columns[column]?.id;
  if (!editing || item === undefined || columnId === undefined || !editing.canEdit(item, columnId)) return false;
  editing.onEdit(item, columnId);
  return true;
}

function resizingOf(
  box: { readonly current: HTMLElement | null },
  columns: readonly GridColumn<never>[],
  { widths, onWidths }: GridSizing,
  hasPicking: boolean,
): Resizing {
  return {
    drawnUpTo: (columnId) => {
      const drawn = { ...widths };
      for (const { id } of columns) {
        const heading = box.current?.querySelector(`[data-column="${id}"]`);
        drawn[id] = (heading?.getBoundingClientRect().width ?? 0) / remPx();
        if (id === columnId) break;
      }
      return drawn;
    },
    show: (shown = widths) => box.current?.style.setProperty(templateName, gridTemplate(columns, shown, hasPicking)),
    keep: onWidths,
    reset: (columnId) => onWidths(Object.fromEntries(Object.entries(widths).filter(([id]) => id !== columnId))),
  };
}

/** The checkbox that ticks all rows. */
function PickAll<T>(props: { readonly picking: GridPicking<T> }) {
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
function Heading<T, K extends string>(props: {
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
      className={`${css.heading} ${column.isNumber ? css.number : ''} ${column.isHeld ? css.held : ''}`}
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
