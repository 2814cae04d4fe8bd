import { type CSSProperties, useEffect, useId, useRef, useState } from 'react';
import css from './data-grid.module.css';
import { type GridColumn, type GridPicking, type GridSizing, type GridSorting, gridTemplate } from './grid-column.ts';
import { Heading, PickAll } from './grid-heading.tsx';
import { gridKeys } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import { useGridRows } from './grid-rows.ts';
import { ColumnSeparator, type Resizing, remPx } from './grid-separator.tsx';

/** A property of the grid for all rows: dragging a column renders no row again. */
const templateName = '--grid-columns';

interface GridProps<T, K extends string> {
  readonly label: string;
  readonly columns: readonly GridColumn<T, K>[];
  readonly total: number;
  readonly rowAt: (index: number) => T | undefined;
  readonly keyOf: (item: T) => string;
  readonly chosen: string | null;
  readonly onChoose: (item: T) => void;
  readonly onRange: (first: number, last: number) => void;
  readonly sorting?: GridSorting<string> | null;
  readonly onSort?: (sorting: GridSorting<K>) => void;
  readonly picking?: GridPicking<T>;
  /** If given, columns can be resized. */
  readonly sizing?: GridSizing;
  /** When it changes, the list is another one and scrolls to its top. */
  readonly listKey?: string;
}

/**
 * A table of any length of which only the visible rows are rendered: `rowAt` returns nothing for rows that are not read yet, `onRange` reports the
 * visible ones. The table is one Tab stop; arrows, Page Up and Down, Home and End move the selection.
 */
export function DataGrid<T, K extends string>(props: GridProps<T, K>) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const { total, picking, sizing } = props;
  const grid = useGridRows(box, total, props.onRange);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another list is shown
  useEffect(() => {
    setActive(0);
    box.current?.scrollTo({ top: 0 });
  }, [props.listKey]);

  const current = Math.min(active, Math.max(0, total - 1));
  function moveTo(index: number) {
    const next = Math.max(0, Math.min(total - 1, index));
    setActive(next);
    grid.scrollTo(next);
    const item = props.rowAt(next);
    if (item !== undefined) props.onChoose(item);
  }
  const { rowPx } = grid;
  const onKeyDown = gridKeys({ box, rowPx, total, current, hasChosen: props.chosen !== null, picking, moveTo });
  const template = gridTemplate(props.columns, sizing?.widths ?? {}, picking !== undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid cannot be an HTML table
    <div
      ref={box}
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-multiselectable={picking ? true : undefined}
      aria-activedescendant={total > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      className={css.grid}
      style={{ [templateName]: template } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <GridHead {...props} resizing={sizing ? resizingOf(box, props.columns, sizing, picking !== undefined) : null} />
      <GridBody {...props} id={id} grid={grid} current={current} setActive={setActive} />
    </div>
  );
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
            {resizing ? <ColumnSeparator columnId={column.id} title={column.title} resizing={resizing} /> : null}
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
  },
) {
  const { id, grid, picking } = props;
  const { press, pick } = useRowActions(props, props.setActive);
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    <div role="rowgroup" className={css.body} style={{ blockSize: grid.totalPx }}>
      {grid.rows.map(({ index, slot, startPx }) => {
        const item = props.rowAt(index);
        return (
          <GridRow
            key={slot}
            id={`${id}-${index}`}
            index={index}
            item={item}
            columns={props.columns as readonly GridColumn<unknown>[]}
            heightPx={grid.rowPx}
            startPx={startPx}
            isChosen={item !== undefined && props.keyOf(item) === props.chosen}
            isActive={index === props.current}
            isPicked={item !== undefined && picking ? picking.isPicked(item) : null}
            pickLabel={item !== undefined && picking ? picking.label(item) : ''}
            onPress={press}
            onPick={pick}
          />
        );
      })}
    </div>
  );
}

/** Selecting and ticking a row. The functions stay the same, so that rows are rendered only when their own data changes. */
function useRowActions<T, K extends string>(props: GridProps<T, K>, setActive: (index: number) => void) {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
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
  return { press, pick };
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
