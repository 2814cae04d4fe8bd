import type { KeyboardEvent, RefObject } from 'react';
import type { GridPicking } from './grid-column.ts';

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
