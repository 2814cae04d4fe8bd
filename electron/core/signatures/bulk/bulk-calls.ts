import { basename, parse } from 'node:path';
import { presetContent } from '../../../../contract/compose.ts';
import type { CallParsed, HandlersOf } from '../../../../contract/index.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { Context } from '../../context.ts';
import { safeFileName } from '../../files/safe-file-name.ts';
import { chooseTarget } from '../../files/target.ts';
import { readTable } from '../../output/tables/read-table.ts';
import { type Table, unusableTable } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { bulkRowView } from './bulk-view.ts';
import type { Bulks } from './bulks.ts';
import { checkTable, type TableCheck } from './check-table.ts';
import { sampleTable } from './headings.ts';
import { mendCell } from './mend-cell.ts';
import { readColumns } from './read-columns.ts';
import { reviewBulk } from './review-bulk.ts';
import { saveResults } from './save-results.ts';

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
      bulks.tell(id);
      return bulks.view(id);
    },
    'bulk.list': async () => store.bulks.list().map(({ id }) => bulks.view(id)),
    'bulk.get': async ({ id }) => bulks.view(id),
    'bulk.rows': async ({ id, which, offset, limit }) => {
      const bulk = bulks.get(id);
      const { rows, total } = store.bulks.rows(bulk.seq, which, bulk.includeWarnings, { offset, limit });
      return { rows: rows.map((row) => bulkRowView(bulk, row)), total };
    },
    'bulk.mend': async ({ id, fileToken, ...cell }) => {
      const file = fileToken === undefined ? undefined : await files.file(fileToken);
      const row = await mendCell(context, bulks.get(id), { ...cell, file });
      bulks.tell(id);
      return row;
    },
    'bulk.review': async ({ id, ...how }) => reviewBulk(context, bulks.get(id), how),
    'bulk.send': async ({ id, ...how }) => bulks.send(id, how),
    'bulk.pause': async ({ id }) => bulks.pause(id),
    'bulk.takeBack': async ({ id, rows }) => ({ rows: await bulks.takeBack(id, rows) }),
    'bulk.putBack': async ({ id, rows }) => {
      bulks.putBack(id, rows);
      return null;
    },
    'bulk.remove': async ({ id }) => {
      await bulks.remove(id);
      return null;
    },
    'bulk.saveResults': async ({ id, format, language }) => {
      const bulk = bulks.get(id);
      const t = await loadTexts(language, 'tables');
      const name = t('fileNames.results', { table: parse(bulk.fileName).name });
      const target = await chooseTarget(ports.dialogs, safeFileName(`${name}.${format}`, ''));
      return target && { fileName: basename(await saveResults(context, bulk, target, format, language)) };
    },
  };
}

async function tableCheck(
  { connections, files }: Context,
  { connectionId, tableToken, columns, intakeId, content, draftId, secretWord }: CallParsed<'bulk.check'>,
  table: Table,
): Promise<TableCheck> {
  const { fileToken, imageToken, ...rest } = content;
  return {
    connection: await connections.get(connectionId),
    table,
    columns: columns ?? null,
    fileName: (await files.file(tableToken)).name,
    content: presetContent.parse(rest),
    draftId: draftId ?? null,
    file: fileToken === null ? null : await files.file(fileToken),
    image: imageToken === null ? null : await files.file(imageToken),
    files: intakeId === undefined ? [] : await files.intake(intakeId),
    secretWord: secretWord ?? '',
  };
}
