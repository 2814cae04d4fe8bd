import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useKeptScroll, useSteadyRows } from './hooks/focus-and-scroll.ts';
import css from './virtual-list.module.css';

/** Number of rows rendered beyond each edge, to fill the time until the next ones are. */
const overscan = 8;

/** Items by index, for example an array. Items that are not read yet are undefined. */
interface Items<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

interface ListProps<T> {
  readonly label: string;
  readonly items: Items<T>;
  readonly total?: number;
  readonly rowHeight: number;
  readonly gap?: number;
  readonly className?: string | undefined;
  /** When the function changes, every row may be another one: all are measured again. */
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
  readonly onEnd?: () => void;
  readonly onRange?: (first: number, last: number) => void;
  /** The list is what a person came for: it takes the focus, unless a person has put it elsewhere on the screen. */
  readonly takesFocus?: boolean;
}

/**
 * A list of which only the visible rows are rendered. Rows may differ in height; items that are not read yet have `rowHeight` (in px). `total` is the
 * length announced to screen readers if there are more than in `items`; `onEnd` requests more, `onRange` reports the visible indexes.
 */
export function VirtualList<T>(props: ListProps<T>) {
  const { items } = props;
  const total = props.total ?? items.length;
  const { scroll, virtual } = useVirtualItems({ ...props, total });
  const takesFocus = (props.takesFocus ?? false) && items.length > 0;
  useEffect(() => {
    const at = document.activeElement;
    if (takesFocus && (at === document.body || at?.id === 'main')) scroll.current?.focus();
  }, [takesFocus, scroll]);
  return (
    <div
      ref={scroll}
      className={`${css.scroll} ${props.className ?? ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
      tabIndex={0}
    >
      <ul className={css.inner} data-marked="" aria-label={props.label} style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((row) => {
          const item = items.at(row.index);
          return (
            <li
              key={row.key}
              ref={virtual.measureElement}
              data-index={row.index}
              aria-posinset={row.index + 1}
              aria-setsize={total}
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

function useVirtualItems<T>(list: ListProps<T> & { readonly total: number }) {
  const { items, total, keyOf, onEnd, onRange } = list;
  const { length } = items;
  const scroll = useRef<HTMLDivElement>(null);
  useSteadyRows(scroll);
  useKeptScroll(scroll, list.label);
  const getItemKey = useCallback(
    (index: number) => {
      const item = items.at(index);
      return item === undefined ? String(index) : keyOf(item);
    },
    [items, keyOf],
  );
  const virtual = useVirtualizer({
    count: length,
    getScrollElement: () => scroll.current,
    estimateSize: () => list.rowHeight,
    gap: list.gap ?? 0,
    overscan,
    getItemKey,
  });
  const rows = virtual.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= length - 1 && length < total) onEnd?.();
    if (last >= first) onRange?.(first, last);
  }, [first, last, length, total, onEnd, onRange]);
  return { scroll, virtual };
}
