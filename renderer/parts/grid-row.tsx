import { type CSSProperties, memo } from 'react';
import css from './data-grid.module.css';
import type { GridColumn } from './grid-column.ts';

/** One row of a data grid; rendered only when its properties change. */
export const GridRow = memo(function GridRow(props: {
  readonly id: string;
  readonly index: number;
  /** Undefined until it is read. */
  readonly item: unknown;
  readonly columns: readonly GridColumn<unknown>[];
  readonly heightPx: number;
  readonly startPx: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  /** Null if rows cannot be ticked. */
  readonly isPicked: boolean | null;
  readonly pickLabel: string;
  readonly onPress: (index: number, isRange: boolean) => void;
  readonly onPick: (index: number, isRange: boolean) => void;
}) {
  const { index, item } = props;
  const style: CSSProperties = { blockSize: props.heightPx, transform: `translateY(${props.startPx}px)` };
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
