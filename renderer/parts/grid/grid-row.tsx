import { type CSSProperties, memo, type ReactNode } from 'react';
import { CellCheckbox } from '../checkbox.tsx';
import looks from '../looks.module.css';
import css from './data-grid.module.css';
import type { GridColumn } from './grid-column.ts';

interface RowProps {
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
  readonly label: string | undefined;
  readonly pickLabel: string;
  readonly onPress: (index: number, isRange: boolean) => void;
  readonly onPick: (index: number, isRange: boolean) => void;
  /** Null if cells cannot be edited. */
  readonly onPressCell: ((index: number, column: number, isTwice: boolean) => void) | null;
  /** Null if the row is not the active one, or cells cannot be edited. */
  readonly activeColumn: number | null;
  readonly editing: { readonly columnId: string; readonly editor: ReactNode } | null;
}

/** One row of a data grid; rendered only when its properties change. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { index, item, editing } = props;
  const style: CSSProperties = { blockSize: props.heightPx, transform: `translateY(${props.startPx}px)` };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid cannot be an HTML table
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the grid's
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
    <div
      role="row"
      id={props.id}
      aria-label={props.label}
      aria-rowindex={index + 2}
      aria-selected={props.isPicked ?? props.isChosen}
      aria-current={props.isPicked !== null && props.isChosen ? 'true' : undefined}
      data-active={props.isActive ? '' : undefined}
      data-chosen={props.isChosen ? '' : undefined}
      data-editing={editing ? '' : undefined}
      className={`${css.columns} ${css.row}`}
      style={style}
      onClick={(event) => props.onPress(index, event.shiftKey)}
    >
      {props.isPicked === null ? null : (
        // biome-ignore lint/a11y/useSemanticElements: see above
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
        // biome-ignore lint/a11y/useKeyWithClickEvents: Space is the grid's
        <div role="gridcell" className={css.pick} onClick={(event) => event.stopPropagation()}>
          <CellCheckbox
            state={props.isPicked}
            label={props.pickLabel || '…'}
            isDisabled={item === undefined}
            isTabStop={false}
            onToggle={(_isSelected, event) => props.onPick(index, event.shiftKey)}
          />
        </div>
      )}
      {props.columns.map((column, at) => cellOf(props, column, at))}
    </div>
  );
});

function cellOf(
  { id, index, item, editing, activeColumn, onPressCell }: RowProps,
  column: GridColumn<unknown>,
  at: number,
) {
  const isEdited = editing?.columnId === column.id;
  const invalidBy = item === undefined ? null : (column.invalidBy?.(item) ?? null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the grid
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and F2 are the grid's
    <div
      key={column.id}
      role="gridcell"
      id={onPressCell ? `${id}-${at}` : undefined}
      aria-invalid={invalidBy ? true : undefined}
      aria-describedby={invalidBy ?? undefined}
      data-active={activeColumn === at ? '' : undefined}
      data-edited={isEdited ? '' : undefined}
      className={`${css.cell} ${column.isNumber ? css.number : ''} ${column.isHeld ? css.held : ''}`}
      onClick={
        column.isAction
          ? (event) => event.stopPropagation()
          : onPressCell && !isEdited
            ? (event) => onPressCell(index, at, event.detail > 1)
            : undefined
      }
    >
      {isEdited ? editing.editor : item === undefined ? <span className={looks.hint}>…</span> : column.cell(item)}
    </div>
  );
}
