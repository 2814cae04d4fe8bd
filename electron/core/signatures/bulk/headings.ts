import { type Bulk, type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import { type Language, languageTags } from '../../../../contract/languages.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import { appError } from '../../foundation/app-error.ts';
import { type NewTable, plainHeading, type Table } from '../../output/tables/table.ts';

/** A person's name that stands in several columns, in the order in which it is said; `whole` is -1 where no column has all of it. */
interface SplitName {
  readonly column: BulkColumn;
  readonly parts: readonly number[];
  readonly whole: number;
  /** The first of them: the joined name stands there. */
  readonly at: number;
}

const nameColumns = ['name1', 'name2', 'name3'] as const;
const isName = (column: BulkColumn | null) => (nameColumns as readonly (BulkColumn | null)[]).includes(column);

/**
 * The column that each heading means, in any language of the catalogue; null for an unknown heading, and for one that repeats a column. First or last
 * names in columns of their own mean the name: the service takes one name for each person. A "Document" is a file only if files stand below it, else its name.
 */
export async function meaningsOf({ headings: given, rows }: Table): Promise<(BulkColumn | null)[]> {
  const words = (await catalogues()).flatMap((t) => t('alsoRecipients.fileOrName').split(' '));
  const columns = await columnsOf(
    given,
    (at) => words.includes(plainHeading(given[at] ?? '')) && !namesFiles(rows, at),
  );
  const parts = await namePartsOf(given);
  const taken = new Set<string>();
  return columns.map((column, at) => {
    const part = parts[at];
    if (column !== null || !part || taken.has(`${part.column} ${part.isFirst}`)) return column;
    taken.add(`${part.column} ${part.isFirst}`);
    return part.column;
  });
}

/** At least half of the first values end as names of files do. */
function namesFiles(rows: Table['rows'], at: number): boolean {
  const values = rows.flatMap(({ cells }) => cells[at]?.trim() || []).slice(0, 100);
  return values.filter((value) => /\.[a-z][a-z0-9]{2,3}$/i.test(value)).length * 2 >= Math.max(1, values.length);
}

/**
 * The table as its headings are meant. Columns of one name stay as they are (`partOf`) for the results; before the first of them is one with the whole name. Rejects with
 * bad-input if the meanings are not those of its headings.
 */
export async function withColumns(table: Table, meant: readonly (BulkColumn | null)[]) {
  const others = meant.filter((column) => column !== null && !isName(column));
  if (meant.length !== table.headings.length || new Set(others).size < others.length)
    throw appError('bad-input', 'the columns are not those of the table', { fields: { columns: 'do not fit' } });
  const names = await splitNames(table.headings, meant);
  const join = <T>(values: readonly T[], joined: (name: SplitName) => T) =>
    values.flatMap((value, at) => {
      const name = names.find((one) => one.at === at);
      return name ? [joined(name), value] : [value];
    });
  const given = table.headings.map((heading, at): Bulk['columns'][number] => {
    const partOf = names.find(({ parts }) => parts.includes(at))?.column;
    return partOf ? { heading, column: null, partOf } : { heading, column: meant[at] ?? null };
  });
  const headingOf = ({ parts }: SplitName) => parts.map((at) => table.headings[at] ?? '').join(' + ');
  // A row may end before its last columns, but a part of a name may stand there.
  const wholeRow = (cells: readonly string[]) => table.headings.map((_heading, at) => cells[at] ?? '');
  return {
    columns: join(given, (name) => ({ heading: headingOf(name), column: name.column })),
    rows: table.rows.map(({ row, cells }) => ({ row, cells: join(wholeRow(cells), (name) => nameIn(cells, name)) })),
  };
}

/** False for the whole name that stands before its parts. */
export const isInSheet = (columns: Bulk['columns'], at: number): boolean =>
  columns[at]?.column === null || columns.every(({ partOf }) => partOf !== columns[at]?.column);

/** The cells of a row as its spreadsheet had them: a name that was changed since stands whole in the first of its columns. */
export function cellsOfSheet(columns: Bulk['columns'], cells: readonly string[]): readonly string[] {
  const wordsOf = (text: string) => [...new Set(text.toLowerCase().split(/\s+/))].filter(Boolean).sort().join(' ');
  const first = (name: BulkColumn) => columns.findIndex(({ partOf }) => partOf === name);
  return columns.flatMap(({ partOf }, at) => {
    if (!isInSheet(columns, at)) return [];
    if (!partOf) return [cells[at] ?? ''];
    const whole = cells[columns.findIndex(({ column }) => column === partOf)] ?? '';
    const parts = columns.map((one, index) => (one.partOf === partOf ? (cells[index] ?? '') : '')).join(' ');
    const isChanged = wordsOf(whole) !== wordsOf(parts);
    return [!isChanged ? (cells[at] ?? '') : at === first(partOf) ? whole : ''];
  });
}

/** The names that several columns have, in the order in which a name is said, whatever the order of the columns. */
async function splitNames(headings: readonly string[], meant: readonly (BulkColumn | null)[]): Promise<SplitName[]> {
  const known = await namePartsOf(headings);
  const rank = (at: number) => (known[at] ? (known[at].isFirst ? 0 : 2) : 1);
  return nameColumns.flatMap((column) => {
    const parts = meant.flatMap((one, at) => (one === column ? at : [])).sort((a, b) => rank(a) - rank(b) || a - b);
    if (parts.length < 2) return [];
    return [{ column, parts, whole: parts.find((at) => rank(at) === 1) ?? -1, at: Math.min(...parts) }];
  });
}

/** Of each heading that says a first or last name: whose, and which. */
async function namePartsOf(headings: readonly string[]) {
  const texts = await catalogues();
  const words = new Map(
    nameColumns.flatMap((column) =>
      (['last', 'first'] as const).flatMap((part) =>
        texts
          .flatMap((t) => withNumbers(column, t(`namesInParts.${part}`)))
          .map((word) => [plainHeading(word), { column, isFirst: part === 'first' }] as const),
      ),
    ),
  );
  return headings.map((heading) => words.get(plainHeading(heading)) ?? null);
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

/** `isJustName`: a heading for a file or its name, of the name. It comes after those that mean nothing else, and takes no column from them. */
async function columnsOf(given: readonly string[], isJustName: (at: number) => boolean) {
  const known = await knownHeadings();
  const columns = given.map((): BulkColumn | null => null);
  for (const pass of [false, true])
    for (const [at, heading] of given.entries()) {
      const column = pass ? 'documentName' : (known.get(plainHeading(heading)) ?? null);
      if (isJustName(at) === pass && !columns.includes(column)) columns[at] = column;
    }
  return columns;
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
