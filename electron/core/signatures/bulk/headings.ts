import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import { type Language, languageTags } from '../../../../contract/languages.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import { type NewTable, plainHeading } from '../../output/tables/table.ts';

/**
 * The column that each heading means, in any language of the catalogue; null for an unknown heading, and for one that
 * repeats a column.
 */
export async function columnsOf(given: readonly string[]): Promise<(BulkColumn | null)[]> {
  const known = await knownHeadings();
  const taken = new Set<BulkColumn>();
  return given.map((heading) => {
    const column = known.get(plainHeading(heading)) ?? null;
    if (column === null || taken.has(column)) return null;
    taken.add(column);
    return column;
  });
}

/** Maps known headings to columns. If two columns share a heading, the first column has it. */
async function knownHeadings(): Promise<ReadonlyMap<string, BulkColumn>> {
  const texts = await Promise.all(languageTags.map((language) => loadTexts(language, 'tables')));
  return new Map(
    [...bulkColumns].reverse().flatMap((column) => {
      const words = texts.flatMap((t) => [
        t(`recipients.${column}`),
        ...withNumbers(column, t(`alsoRecipients.${column}`)),
      ]);
      return words.map((word) => [plainHeading(word), column] as const);
    }),
  );
}

/** The words of `text` with the number of the column for each `#`. */
function withNumbers(column: BulkColumn, text: string): string[] {
  const number = /\d$/.exec(column)?.[0] ?? '';
  return text.split(' ').flatMap((word) => {
    if (!word.includes('#')) return [word];
    return number === '1' ? [word.replace('#', ''), word.replace('#', '1')] : [word.replace('#', number)];
  });
}

/** A sample table with every column and two example rows. */
export async function sampleTable(language: Language): Promise<NewTable> {
  const t = await loadTexts(language, 'tables');
  const examples: readonly Partial<Record<BulkColumn, string>>[] = [
    {
      email1: 'ayla@example.com',
      name1: 'Ayla Öztürk',
      file: t('examples.first.file'),
      documentName: t('examples.first.documentName'),
      clientId: t('examples.first.clientId'),
      message: t('examples.first.message'),
    },
    {
      email1: 'chidi@example.com',
      name1: 'Chidi Okafor',
      email2: 'dana@example.com',
      name2: 'Dana Cohen',
      file: t('examples.second.file'),
      documentName: t('examples.second.documentName'),
      clientId: t('examples.second.clientId'),
    },
  ];
  return {
    headings: bulkColumns.map((column) => t(`recipients.${column}`)),
    rows: examples.map((row) => bulkColumns.map((column) => row[column] ?? '')),
    language,
  };
}
