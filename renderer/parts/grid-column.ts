import type { ReactNode } from 'react';

export interface GridColumn<T, K extends string = string> {
  readonly id: K;
  readonly title: string;
  /** As in grid-template-columns: `minmax(10rem, 2fr)`. */
  readonly width: string;
  readonly sortable?: boolean;
  /** Numbers stand at the end of their cell. */
  readonly isNumber?: boolean;
  readonly cell: (item: T) => ReactNode;
}

export interface GridSorting<K extends string> {
  readonly column: K;
  readonly descending: boolean;
}

/** Ticking rows, beside choosing one: by the box, Space, Shift with a click, Ctrl+A. */
export interface GridPicking<T> {
  readonly isPicked: (item: T) => boolean;
  readonly onPick: (index: number, isRange: boolean) => void;
  readonly all: boolean | 'some';
  readonly onPickAll: (isPicked: boolean) => void;
  readonly label: (item: T) => string;
  readonly allLabel: string;
}

/** Widths that a person gave to columns, by their id, in rem: they grow with the text. A column that is not in it has its usual width. */
export type GridWidths = Readonly<Record<string, number>>;

export interface GridSizing {
  readonly widths: GridWidths;
  /** After dragging, with each step by key: not while a column is dragged. */
  readonly onWidths: (widths: GridWidths) => void;
}

/** Narrower, a heading cannot be told from its neighbours; wider, the next one cannot be found. */
export const narrowestRem = 3;
export const widestRem = 60;

/** grid-template-columns of all rows. */
export function gridTemplate(columns: readonly GridColumn<never>[], widths: GridWidths, hasPicking: boolean): string {
  const all = columns.map(({ id, width }) => (widths[id] === undefined ? width : `${widths[id]}rem`));
  return [...(hasPicking ? ['2.5rem'] : []), ...all].join(' ');
}
