import { isEmail } from '../../../../contract/email.ts';
import type { Failure, FailureDetail } from '../../../../contract/failure.ts';
import type { Language } from '../../../../contract/languages.ts';
import { appError } from '../../foundation/app-error.ts';

/** A table that was read from a file: a row of headings, then rows. */
export interface Table {
  /** One for each column; all are empty if the file has no row of headings. */
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** Row number in the spreadsheet: the first row is 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export type TableFormat = 'csv' | 'xlsx';

export const tableLimits = {
  fileBytes: 20 * 1024 * 1024,
  /** Rows without the headings and without empty rows. */
  rows: 10_000,
  /** Rows with the empty ones: no spreadsheet program has more. */
  lines: 1_048_576,
  columns: 100,
  cellCharacters: 32_767,
  /** Characters of all cells: a text that many cells share counts for each of them. */
  characters: 20 * 1024 * 1024,
} as const;

/**
 * Collects rows into a table. The first row that is not empty is the headings, unless it holds an address: that is somebody's, and would be left out. Empty rows are left
 * out, but keep their numbers. Cells are not trimmed.
 */
export function tableRows() {
  let headings: readonly string[] | null = null;
  const rows: TableRow[] = [];
  let [columns, characters] = [0, 0];
  return {
    /** Throws bad-input (`tableToken`) beyond the limits. */
    add: (row: number, given: readonly string[]) => {
      checkLines(row);
      const cells = given.slice(0, tableLimits.columns);
      if (given.slice(tableLimits.columns).some((cell) => cell.trim() !== ''))
        throw unusableTable('table-columns', `has more than ${tableLimits.columns} columns`);
      if (cells.every((cell) => cell.trim() === '')) return;
      characters += cells.reduce((sum, cell) => sum + cell.length, 0);
      if (characters > tableLimits.characters)
        throw unusableTable(
          'table-too-large',
          `holds more than ${tableLimits.characters / 1024 / 1024} million characters`,
        );
      if (headings === null) {
        headings = cells.some((cell) => isEmail(addressIn(cell))) ? [] : cells.map((cell) => cell.trim());
        if (headings.length > 0) return;
      }
      if (rows.length === tableLimits.rows) throw tooManyRows();
      columns = Math.max(columns, cells.length);
      rows.push({ row, cells });
    },
    table: () => {
      if (headings === null) throw unusableTable('file-empty', 'is empty');
      return { headings: headings.length > 0 ? headings : Array.from({ length: columns }, () => ''), rows };
    },
  };
}

/** Throws bad-input (`tableToken`) for a line beyond the limit; millions of empty ones would be read for many seconds. */
export function checkLines(line: number): void {
  if (line > tableLimits.lines) throw unusableTable('table-too-large', `has more than ${tableLimits.lines} lines`);
}

export function tooManyRows() {
  return unusableTable('table-rows', `has more than ${tableLimits.rows} rows`);
}

/** A heading as headings are compared: its letters and digits, in lower case and without accents. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** `problem` continues the sentence "the table …". */
export function unusableTable(detail: FailureDetail, problem: string, more: Pick<Failure, 'row'> = {}) {
  return appError('bad-input', `the table ${problem}`, { detail, fields: { tableToken: problem }, ...more });
}

/**
 * True for a text that a spreadsheet would take for a formula when it opens a CSV file; an apostrophe before it makes it a text. Also for full-width signs, and for signs
 * after spaces.
 */
export function isFormulaLike(text: string): boolean {
  return /^[\s\u0000-\u001F\u00A0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text);
}

/** A separator that a spreadsheet may be told to use, with what may stand before a formula that begins there. */
const inside = /([;,|\t\r\n]["\s\u0000-\u001F\u00A0]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text that becomes no formula when a spreadsheet opens the CSV file, with whatever separator it does. */
export function guarded(text: string): string {
  return `${isFormulaLike(text) ? "'" : ''}${text.replace(inside, "$1'$2")}`;
}

/** The text that was guarded. */
export function unguarded(cell: string): string {
  const text = cell.startsWith("'") && isFormulaLike(cell.slice(1)) ? cell.slice(1) : cell;
  return text.replace(/([;,|\t\r\n]["\s\u0000-\u001F\u00A0]*)'(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1');
}

/** The text of a cell that may be an address: `Ana Petrov <ana@example.org>` and `mailto:ana@example.org` hold one too. */
export function addressIn(cell: string): string {
  const text = unguarded(cell).trim();
  const inside = /<([^<>]*)>$/.exec(text)?.[1] ?? text;
  return inside.trim().replace(/^mailto:/i, '');
}

export interface NewTable {
  readonly headings: readonly string[];
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>;
  /** Language that decides on the separator of CSV. */
  readonly language: Language;
}
