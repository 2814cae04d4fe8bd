import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import css from './virtual-rows.module.css';

/** Rows drawn beyond each edge, for the time until the next ones are. */
const overscan = 8;

/** A list of which only the rows on show exist: they are asked for by index. Rows may differ in height. */
export function VirtualRows(props: {
  readonly label: string;
  readonly count: number;
  /** Where there are more than have a place yet: what screen readers say of the list's length. */
  readonly total?: number;
  readonly rowHeight: number;
  readonly gap?: number;
  readonly className?: string | undefined;
  readonly keyOf: (index: number) => string;
  readonly children: (index: number) => ReactNode;
  /** Told whenever other rows come into sight. */
  readonly onShow?: (first: number, last: number) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => props.rowHeight,
    gap: props.gap ?? 0,
    overscan,
    getItemKey: props.keyOf,
  });
  const rows = virtual.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const { onShow } = props;
  useEffect(() => onShow?.(first, last), [onShow, first, last]);

  return (
    <div
      ref={scroll}
      className={`${css.scroll} ${props.className ?? ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
      tabIndex={0}
    >
      <ul className={css.inner} aria-label={props.label} style={{ blockSize: virtual.getTotalSize() }}>
        {rows.map((row) => (
          <li
            key={row.key}
            ref={virtual.measureElement}
            data-index={row.index}
            aria-posinset={row.index + 1}
            aria-setsize={props.total ?? props.count}
            className={css.row}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {props.children(row.index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
