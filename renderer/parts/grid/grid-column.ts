import type { ReactNode } from 'react';

export interface GridColumn<T, K extends string = string> {
  readonly id: K;
  readonly title: string;
  /** As in grid-template-columns: `minmax(10rem, 2fr)`. */
  readonly width: string;
  readonly sortable?: boolean;
  /** Leaves the table where there is no room for all columns, the highest number first: its fact is elsewhere too. */
  readonly fold?: number;
  /** What stays of it when it folds. */
  readonly slim?: Pick<GridColumn<T, K>, 'width' | 'cell'>;
  /** Is folded to its slim form, whose width is fixed. */
  readonly isSlim?: boolean;
  /** Stays in sight while the others are scrolled sideways: rows are recognised by it. */
  readonly isHeld?: boolean;
  /** Numbers are aligned to the end of their cell. */
  readonly isNumber?: boolean;
  /** Its buttons do something with the row, which is not chosen by pressing them. */
  readonly isAction?: boolean;
  readonly cell: (item: T) => ReactNode;
  /** ID of the element that says what is wrong with the cell; null if nothing is. */
  readonly invalidBy?: (item: T) => string | null;
}

/** Editing cells in place: by Enter or F2 on the active cell, which arrows select, by a double click, or by a click on an invalid cell. */
export interface GridEditing<T> {
  readonly canEdit: (item: T, columnId: string) => boolean;
  /** The cell that is being edited, by its row's key, because rows can move; null if none is. */
  readonly cell: { readonly key: string; readonly columnId: string } | null;
  readonly onEdit: (item: T, columnId: string) => void;
  readonly editor: (item: T, columnId: string) => ReactNode;
}

export interface GridSorting<K extends string> {
  readonly column: K;
  readonly descending: boolean;
}

/** Ticking rows, besides selecting one: by the checkbox, Space, Shift with a click, Ctrl+A. */
export interface GridPicking<T> {
  readonly isPicked: (item: T) => boolean;
  readonly onPick: (index: number, isRange: boolean) => void;
  readonly all: boolean | 'some';
  readonly onPickAll: (isPicked: boolean) => void;
  readonly label: (item: T) => string;
  readonly allLabel: string;
}

/** Widths that a person set, by column ID, in rem so that they grow with the text. Other columns have their default width. */
export type GridWidths = Readonly<Record<string, number>>;

export interface GridSizing {
  readonly widths: GridWidths;
  /** Called after dragging and after each step by key, not during a drag. */
  readonly onWidths: (widths: GridWidths) => void;
}

/** Limits of a width: if narrower, headings overlap; if wider, the next column is out of sight. */
export const narrowestRem = 3;
export const widestRem = 60;

/** The value of grid-template-columns for all rows. */
export function gridTemplate(columns: readonly GridColumn<never>[], widths: GridWidths, hasPicking: boolean): string {
  const all = columns.map(({ id, width, isSlim }) => (isSlim || widths[id] === undefined ? width : `${widths[id]}rem`));
  return [...(hasPicking ? ['2.5rem'] : []), ...all].join(' ');
}
