import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { GridColumn, GridPicking, GridWidths } from './grid-column.ts';
import { remPx } from './grid-separator.tsx';

/** Width of the column of checkboxes. */
const pickingRem = 2.5;

/**
 * The columns for which there is room. Those with a `fold` leave, or become slim, one by one, the highest number first; if the others are too wide as well, the table
 * scrolls. A column that a person made wider counts as before: widening one must not remove another.
 */
export function fittingColumns<T, K extends string>(
  columns: readonly GridColumn<T, K>[],
  widths: GridWidths,
  roomRem: number,
): readonly GridColumn<T, K>[] {
  const remOf = (width: string) => Number(/([\d.]+)rem/.exec(width)?.[1] ?? 0);
  const leastRem = ({ id, width }: GridColumn<T, K>) => Math.min(remOf(width), widths[id] ?? remOf(width));
  const byFold = columns.filter(({ fold }) => fold !== undefined).sort((a, b) => (b.fold ?? 0) - (a.fold ?? 0));
  let needed = columns.reduce((sum, column) => sum + leastRem(column), 0);
  const folded = new Set<GridColumn<T, K>>();
  for (const column of byFold) {
    if (needed <= roomRem) break;
    needed -= leastRem(column) - remOf(column.slim?.width ?? '');
    folded.add(column);
  }
  if (folded.size === 0) return columns;
  return columns.flatMap((column) => {
    if (!folded.has(column)) return column;
    return column.slim ? { ...column, ...column.slim, isSlim: true } : [];
  });
}

/** The columns of a grid for which its box has room, measured before they are painted. */
export function useFittingColumns<T, K extends string>(
  box: RefObject<HTMLElement | null>,
  columns: readonly GridColumn<T, K>[],
  widths: GridWidths,
  hasPicking: boolean,
): readonly GridColumn<T, K>[] {
  const [roomPx, setRoomPx] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const grid = box.current;
    if (!grid) return;
    const measure = () => setRoomPx(grid.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(grid);
    return () => observer.disconnect();
  }, [box]);
  const roomRem = roomPx / remPx() - (hasPicking ? pickingRem : 0);
  return useMemo(() => fittingColumns(columns, widths, roomRem), [columns, widths, roomRem]);
}

/** Handles the keys of a grid while the grid itself has the focus: arrows, Page Up and Down, Home, End, Enter, F2, Space and Ctrl+A. */
export function gridKeys(grid: {
  readonly box: RefObject<HTMLElement | null>;
  readonly rowPx: number;
  readonly total: number;
  /** The row where the keys start. */
  readonly current: number;
  readonly hasChosen: boolean;
  /** True if moving does not choose: what is chosen would hide the grid. Then Enter chooses. */
  readonly isEnterNeeded: boolean;
  readonly picking: GridPicking<never> | undefined;
  readonly moveTo: (index: number, isChosen: boolean) => void;
  /** For grids whose cells can be edited. */
  readonly cells?: { readonly moveBy: (columns: number) => void; readonly edit: () => boolean } | undefined;
}) {
  const { box, current, picking } = grid;
  return (event: KeyboardEvent) => {
    if (event.target !== box.current || event.altKey || event.metaKey) return;
    if (event.ctrlKey && event.key.toLowerCase() === 'a' && picking) {
      event.preventDefault();
      picking.onPickAll(true);
      return;
    }
    if (event.key === ' ' && picking) {
      event.preventDefault();
      picking.onPick(current, event.shiftKey);
      return;
    }
    if (grid.cells && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      const isRightToLeft = box.current !== null && getComputedStyle(box.current).direction === 'rtl';
      grid.cells.moveBy((event.key === 'ArrowRight') === isRightToLeft ? -1 : 1);
      return;
    }
    if (grid.cells && (event.key === 'Enter' || event.key === 'F2') && grid.cells.edit()) {
      event.preventDefault();
      return;
    }
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / grid.rowPx) - 2);
    const next: Record<string, number> = {
      ArrowDown: grid.hasChosen || grid.isEnterNeeded ? current + 1 : current,
      ArrowUp: current - 1,
      PageDown: current + pageRows,
      PageUp: current - pageRows,
      Home: 0,
      End: grid.total - 1,
      Enter: current,
      ' ': current,
    };
    const index = next[event.key];
    if (index === undefined) return;
    event.preventDefault();
    grid.moveTo(index, !grid.isEnterNeeded || event.key === 'Enter' || event.key === ' ');
  };
}

/** Number of rows rendered beyond each edge, to fill the time until the next ones are. */
const overscan = 12;
const headingRem = 2.125;
const rowRem = 2.25;

/** The currently rendered rows of a grid, and scrolling to others. Calls `onRange` when the visible rows change. */
export function useGridRows(
  box: RefObject<HTMLDivElement | null>,
  total: number,
  onRange: (first: number, last: number) => void,
) {
  // The virtual table needs row heights in pixels; they grow with the person's text size.
  const rem = remPx();
  const rowPx = rowRem * rem;
  const shownFrom = useRef(0);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
    // Where each frame shows other rows, those beyond the edges are never seen and take most of its time. They come once scrolling slows down.
    rangeExtractor: (range) => {
      const isFar = Math.abs(range.startIndex - shownFrom.current) > range.endIndex - range.startIndex + range.overscan;
      shownFrom.current = range.startIndex;
      return defaultRangeExtractor(isFar ? { ...range, overscan: 0 } : range);
    },
    scrollMargin: headingRem * rem,
    scrollPaddingStart: headingRem * rem,
  });
  const rows = virtual.getVirtualItems();
  const slots = useRef<ReadonlyMap<number, number>>(new Map());
  slots.current = slotsOf(rows, slots.current);
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onRange(first, last), [onRange, first, last]);
  return {
    rows: [...slots.current].map(([index, slot]) => ({ index, slot, startPx: index * rowPx })),
    rowPx,
    totalPx: virtual.getTotalSize(),
    scrollTo: (index: number) => virtual.scrollToIndex(index),
  };
}

/** Rows that come in take the places of those that left, in whatever direction and how far: drawing a row anew with another text is cheaper than making one. */
function slotsOf(rows: readonly { readonly index: number }[], before: ReadonlyMap<number, number>) {
  const kept = new Map(rows.map(({ index }) => [index, before.get(index)]));
  const taken = new Set(kept.values());
  const free = [...before.values()].filter((slot) => !taken.has(slot));
  let unused = Math.max(-1, ...before.values()) + 1;
  return new Map([...kept].map(([index, slot]) => [index, slot ?? free.shift() ?? unused++]));
}
