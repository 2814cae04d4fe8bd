import { basename, parse } from 'node:path';
import { type BulkColumn, type BulkColumns, bulkProblemText } from '../../../../contract/bulk.ts';
import { presetContent } from '../../../../contract/compose.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { CallParsed, HandlersOf } from '../../../../contract/index.ts';
import type { Language } from '../../../../contract/languages.ts';
import { idText } from '../../../../contract/operation.ts';
import { isKnownCode } from '../../../../locales/answer-meaning.ts';
import { loadTexts, type TextsOf } from '../../../../locales/load-texts.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import { practiceMarks } from '../../connections/connection-list.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import { safeFileName } from '../../files/safe-file-name.ts';
import { chooseTarget } from '../../files/target.ts';
import { readTable } from '../../output/tables/read-table.ts';
import { type Table, type TableFormat, unusableTable } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { imageOf } from '../signature-order.ts';
import { bulkRowView, reviewBulk } from './bulk-view.ts';
import type { Bulks } from './bulks.ts';
import { checkTable, type TableCheck } from './check-table.ts';
import { cellsOfSheet, isInSheet, meaningsOf, sampleTable, withColumns } from './headings.ts';
import { mendAsBefore, mendCell } from './mend-cell.ts';
import { cellsOf } from './row-plan.ts';

/** Calls about bulks: many requests from one table. */
export function bulkCalls(context: Context, bulks: Bulks): HandlersOf<'bulk'> {
  const { files, store, ports } = context;
  const read = async (token: string) => {
    const table = await readTable(await files.file(token), ports.systemLanguages()[0] ?? 'en');
    if (table.rows.length === 0) throw unusableTable('table-empty', 'has no rows');
    return table;
  };
  return {
    'bulk.sample': async ({ format, language }) => {
      const t = await loadTexts(language, 'tables');
      const target = await chooseTarget(ports.dialogs, `${t('fileNames.sample')}.${format}`);
      return target && { fileName: basename(await writeTable(target, format, await sampleTable(language))) };
    },
    'bulk.columns': async ({ tableToken, columns }) => readColumns(await read(tableToken), columns ?? null),
    'bulk.check': async (given) => {
      const { id } = await checkTable(context, await tableCheck(context, given, await read(given.tableToken)));
      if (given.replaces !== undefined) await replaceChecked(context, bulks, given.replaces, id);
      bulks.tell(id);
      return bulks.view(id);
    },
    'bulk.list': async () => store.bulks.list().map(({ id }) => bulks.view(id)),
    'bulk.rows': async ({ id, which, ...page }) => {
      const bulk = bulks.get(id);
      const { rows, total } = store.bulks.rows(bulk.seq, which, bulk.includeWarnings, page);
      return { rows: rows.map((row) => bulkRowView(bulk, row)), total };
    },
    'bulk.mend': async ({ id, fileToken, ...cell }) => {
      const file = fileToken === undefined ? undefined : await files.file(fileToken);
      const row = await mendCell(context, bulks.get(id), { ...cell, file });
      bulks.tell(id);
      return row;
    },
    'bulk.review': async ({ id, ...how }) => {
      const sentBefore = await bulks.recheck(id);
      return { ...(await reviewBulk(context, bulks.get(id), how)), sentBefore };
    },
    'bulk.send': async ({ id, ...how }) => bulks.send(id, how),
    'bulk.pause': async ({ id }) => bulks.pause(id),
    'bulk.takeBack': async ({ id, rows }) => ({ rows: await bulks.takeBack(id, rows) }),
    'bulk.putBack': ({ id, rows }) => bulks.putBack(id, rows),
    'bulk.remove': async ({ id }) => bulks.remove(id),
    'bulk.saveResults': async ({ id, format, language }) => {
      const bulk = bulks.get(id);
      const t = await loadTexts(language, 'tables');
      const name = t('fileNames.results', { table: parse(bulk.fileName).name });
      const target = await chooseTarget(ports.dialogs, safeFileName(`${name}.${format}`, ''));
      return target && { fileName: basename(await saveResults(context, bulk, target, format, language)) };
    },
  };
}

/** Ends an earlier check of the same spreadsheet, of which nothing was given to the queue, once its mended cells are mended in the new one. */
async function replaceChecked(context: Context, bulks: Bulks, oldId: string, id: string): Promise<void> {
  const old = context.store.bulks.get(oldId);
  if (old?.state !== 'checked' || old.isRemoved) return;
  if (Object.keys(context.store.bulks.countRows(old.seq).jobs).length > 0) return;
  await mendAsBefore(context, old, id);
  bulks.remove(oldId);
}

