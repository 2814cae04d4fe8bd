import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bulk, BulkColumn, BulkProblem } from '../../../../contract/bulk.ts';
import type { Connection } from '../../../../contract/connections.ts';
import type { NewBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { LocalFile } from '../../files/local-file.ts';
import type { FileLocation } from '../../files/own-files.ts';
import { appError } from '../../foundation/app-error.ts';
import type { Table } from '../../output/tables/table.ts';
import { sentBefore } from '../signature-order.ts';
import { meaningsOf, withColumns } from './headings.ts';
import {
  type BulkPlan,
  cellsOf,
  checkCells,
  columnsFor,
  fingerprintOf,
  type PlannedFile,
  planFile,
  planRow,
  repeats,
} from './row-plan.ts';

/** Rows written in one transaction. */
const rowsPerWrite = 200;

export interface TableCheck {
  readonly connection: Connection;
  readonly table: Table;
  /** What each of its headings means; null: as they say. */
  readonly columns: readonly (BulkColumn | null)[] | null;
  readonly fileName: string;
  readonly content: BulkPlan['content'];
  readonly draftId: string | null;
  readonly file: LocalFile | null;
  readonly image: LocalFile | null;
  /** The files that the column `file` may name. */
  readonly files: readonly LocalFile[];
  /** Sealed secret word for rows without one. */
  readonly secret: string | null;
}

/**
 * Checks every row of a table and stores the result. Nothing is sent. Rejects with bad-input if the table has no address
 * column (`tableToken`), or if neither the request nor any row names a file (`fileToken`).
 */
export async function checkTable(context: Context, given: TableCheck): Promise<StoredBulk> {
  const { connection, content } = given;
  const table = await withColumns(given.table, given.columns ?? (await meaningsOf(given.table)));
  if (!table.columns.some(({ column }) => column === 'email1'))
    throw appError('bad-input', 'no heading says e-mail', {
      fields: { tableToken: 'has no column of e-mail addresses' },
    });
  const namesFiles = table.rows.some(({ cells }) => cellsOf(table.columns, cells).file);
  // One missing choice for all rows, and not one problem per row.
  if (content.kind !== 'easy-sign-template' && !given.file && !namesFiles)
    throw appError('bad-input', 'neither the request nor any row names a file', {
      fields: { fileToken: 'is missing' },
    });
  const id = randomUUID();
  const location = { dataDir: context.ports.dataDir, into: join(context.ports.dataDir, 'bulk', id) };
  const image = given.image && (await planFile(location, given.image, 'image'));
  const planOnce = filePlanner(location);
  const plan: BulkPlan = { content, image, file: given.file && (await planOnce(given.file)) };
  const checkRow = rowChecks(context, given, plan, planOnce, table.columns);
  const { bulks } = context.store;
  const bulk = bulks.add({
    id,
    connectionId: connection.id,
    kind: content.kind,
    fileName: given.fileName,
    draftId: given.draftId,
    plan: JSON.stringify(plan),
    columns: table.columns,
    secret: given.secret,
  });
  try {
    const problems: BulkProblem[] = [];
    for (let start = 0; start < table.rows.length; start += rowsPerWrite) {
      const checked: NewBulkRow[] = [];
      for (const { row, cells } of table.rows.slice(start, start + rowsPerWrite))
        checked.push(await checkRow(row, cells));
      bulks.addRows(bulk.seq, checked);
      problems.push(...checked.flatMap((row) => row.problems));
      await nextTurn();
    }
    bulks.change(id, { columns: columnsFor(bulk.columns, problems) });
  } catch (error) {
    bulks.remove(id);
    throw error;
  }
  return bulk;
}

/** Hashes each file once, however many rows name it. */
function filePlanner(location: FileLocation) {
  const planned = new Map<string, Promise<PlannedFile>>();
  return (file: LocalFile): Promise<PlannedFile> => {
    const known = planned.get(file.path) ?? planFile(location, file, `document-${planned.size}`);
    planned.set(file.path, known);
    return known;
  };
}

function rowChecks(
  context: Context,
  { connection, files }: TableCheck,
  plan: BulkPlan,
  planFile: (file: LocalFile) => Promise<PlannedFile>,
  columns: Bulk['columns'],
): (row: number, all: readonly string[]) => Promise<NewBulkRow> {
  const find = fileNames(files);
  const rows = new Map<string, number>();
  const sent = sentBefore(context, connection);
  return async (row, all) => {
    const cells = cellsOf(columns, all);
    const named = plan.content.kind === 'easy-sign-template' ? undefined : cells.file || undefined;
    const found = named === undefined ? undefined : find(named);
    const own = planRow(cells, plan, found ? await planFile(found) : null);
    const fingerprint = fingerprintOf(own, plan);
    const otherRow = fingerprint === null ? undefined : rows.get(fingerprint);
    if (fingerprint !== null && otherRow === undefined) rows.set(fingerprint, row);
    const repeated = repeats(otherRow, sent.get(fingerprint ?? ''));
    return {
      row,
      cells: all.map((cell, index) => (columns[index]?.column === 'secretWord' ? '' : cell)),
      plan: JSON.stringify(own),
      secret: cells.secretWord ? await context.vault.seal(cells.secretWord) : null,
      problems: [...checkCells(cells, own, plan, connection), ...repeated],
    };
  };
}

/** Finds files by name, or by folder and name if several have the same name. Ignores case. */
function fileNames(files: readonly LocalFile[]): (name: string) => LocalFile | undefined {
  const byName = new Map<string, LocalFile | null>();
  const put = (name: string, file: LocalFile) => {
    const key = name.normalize('NFC').toLowerCase();
    const known = byName.get(key);
    byName.set(key, known !== undefined && known?.path !== file.path ? null : file);
  };
  for (const file of files) {
    put(file.name, file);
    if (file.folder !== '') put(`${file.folder}/${file.name}`, file);
  }
  return (name) => byName.get(name.replaceAll('\\', '/').normalize('NFC').toLowerCase()) ?? undefined;
}
