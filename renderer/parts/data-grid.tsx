import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import css from './data-grid.module.css';
import { type GridColumn, type GridPicking, type GridSizing, type GridSorting, gridTemplate } from './grid-column.ts';
import { Heading, PickAll } from './grid-heading.tsx';
import { GridRow } from './grid-row.tsx';
import { ColumnSeparator, type Resizing, remPx } from './grid-separator.tsx';

/** Rows drawn beyond each edge, for the time until the next ones are. */
const overscan = 12;
const headingRem = 2.125;
const rowRem = 2.25;
/** On the grid alone, for all rows: a column that is dragged draws no row anew. */
const templateName = '--grid-columns';

/**
 * A table of any length of which only the visible rows exist: `rowAt` answers nothing for rows that are not read yet, `onRange` says which ones are
 * looked at. One stop for Tab; arrows, Page Up and Down, Home and End move, and what they move to is chosen.
 */
export function DataGrid<T, K extends string>(props: {
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
  /** Where it is given, columns can be made wider and narrower. */
  readonly sizing?: GridSizing;
  /** Another question, another list: it starts at its top. */
  readonly listKey?: string;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  // Rows of a virtual table are given in pixels: they grow with the person's text size.
  const rem = remPx();
  const rowPx = rowRem * rem;
  const virtual = useVirtualizer({
    count: props.total,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: headingRem * rem,
    scrollPaddingStart: headingRem * rem,
  });
  const rows = virtual.getVirtualItems();
  // Rows that leave on one side are drawn anew on the other: cheaper than making new ones.
  const ring = Math.max(rows.length, Math.ceil((box.current?.clientHeight ?? 0) / rowPx) + 2 * overscan + 2);
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  const { onRange } = props;
  useEffect(() => onRange(first, last), [onRange, first, last]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another list is shown
  useEffect(() => {
    setActive(0);
    box.current?.scrollTo({ top: 0 });
  }, [props.listKey]);

  const current = Math.min(active, Math.max(0, props.total - 1));
  function moveTo(index: number) {
    const next = Math.max(0, Math.min(props.total - 1, index));
    setActive(next);
    virtual.scrollToIndex(next);
    const item = props.rowAt(next);
    if (item !== undefined) props.onChoose(item);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== box.current || event.altKey || event.metaKey) return;
    if (event.ctrlKey && event.key.toLowerCase() === 'a' && props.picking) {
      event.preventDefault();
      props.picking.onPickAll(true);
      return;
    }
    if (event.key === ' ' && props.picking) {
      event.preventDefault();
      props.picking.onPick(current, event.shiftKey);
      return;
    }
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowPx) - 2);
    const next: Record<string, number> = {
      ArrowDown: props.chosen === null ? current : current + 1,
      ArrowUp: current - 1,
      PageDown: current + pageRows,
      PageUp: current - pageRows,
      Home: 0,
      End: props.total - 1,
      Enter: current,
      ' ': current,
    };
    const index = next[event.key];
    if (index === undefined) return;
    event.preventDefault();
    moveTo(index);
  }

  // Rows are drawn anew only when they themselves change: what they call stays the same.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [press] = useState(() => (index: number, isRange: boolean) => {
    const { rowAt, onChoose, picking: now } = latest.current;
    setActive(index);
    if (isRange && now) return now.onPick(index, true);
    const item = rowAt(index);
    if (item !== undefined) onChoose(item);
  });
  const [pick] = useState(() => (index: number, isRange: boolean) => {
    setActive(index);
    latest.current.picking?.onPick(index, isRange);
  });

  const { picking, sizing } = props;
  const resizing = sizing ? resizingOf(box, props.columns, sizing, picking !== undefined) : null;
  const template = gridTemplate(props.columns, sizing?.widths ?? {}, picking !== undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid cannot be an HTML table
    <div
      ref={box}
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.total + 1}
      aria-multiselectable={picking ? true : undefined}
      aria-activedescendant={props.total > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      className={css.grid}
      style={{ [templateName]: template } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
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
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="rowgroup" className={css.body} style={{ blockSize: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = props.rowAt(row.index);
          const isPicked = item !== undefined && picking ? picking.isPicked(item) : null;
          return (
            <GridRow
              key={row.index % ring}
              id={`${id}-${row.index}`}
              index={row.index}
              item={item}
              columns={props.columns as readonly GridColumn<unknown>[]}
              heightPx={rowPx}
              startPx={row.start - virtual.options.scrollMargin}
              isChosen={item !== undefined && props.keyOf(item) === props.chosen}
              isActive={row.index === current}
              isPicked={isPicked}
              pickLabel={item !== undefined && picking ? picking.label(item) : ''}
              onPress={press}
              onPick={pick}
            />
          );
        })}
      </div>
    </div>
  );
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
