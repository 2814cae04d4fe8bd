import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkColumn, BulkProblem } from '../../../../contract/bulk.ts';
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
  type Cells,
  cellText,
  checkCells,
  columnsFor,
  fingerprintOf,
  type PlannedFile,
  planFile,
  planRow,
  type RowPlan,
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
  const columns = table.columns.map(({ column }) => column);
  if (!columns.includes('email1'))
    throw appError('bad-input', 'no heading says e-mail', {
      fields: { tableToken: 'has no column of e-mail addresses' },
    });
  // One missing choice for all rows, and not one problem per row.
  if (content.kind !== 'easy-sign-template' && !given.file && !namesFiles(table.rows, columns))
    throw appError('bad-input', 'neither the request nor any row names a file', {
      fields: { fileToken: 'is missing' },
    });
  const id = randomUUID();
  const location = { dataDir: context.ports.dataDir, into: join(context.ports.dataDir, 'bulk', id) };
  const image = given.image && (await planFile(location, given.image, 'image'));
  const planOnce = filePlanner(location);
  const plan: BulkPlan = { content, image, file: given.file && (await planOnce(given.file)) };
  const checkRow = rowChecks(context, given, plan, planOnce);
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
    let slice: NewBulkRow[] = [];
    for (const { row, cells } of table.rows) {
      const checked = await newRow(context, row, cells, columns, checkRow);
      slice.push(checked);
      problems.push(...checked.problems);
      if (slice.length < rowsPerWrite) continue;
      bulks.addRows(bulk.seq, slice);
      slice = [];
      await nextTurn();
    }
    bulks.addRows(bulk.seq, slice);
    bulks.change(id, { columns: columnsFor(bulk.columns, problems) });
  } catch (error) {
    bulks.remove(id);
    throw error;
  }
  return bulk;
}

function namesFiles(rows: Table['rows'], columns: readonly (BulkColumn | null)[]): boolean {
  const at = columns.indexOf('file');
  return at !== -1 && rows.some(({ cells }) => cellText('file', cells[at] ?? '') !== '');
}

type CheckRow = (row: number, cells: Cells) => Promise<{ plan: RowPlan; problems: readonly BulkProblem[] }>;

async function newRow(
  { vault }: Context,
  row: number,
  all: readonly string[],
  columns: readonly (BulkColumn | null)[],
  checkRow: CheckRow,
): Promise<NewBulkRow> {
  const cells: Partial<Record<BulkColumn, string>> = {};
  for (const [index, column] of columns.entries()) if (column) cells[column] = cellText(column, all[index] ?? '');
  const { plan, problems } = await checkRow(row, cells);
  return {
    row,
    cells: all.map((cell, index) => (columns[index] === 'secretWord' ? '' : cell)),
    plan: JSON.stringify(plan),
    secret: cells.secretWord ? await vault.seal(cells.secretWord) : null,
    problems,
  };
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
): CheckRow {
  const find = fileNames(files);
  const rows = new Map<string, number>();
  const sent = sentBefore(context, connection);
  return async (row, cells) => {
    const named = plan.content.kind === 'easy-sign-template' ? undefined : cells.file || undefined;
    const found = named === undefined ? undefined : find(named);
    const own = planRow(cells, plan, found ? await planFile(found) : null);
    const fingerprint = fingerprintOf(own, plan);
    const otherRow = fingerprint === null ? undefined : rows.get(fingerprint);
    if (fingerprint !== null && otherRow === undefined) rows.set(fingerprint, row);
    const repeated = repeats(otherRow, sent.get(fingerprint ?? ''));
    return { plan: own, problems: [...checkCells(cells, own, plan, connection), ...repeated] };
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
