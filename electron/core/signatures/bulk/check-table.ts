import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkColumn, BulkProblem } from '../../../../contract/bulk.ts';
import type { Connection } from '../../../../contract/connections.ts';
import type { NewBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { durablePath } from '../../files/durable-copy.ts';
import { hashFile } from '../../files/hash-file.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import type { Table } from '../../output/tables/table.ts';
import { columnsOf } from './headings.ts';
import {
  type BulkPlan,
  type Cells,
  checkTexts,
  fingerprintOf,
  type PlannedFile,
  planRow,
  type RowPlan,
} from './row-plan.ts';

/** Rows written in one transaction. */
const rowsPerWrite = 200;

export interface TableCheck {
  readonly connection: Connection;
  readonly table: Table;
  readonly fileName: string;
  readonly content: BulkPlan['content'];
  readonly file: LocalFile | null;
  readonly image: LocalFile | null;
  /** The files that the column `file` may name. */
  readonly files: readonly LocalFile[];
  readonly secretWord: string;
}

/**
 * Checks every row of a table and stores the result. Nothing is sent. Rejects with bad-input (`tableToken`) if the
 * table has no address column.
 */
export async function checkTable(context: Context, given: TableCheck): Promise<StoredBulk> {
  const { connection, table, content } = given;
  const columns = await columnsOf(table.headings);
  if (!columns.includes('email1'))
    throw appError('bad-input', 'no heading says e-mail', {
      fields: { tableToken: 'has no column of e-mail addresses' },
    });
  const id = randomUUID();
  const location = { dataDir: context.ports.dataDir, into: join(context.ports.dataDir, 'bulk', id) };
  const image = given.image && { ...given.image, path: await durablePath(location, given.image.path, 'image') };
  const planFile = filePlanner(location);
  const plan: BulkPlan = { content, image, file: given.file && (await planFile(given.file)) };
  const checkRow = rowChecks(context, given, plan, planFile);
  const { bulks } = context.store;
  const bulk = bulks.add({
    id,
    connectionId: connection.id,
    kind: content.kind,
    fileName: given.fileName,
    plan: JSON.stringify(plan),
    columns: table.headings.map((heading, index) => ({ heading, column: columns[index] ?? null })),
    secret: given.secretWord === '' ? null : await context.vault.seal(given.secretWord),
  });
  try {
    let slice: NewBulkRow[] = [];
    for (const { row, cells } of table.rows) {
      slice.push(await newRow(context, row, cells, columns, checkRow));
      if (slice.length < rowsPerWrite) continue;
      bulks.addRows(bulk.seq, slice);
      slice = [];
      await nextTurn();
    }
    bulks.addRows(bulk.seq, slice);
  } catch (error) {
    bulks.remove(id);
    throw error;
  }
  return bulk;
}

/** Removes spaces around a cell, except in a text that is passed to the service unchanged. */
function cellText(column: BulkColumn, cell: string): string {
  const text = cell.trim();
  return column === 'uniqueId' && text !== '' ? cell : text;
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
function filePlanner(location: { readonly dataDir: string; readonly into: string }) {
  const planned = new Map<string, Promise<PlannedFile>>();
  const planFile = async (file: LocalFile, number: number): Promise<PlannedFile> => {
    const path = await durablePath(location, file.path, `document-${number}`);
    const { sha256, sizeBytes } = await hashFile(path).catch((error: unknown) => {
      const code = failureOf(error)?.code;
      if (code !== 'file-unreadable' && code !== 'file-changed') throw error;
      return { sha256: '', sizeBytes: file.sizeBytes };
    });
    return { path, name: file.name, sizeBytes, sha256 };
  };
  return (file: LocalFile): Promise<PlannedFile> => {
    const known = planned.get(file.path) ?? planFile(file, planned.size);
    planned.set(file.path, known);
    return known;
  };
}

function rowChecks(
  { store }: Context,
  { connection, files }: TableCheck,
  plan: BulkPlan,
  planFile: (file: LocalFile) => Promise<PlannedFile>,
): CheckRow {
  const find = fileNames(files);
  const rows = new Map<string, number>();
  const sent = new Map(
    store.sent
      .requests(connection.id)
      .map(({ sha256, templateId, emails, at }) => [
        fingerprintOf(templateId ?? sha256 ?? '', emails.split(connection.separator)),
        at,
      ]),
  );
  return async (row, cells) => {
    const named = plan.content.kind === 'easy-sign-template' ? undefined : cells.file || undefined;
    const found = named === undefined ? undefined : find(named);
    const own = planRow(cells, plan, found ? await planFile(found) : null);
    const problems = [
      ...checkTexts(cells, own, plan, connection),
      ...checkDocument(own, plan, named, found !== undefined),
    ];
    const document = plan.content.kind === 'easy-sign-template' ? own.templateId : (own.file ?? plan.file)?.sha256;
    if (document && own.people.length > 0) {
      const fingerprint = fingerprintOf(
        document,
        own.people.map(({ email }) => email),
      );
      const otherRow = rows.get(fingerprint);
      const sentAt = sent.get(fingerprint);
      if (otherRow !== undefined) problems.push({ kind: 'row-twice', severity: 'warning', column: null, otherRow });
      else rows.set(fingerprint, row);
      if (sentAt !== undefined) problems.push({ kind: 'already-sent', severity: 'warning', column: null, sentAt });
    }
    return { plan: own, problems };
  };
}

function checkDocument(
  own: RowPlan,
  { content, file }: BulkPlan,
  named: string | undefined,
  isFound: boolean,
): BulkProblem[] {
  const problem = (kind: BulkProblem['kind'], column: BulkColumn): BulkProblem[] => [
    { kind, severity: 'error', column },
  ];
  if (content.kind === 'easy-sign-template') return own.templateId === '' ? problem('template-none', 'templateId') : [];
  if (named !== undefined && !isFound) return problem('file-missing', 'file');
  const used = own.file ?? file;
  if (!used) return problem('file-none', 'file');
  return used.sha256 === '' ? problem('file-unusable', 'file') : [];
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