async function tableCheck(
  { connections, files, store, vault }: Context,
  { connectionId, tableToken, columns, intakeId, content, draftId, secretWord }: CallParsed<'bulk.check'>,
  table: Table,
): Promise<TableCheck> {
  const { fileToken, imageToken, ...rest } = content;
  const ofDraft = draftId === undefined ? null : (store.forms.get(draftId)?.secret ?? null);
  return {
    connection: await connections.get(connectionId),
    table,
    columns: columns ?? null,
    fileName: (await files.file(tableToken)).name,
    content: presetContent.parse(rest),
    draftId: draftId ?? null,
    file: fileToken === null ? null : await files.file(fileToken),
    image: imageToken === null ? null : await imageOf({ files }, imageToken),
    files: intakeId === undefined ? [] : await files.intake(intakeId),
    secret: secretWord === undefined ? ofDraft : secretWord === '' ? null : await vault.seal(secretWord),
  };
}

/** Values of a column that a person sees to know it. */
const shownValues = 3;
const shownLength = 80;

/** The columns of a table with what they mean, or are said to mean, and how many people would have no name. Access codes are left out. */
async function readColumns(table: Table, said: readonly (BulkColumn | null)[] | null): Promise<BulkColumns> {
  const meant = said ?? (await meaningsOf(table));
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

function unnamedIn({ rows, columns }: Awaited<ReturnType<typeof withColumns>>): number {
  const texts = rows.map(({ cells }) => cellsOf(columns, cells));
  return texts.flatMap((cell) => ([1, 2, 3] as const).filter((n) => cell[`email${n}`] && !cell[`name${n}`])).length;
}

/** Result columns after those of the table. */
const ownColumns = ['row', 'result', 'documentId', 'answer', 'failure', 'problems', 'mended', 'at'] as const;

const rowsPerPage = 500;

/** Why a row was not sent, as the window says it; a code of the service stands behind its meaning. */
function failureWords(t: TextsOf<'tables'>, { code, detail, serviceCode }: Failure): string {
  if (serviceCode !== undefined && isKnownCode(serviceCode))
    return `${t(`serviceCodes.${serviceCode}`)} (${serviceCode})`;
  const heading = t(detail && code !== 'outcome-unknown' ? `failures.detail.${detail}` : `failures.code.${code}`);
  return serviceCode === undefined ? heading : `${heading} (${serviceCode})`;
}

/** Saves the table with the result of each row in further columns. Secret words are left out. */
async function saveResults(
  { store, connections }: Context,
  bulk: StoredBulk,
  target: Target,
  format: TableFormat,
  language: Language,
): Promise<string> {
  const t = await loadTexts(language, 'tables');
  const given = bulk.columns.map(({ heading, column }) => heading || (column ? t(`recipients.${column}`) : ''));
  const headingOf = (column: BulkColumn) =>
    given[bulk.columns.findIndex((one) => one.column === column)] || t(`recipients.${column}`);
  const connection = await connections.get(bulk.connectionId).catch(() => null);
  const sentWith = `${connection?.name ?? ''}${(await practiceMarks(language))(bulk.connectionId)}`;
  function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = store.bulks.rows(bulk.seq, 'all', true, { offset, limit: rowsPerPage });
      for (const row of page) {
        const view = bulkRowView(bulk, row);
        const problems = view.problems.map((one) => {
          const about = { row: one.otherRow ?? 0, time: one.sentAt ?? '' };
          const problem = t(`problems.${bulkProblemText(bulk.kind, one)}`, about);
          return one.column ? t('results.problemIn', { heading: headingOf(one.column), problem }) : problem;
        });
        const isWarned = view.state === 'skipped' && view.problems.every(({ severity }) => severity === 'warning');
        const documentId = view.documentId ?? (view.jobId && store.requests.documentOf(view.jobId)) ?? '';
        yield [
          ...cellsOfSheet(bulk.columns, row.cells),
          String(view.row),
          t(`states.${isWarned ? 'warned' : view.state}`),
          idText(documentId),
          view.raw ?? '',
          view.failure ? failureWords(t, view.failure) : '',
          problems.join('; '),
          view.mended.map(({ column, was }) => t('results.mendedFrom', { heading: headingOf(column), was })).join('; '),
          row.job?.at ?? '',
          sentWith,
        ];
      }
      if (page.length < rowsPerPage) return;
    }
  }
  const headings = [
    ...given.filter((_heading, at) => isInSheet(bulk.columns, at)),
    ...ownColumns.map((column) => t(`results.${column}`)),
    t('registered.connection'),
  ];
  return writeTable(target, format, { headings, rows: rows(), language });
}
