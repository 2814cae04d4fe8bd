import type { BulkColumn, BulkColumns } from '../../../../contract/bulk.ts';
import type { Table } from '../../output/tables/table.ts';
import { meaningsOf, withColumns } from './headings.ts';
import { cellText } from './row-check.ts';

/** Values of a column that a person sees to know it. */
const shownValues = 3;
const shownLength = 80;

/** The columns of a table with what they mean, or are said to mean, and how many people would have no name. Access codes are left out. */
export async function readColumns(table: Table, said: readonly (BulkColumn | null)[] | null): Promise<BulkColumns> {
  const meant = said ?? (await meaningsOf(table.headings));
  const joined = await withColumns(table, meant);
  return {
    columns: table.headings.map((heading, at) => ({
      heading,
      column: meant[at] ?? null,
      values: meant[at] === 'secretWord' ? [] : firstValues(table, at),
    })),
    rowCount: table.rows.length,
    unnamed: unnamedIn(joined),
  };
}

function firstValues({ rows }: Table, at: number): readonly string[] {
  const values = new Set<string>();
  for (const { cells } of rows) {
    const value = (cells[at] ?? '').trim();
    if (value !== '') values.add(value.slice(0, shownLength));
    if (values.size === shownValues) break;
  }
  return [...values];
}

function unnamedIn({ table, columns }: Awaited<ReturnType<typeof withColumns>>): number {
  const people = ([1, 2, 3] as const).map((n) => [columns.indexOf(`email${n}`), columns.indexOf(`name${n}`)] as const);
  let count = 0;
  for (const { cells } of table.rows)
    for (const [email, name] of people)
      if (cellText('email1', cells[email] ?? '') !== '' && cellText('name1', cells[name] ?? '') === '') count += 1;
  return count;
}
