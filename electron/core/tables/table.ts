/** A table as somebody wrote it: a row of headings, then rows. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** As the spreadsheet counts: the first row is 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export type TableFormat = 'csv' | 'xlsx';

export const tableLimits = {
  fileBytes: 20 * 1024 * 1024,
  /** Without the headings. */
  rows: 10_000,
  columns: 100,
  cellCharacters: 32_767,
} as const;

/** The first row that holds something is the headings; empty rows are left out and still counted. Cells stay as they are. */
export function tableOf(all: readonly TableRow[]): Table {
  const filled = all
    .map(({ row, cells }) => ({ row, cells: cells.slice(0, tableLimits.columns) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [first, ...rows] = filled;
  return { headings: (first?.cells ?? []).map((cell) => cell.trim()), rows };
}

/**
 * What a spreadsheet would take for a formula when it opens a CSV file: an apostrophe before it makes it a text. Full-width signs count too, and so do signs behind
 * spaces.
 */
export function isFormulaLike(text: string): boolean {
  return /^[\s\u0000-\u001F\u00A0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text);
}
