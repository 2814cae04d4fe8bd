import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import css from './virtual-list.module.css';

/**
 * A list of which only the visible rows exist. Rows may differ in height. `total` counts rows not loaded yet, too. Items may have gaps: places
 * that are not known yet keep their room, and `onRange` says which places are being looked at.
 */
export function VirtualList<T>(props: {
  readonly label: string;
  readonly items: readonly (T | undefined)[];
  readonly total: number;
  readonly rowHeight: number;
  readonly gap?: number;
  readonly className?: string | undefined;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
  readonly onEnd?: () => void;
  readonly onRange?: (first: number, last: number) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: props.items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => props.rowHeight,
    gap: props.gap ?? 0,
    overscan: 8,
    getItemKey: (index) => {
      const item = props.items[index];
      return item === undefined ? index : props.keyOf(item);
    },
  });
  const rows = virtual.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const { onEnd, onRange } = props;
  const atEnd = last >= props.items.length - 1 && props.items.length < props.total;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, onEnd]);
  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);

  return (
    <div
      ref={scroll}
      className={`${css.scroll} ${props.className ?? ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
      tabIndex={0}
    >
      <ul className={css.inner} aria-label={props.label} style={{ blockSize: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = props.items[row.index];
          return (
            <li
              key={row.key}
              ref={virtual.measureElement}
              data-index={row.index}
              aria-posinset={row.index + 1}
              aria-setsize={props.total}
              className={css.row}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {item === undefined ? (
                <div className={css.gap} style={{ blockSize: props.rowHeight }} />
              ) : (
                props.children(item)
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
