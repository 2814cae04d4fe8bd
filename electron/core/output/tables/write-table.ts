import type { Language } from '../../../../contract/languages.ts';
import type { Target } from '../../files/place-file.ts';
import { saveFile } from '../../files/target.ts';
import { guarded, type NewTable, type TableFormat } from './table.ts';

/**
 * Writes a table into a new file; answers its path. No cell becomes a formula: in CSV a text that looks like one, or holds one behind a separator, gets an apostrophe, in XLSX every cell is a
 * text. Rejects as saveFile does.
 */
export async function writeTable(target: Target, format: TableFormat, table: NewTable): Promise<string> {
  // What writes either is loaded with the first one.
  const pieces = format === 'csv' ? csvPieces(table) : (await import('./write-xlsx.ts')).xlsxPieces(table);
  return saveFile(target, pieces);
}

async function* csvPieces({ headings, rows, language }: NewTable): AsyncGenerator<string> {
  const { default: Papa } = await import('papaparse');
  const delimiter = delimiterFor(language);
  const line = (cells: readonly string[]) =>
    `${Papa.unparse([cells.map(guarded)], { delimiter, newline: '\r\n' })}\r\n`;
  // With the byte order mark spreadsheets recognize UTF-8.
  yield `\uFEFF${line(headings)}`;
  for await (const cells of rows) yield line(cells);
}

/** Spreadsheets expect a semicolon where the comma is the decimal sign. */
function delimiterFor(language: Language): string {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ',';
}
