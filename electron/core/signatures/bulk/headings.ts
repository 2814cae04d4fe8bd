import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import { type Language, languageTags } from '../../../../contract/languages.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import { type NewTable, plainHeading, type Table } from '../../output/tables/table.ts';

/** A person's name that stands in several columns, in the order in which it is said; `whole` is -1 where no column has all of it. */
interface SplitName {
  readonly column: BulkColumn;
  readonly parts: readonly number[];
  readonly whole: number;
  /** The first of them: the joined name stands there. */
  readonly at: number;
}

/**
 * The table with the column that each heading means, in any language of the catalogue; null for an unknown heading, and for one that repeats a column.
 * Where first or last names have columns of their own they become one with the name: the service takes one name for each person.
 */
export async function withColumns(
  table: Table,
): Promise<{ readonly table: Table; readonly columns: (BulkColumn | null)[] }> {
  const columns = await columnsOf(table.headings);
  const names = await splitNames(table.headings.map(plainHeading), columns);
  if (names.length === 0) return { table, columns };
  const join = <T>(values: readonly T[], joined: (name: SplitName) => T) =>
    values.flatMap((value, at) => {
      const name = names.find(({ parts }) => parts.includes(at));
      if (!name) return [value];
      return at === name.at ? [joined(name)] : [];
    });
  // A row may end before its last columns, but a part of a name may stand there.
  const wholeRow = (cells: readonly string[]) => table.headings.map((_heading, at) => cells[at] ?? '');
  return {
    columns: join(columns, ({ column }) => column),
    table: {
      headings: join(table.headings, ({ parts }) => parts.map((at) => table.headings[at] ?? '').join(' + ')),
      rows: table.rows.map(({ row, cells }) => ({ row, cells: join(wholeRow(cells), (name) => nameIn(cells, name)) })),
    },
  };
}

async function splitNames(
  headings: readonly string[],
  columns: readonly (BulkColumn | null)[],
): Promise<readonly SplitName[]> {
  const texts = await catalogues();
  return (['name1', 'name2', 'name3'] as const).flatMap((column) => {
    const placeOf = (part: 'first' | 'last') => {
      const words = new Set(texts.flatMap((t) => withNumbers(column, t(`namesInParts.${part}`))).map(plainHeading));
      return headings.findIndex((heading, at) => columns[at] === null && words.has(heading));
    };
    const [first, whole, last] = [placeOf('first'), columns.indexOf(column), placeOf('last')];
    if (first === -1 && last === -1) return [];
    const parts = [first, whole, last].filter((at) => at !== -1);
    return [{ column, parts, whole, at: Math.min(...parts) }];
  });
}

/** "Name" beside "First name" may be the last name or all of it: what the name already has is not said twice. */
function nameIn(cells: readonly string[], { parts, whole }: SplitName): string {
  const cell = (at: number) => (cells[at] ?? '').trim();
  const words = new Set(cell(whole).toLowerCase().split(/\s+/));
  const isNew = (text: string) =>
    text !== '' &&
    !text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.has(word));
  return parts
    .filter((at) => (at === whole ? cell(at) !== '' : isNew(cell(at))))
    .map(cell)
    .join(' ');
}

function catalogues() {
  return Promise.all(languageTags.map((language) => loadTexts(language, 'tables')));
}

async function columnsOf(given: readonly string[]): Promise<(BulkColumn | null)[]> {
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
  const texts = await catalogues();
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
