import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import { remPx } from './grid-separator.tsx';

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
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: headingRem * rem,
    scrollPaddingStart: headingRem * rem,
  });
  const rows = virtual.getVirtualItems();
  // Rows that scroll out on one side are reused on the other, which is cheaper than creating new ones.
  const ring = Math.max(rows.length, Math.ceil((box.current?.clientHeight ?? 0) / rowPx) + 2 * overscan + 2);
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onRange(first, last), [onRange, first, last]);
  return {
    rows: rows.map((row) => ({ index: row.index, slot: row.index % ring, startPx: row.start - headingRem * rem })),
    rowPx,
    totalPx: virtual.getTotalSize(),
    scrollTo: (index: number) => virtual.scrollToIndex(index),
  };
}
