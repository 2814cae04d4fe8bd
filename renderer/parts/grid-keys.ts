import type { KeyboardEvent, RefObject } from 'react';
import type { GridPicking } from './grid-column.ts';

/** Handles the keys of a grid while the grid itself has the focus: arrows, Page Up and Down, Home, End, Enter, Space and Ctrl+A. */
export function gridKeys(grid: {
  readonly box: RefObject<HTMLElement | null>;
  readonly rowPx: number;
  readonly total: number;
  /** The row where the keys start. */
  readonly current: number;
  readonly hasChosen: boolean;
  readonly picking: GridPicking<never> | undefined;
  readonly moveTo: (index: number) => void;
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
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / grid.rowPx) - 2);
    const next: Record<string, number> = {
      ArrowDown: grid.hasChosen ? current + 1 : current,
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
    grid.moveTo(index);
  };
}
