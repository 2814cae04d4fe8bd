import { type ReactNode, useCallback } from 'react';
import css from './virtual-rows.module.css';
import { VirtualRows } from './virtual-rows.tsx';

/**
 * Virtual rows of items that are at hand. `total` counts items not loaded yet, too. Items may have gaps: places that are not known yet keep their
 * room, and `onRange` says which places are being looked at.
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
  const { items, total, keyOf, onEnd, onRange, children, ...rest } = props;
  const lacksSome = items.length < total;
  const onShow = useCallback(
    (first: number, last: number) => {
      if (last >= items.length - 1 && lacksSome) onEnd?.();
      if (last >= first) onRange?.(first, last);
    },
    [items.length, lacksSome, onEnd, onRange],
  );
  return (
    <VirtualRows
      {...rest}
      count={items.length}
      total={total}
      keyOf={(index) => {
        const item = items[index];
        return item === undefined ? String(index) : keyOf(item);
      }}
      onShow={onShow}
    >
      {(index) => {
        const item = items[index];
        return item === undefined ? <div className={css.gap} style={{ blockSize: props.rowHeight }} /> : children(item);
      }}
    </VirtualRows>
  );
}
