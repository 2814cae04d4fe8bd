import type { BulkColumn } from '../../../../contract/bulk.ts';
import type { Language } from '../../../../contract/languages.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import type { TableFormat } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { bulkRowView } from './bulk-view.ts';

/** Result columns after those of the table. */
const ownColumns = ['row', 'result', 'documentId', 'answer', 'failure', 'problems', 'mended', 'asOf'] as const;

const rowsPerPage = 500;

/** Saves the table with the result of each row in further columns. Secret words are left out. */
export async function saveResults(
  { store }: Context,
  bulk: StoredBulk,
  target: Target,
  format: TableFormat,
  language: Language,
): Promise<string> {
  const t = await loadTexts(language, 'tables');
  const given = bulk.columns.map(({ heading, column }) => heading || (column ? t(`recipients.${column}`) : ''));
  const headingOf = (column: BulkColumn) => given[bulk.columns.findIndex((one) => one.column === column)] ?? '';
  function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = store.bulks.rows(bulk.seq, 'all', true, { offset, limit: rowsPerPage });
      for (const row of page) {
        const view = bulkRowView(bulk, row);
        const problems = view.problems.map(({ kind, column }) => (column ? `${kind} (${column})` : kind));
        yield [
          ...given.map((_heading, index) => row.cells[index] ?? ''),
          String(view.row),
          t(`states.${view.state}`),
          view.documentId ?? '',
          view.raw ?? '',
          view.failure ? `${view.failure.code}${view.failure.serviceCode ? ` ${view.failure.serviceCode}` : ''}` : '',
          problems.join(', '),
          view.mended.map(({ column, was }) => t('results.mendedFrom', { heading: headingOf(column), was })).join('; '),
          row.job?.at ?? '',
        ];
      }
      if (page.length < rowsPerPage) return;
    }
  }
  const headings = [...given, ...ownColumns.map((column) => t(`results.${column}`))];
  return writeTable(target, format, { headings, rows: rows(), language });
}
