import type { BulkRow } from '../../../../contract/bulk.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import type { Language } from '../../foundation/language.ts';
import type { TableFormat } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { bulkRowView } from './bulk-view.ts';

const headings: Record<Language, readonly string[]> = {
  en: ['Row', 'Result', 'Document ID', 'Answer of the service', 'Failure', 'Problems', 'As of'],
  de: ['Zeile', 'Ergebnis', 'Dokument-ID', 'Antwort des Dienstes', 'Fehler', 'Probleme', 'Stand'],
};

const states: Record<Language, Record<BulkRow['state'], string>> = {
  en: {
    ready: 'Not sent',
    skipped: 'Not sent: has problems',
    prepared: 'In the queue',
    waiting: 'In the queue',
    sending: 'Being sent',
    done: 'Sent',
    refused: 'Refused by the service',
    failed: 'Not sent: failed',
    'in-doubt': 'In doubt: no answer came',
    cancelled: 'Cancelled',
  },
  de: {
    ready: 'Nicht gesendet',
    skipped: 'Nicht gesendet: hat Probleme',
    prepared: 'In der Warteschlange',
    waiting: 'In der Warteschlange',
    sending: 'Wird gesendet',
    done: 'Gesendet',
    refused: 'Vom Dienst abgelehnt',
    failed: 'Nicht gesendet: fehlgeschlagen',
    'in-doubt': 'Ungewiss: keine Antwort',
    cancelled: 'Abgebrochen',
  },
};

const rowsPerPage = 500;

/** The table as it was, and beside each row what became of it. Secret words are not in it. */
export async function saveResults(
  { store }: Context,
  bulk: StoredBulk,
  target: Target,
  format: TableFormat,
  language: Language,
): Promise<string> {
  const own = bulk.columns.map(({ heading }) => heading);
  function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = store.bulks.rows(bulk.seq, 'all', true, { offset, limit: rowsPerPage });
      for (const row of page) {
        const view = bulkRowView(bulk, row);
        const problems = view.problems.map(({ kind, column }) => (column ? `${kind} (${column})` : kind));
        yield [
          ...own.map((_heading, index) => row.cells[index] ?? ''),
          String(view.row),
          states[language][view.state],
          view.documentId ?? '',
          view.raw ?? '',
          view.failure ? `${view.failure.code}${view.failure.serviceCode ? ` ${view.failure.serviceCode}` : ''}` : '',
          problems.join(', '),
          row.job?.updatedAt ?? '',
        ];
      }
      if (page.length < rowsPerPage) return;
    }
  }
  return writeTable(target, format, { headings: [...own, ...headings[language]], rows: rows(), language });
}
