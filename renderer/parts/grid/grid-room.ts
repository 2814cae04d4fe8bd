import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { GridColumn, GridWidths } from './grid-column.ts';
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
