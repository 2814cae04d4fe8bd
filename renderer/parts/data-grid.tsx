import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import css from './data-grid.module.css';

export interface GridColumn<T, K extends string = string> {
  readonly id: K;
  readonly title: string;
  /** As in grid-template-columns: `minmax(10rem, 2fr)`. */
  readonly width: string;
  readonly sortable?: boolean;
  /** Numbers stand at the end of their cell. */
  readonly isNumber?: boolean;
  readonly cell: (item: T) => ReactNode;
}

export interface GridSorting<K extends string> {
  readonly column: K;
  readonly descending: boolean;
}

/** Ticking rows, beside choosing one: by the box, Space, Shift with a click, Ctrl+A. */
export interface GridPicking<T> {
  readonly isPicked: (item: T) => boolean;
  readonly onPick: (index: number, isRange: boolean) => void;
  readonly all: boolean | 'some';
  readonly onPickAll: (isPicked: boolean) => void;
  readonly label: (item: T) => string;
  readonly allLabel: string;
}

const pickWidth = '2.5rem ';
/** Rows drawn beyond each edge, for the time until the next ones are. */
const overscan = 12;
const headingRem = 2.125;
const rowRem = 2.25;

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
  /** Another question, another list: it starts at its top. */
  readonly listKey?: string;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const scale = textScale();
  const rowPx = rowRem * 16 * scale;
  const virtual = useVirtualizer({
    count: props.total,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: headingRem * 16 * scale,
    scrollPaddingStart: headingRem * 16 * scale,
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

  const widths = props.columns.map((column) => column.width).join(' ');
  const template = { gridTemplateColumns: props.picking ? pickWidth + widths : widths };
  const { picking } = props;
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
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="rowgroup" className={css.head}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid */}
        <div role="row" aria-rowindex={1} className={css.columns} style={template}>
          {picking ? <PickAll picking={picking} /> : null}
          {props.columns.map((column) => (
            <Heading key={column.id} column={column} sorting={props.sorting ?? null} onSort={props.onSort} />
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
              template={template.gridTemplateColumns}
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

const GridRow = memo(function GridRow(props: {
  readonly id: string;
  readonly index: number;
  readonly item: unknown;
  readonly columns: readonly GridColumn<unknown>[];
  readonly template: string;
  readonly heightPx: number;
  readonly startPx: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  /** Null where nothing can be ticked. */
  readonly isPicked: boolean | null;
  readonly pickLabel: string;
  readonly onPress: (index: number, isRange: boolean) => void;
  readonly onPick: (index: number, isRange: boolean) => void;
}) {
  const { index, item } = props;
  const style: CSSProperties = {
    gridTemplateColumns: props.template,
    blockSize: props.heightPx,
    transform: `translateY(${props.startPx}px)`,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid cannot be an HTML table
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the grid's
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
    <div
      role="row"
      id={props.id}
      aria-rowindex={index + 2}
      aria-selected={props.isPicked ?? props.isChosen}
      aria-current={props.isPicked !== null && props.isChosen ? 'true' : undefined}
      data-active={props.isActive ? '' : undefined}
      data-chosen={props.isChosen ? '' : undefined}
      className={`${css.columns} ${css.row}`}
      style={style}
      onClick={(event) => props.onPress(index, event.shiftKey)}
    >
      {props.isPicked === null ? null : (
        // biome-ignore lint/a11y/useSemanticElements: see above
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
        // biome-ignore lint/a11y/useKeyWithClickEvents: Space is the grid's
        <div role="gridcell" className={css.pick} onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={props.isPicked}
            disabled={item === undefined}
            aria-label={props.pickLabel || '…'}
            onClick={(event) => props.onPick(index, event.shiftKey)}
            onChange={() => undefined}
          />
        </div>
      )}
      {props.columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: see above
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
        <div key={column.id} role="gridcell" className={`${css.cell} ${column.isNumber ? css.number : ''}`}>
          {item === undefined ? <span className={css.unread}>…</span> : column.cell(item)}
        </div>
      ))}
    </div>
  );
});

function PickAll<T>(props: { readonly picking: GridPicking<T> }) {
  const { all, onPickAll, allLabel } = props.picking;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = all === 'some';
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the box inside
    <div role="columnheader" className={`${css.heading} ${css.pick}`}>
      <input
        ref={box}
        type="checkbox"
        checked={all === true}
        aria-label={allLabel}
        onChange={(event) => onPickAll(event.currentTarget.checked)}
      />
    </div>
  );
}

function Heading<T, K extends string>(props: {
  readonly column: GridColumn<T, K>;
  readonly sorting: GridSorting<string> | null;
  readonly onSort: ((sorting: GridSorting<K>) => void) | undefined;
}) {
  const { column, sorting, onSort } = props;
  const mine = sorting?.column === column.id ? sorting : null;
  const Arrow = mine?.descending ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtual grid
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid and on the button inside
    <div
      role="columnheader"
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
        column.title
      )}
    </div>
  );
}

/** Rows of a virtual table are given in pixels: grow them with the person's text size. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
