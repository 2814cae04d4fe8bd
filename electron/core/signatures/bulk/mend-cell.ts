import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkColumn, BulkProblem, BulkRow } from '../../../../contract/bulk.ts';
import type { MendedRow, StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { appError, orNotFound } from '../../foundation/app-error.ts';
import { tableLimits } from '../../output/tables/table.ts';
import { sentBefore } from '../signature-order.ts';
import { bulkRowView } from './bulk-view.ts';
import {
  type BulkPlan,
  type Cells,
  cellsOf,
  cellText,
  checkCells,
  columnsFor,
  fingerprintOf,
  planFile,
  planRow,
  type RowPlan,
  repeats,
} from './row-plan.ts';

interface Mend {
  readonly row: number;
  readonly column: BulkColumn;
  readonly value: string;
  /** For the column of files; undefined leaves the row to the file of all rows. */
  readonly file: LocalFile | undefined;
  /** For the column of access codes: as it is sealed already, perhaps with a key that is gone. */
  readonly sealed?: string | null;
}

/**
 * Changes one cell of a row that has no job, checks the row again and stores it. Rejects with not-found (no such row) and bad-input (the bulk is
 * sending, the row has a job or was taken back, or there is no such column).
 */
export async function mendCell(context: Context, bulk: StoredBulk, given: Mend): Promise<BulkRow> {
  const { bulks } = context.store;
  const connection = await context.connections.get(bulk.connectionId);
  const index = bulk.columns.findIndex(({ column }) => column === given.column);
  if (index < 0) throw appError('bad-input', 'the table has no such column');
  const row = rowToMend(context, bulk, given.row);
  const plan = JSON.parse(bulk.plan) as BulkPlan;
  const [cells, values] = changedCells(bulk, row, given, index);
  const own = planRow(values, plan, await fileOf(context, bulk, row, given));
  const problems = checkCells(values, own, plan, connection);
  const isSecret = given.column === 'secretWord';
  const secret = given.sealed ?? (isSecret && values.secretWord ? await context.vault.seal(values.secretWord) : null);
  // The word of an unchanged cell is sealed: its problems are those of the last check.
  const ofSecret = isSecret ? [] : row.problems.filter(({ column }) => column === 'secretWord');
  const mended: MendedRow = {
    row: row.row,
    cells,
    plan: JSON.stringify(own),
    secret: isSecret ? secret : row.secret,
    problems: [...problems, ...ofSecret],
    mended: mendsOf(row, given.column, index, cells[index] ?? ''),
  };
  // Nothing waits from here on: the other rows are those that are stored.
  rowToMend(context, bulk, given.row);
  bulks.mend(bulk.seq, withRepeats(context, bulk, row, mended, sentBefore(context, connection)));
  bulks.change(bulk.id, { columns: columnsFor(bulk.columns, mended.problems) });
  const after = bulks.get(bulk.id) ?? bulk;
  return bulkRowView(after, rowToMend(context, after, given.row));
}

/** Mends the cells again that a person had mended in an earlier check of the same spreadsheet, where the spreadsheet still has what they replaced. */
export async function mendAsBefore(context: Context, old: StoredBulk, id: string): Promise<void> {
  const { bulks } = context.store;
  const { rows } = bulks.rows(old.seq, 'all', true, { offset: 0, limit: tableLimits.rows });
  for (const { row, cells, mended, plan, secret } of rows)
    for (const { column, was } of mended) {
      const bulk = bulks.get(id);
      const at = bulk?.columns.findIndex((one) => one.column === column) ?? -1;
      if (!bulk || at < 0 || (bulks.row(bulk.seq, row)?.cells[at] ?? '') !== was) continue;
      const value = cells[old.columns.findIndex((one) => one.column === column)] ?? '';
      const file = (JSON.parse(plan) as RowPlan).file;
      // Checked where it can be read.
      const word = column === 'secretWord' && secret !== null ? await context.vault.open(secret) : null;
      await mendCell(context, bulk, {
        row,
        column,
        value: word ?? value,
        sealed: column === 'secretWord' ? secret : null,
        file: column === 'file' && file ? { ...file, folder: '' } : undefined,
      });
    }
}

const rowsPerTurn = 500;

/**
 * Writes what is known by now of rows left that went before, by this bulk or otherwise; resolves with their numbers. A tick that a person gave before holds for no row of which more is known since, other than
 * by this bulk (`hasNews`): all are asked about again. Rejects with not-found (the connection was removed).
 */
export async function warnOfSent(context: Context, bulk: StoredBulk) {
  const { bulks } = context.store;
  const sent = sentBefore(context, await context.connections.get(bulk.connectionId));
  const plan = JSON.parse(bulk.plan) as BulkPlan;
  const known = { 'already-sent': 0, 'maybe-sent': 0, 'being-sent': 0 };
  let hasNews = false;
  for (let offset = 0; ; offset += rowsPerTurn) {
    const { rows } = bulks.rows(bulk.seq, 'ready', true, { offset, limit: rowsPerTurn });
    const changed = rows.flatMap((row) => {
      const now = sent.get(fingerprintOf(JSON.parse(row.plan) as RowPlan, plan) ?? '');
      if (now !== undefined) known[now.kind] += 1;
      const said = row.problems.find(({ sentAt }) => sentAt !== undefined);
      if (said?.sentAt === now?.sentAt && said?.kind === now?.kind) return [];
      hasNews ||= now !== undefined && now.job.batchId !== bulk.batchId;
      return { ...row, problems: [...row.problems.filter((one) => one !== said), ...repeats(undefined, now)] };
    });
    if (changed.length > 0) bulks.mend(bulk.seq, changed);
    if (rows.length < rowsPerTurn) break;
    await nextTurn();
  }
  if (hasNews) bulks.change(bulk.id, { includeWarnings: false });
  return { known, hasNews };
}

function rowToMend({ store }: Context, bulk: StoredBulk, number: number): StoredBulkRow {
  if (store.bulks.get(bulk.id)?.state === 'sending')
    throw appError('bad-input', 'a bulk that is sending cannot be changed');
  const row = orNotFound(store.bulks.row(bulk.seq, number), 'the bulk has no such row');
  if (row.jobId !== null) throw appError('bad-input', 'the row was given to the queue already');
  if (row.isTakenBack) throw appError('bad-input', 'the row was taken back');
  return row;
}

/** The cells to store, without the access code, and the values to check, with it. */
function changedCells(bulk: StoredBulk, row: StoredBulkRow, given: Mend, index: number): [string[], Cells] {
  const value = cellText(given.column, given.file?.name ?? given.value);
  const cells = bulk.columns.map((_column, at) => (at === index ? value : (row.cells[at] ?? '')));
  const values = cellsOf(bulk.columns, cells);
  if (given.column === 'secretWord') cells[index] = '';
  return [cells, values];
}

async function fileOf({ ports }: Context, bulk: StoredBulk, row: StoredBulkRow, { column, file, value }: Mend) {
  if (column !== 'file') return (JSON.parse(row.plan) as RowPlan).file;
  if (file) {
    const location = { dataDir: ports.dataDir, into: join(ports.dataDir, 'bulk', bulk.id) };
    return planFile(location, file, `document-${randomUUID()}`);
  }
  if (value.trim() !== '') throw appError('bad-input', 'a file is chosen, not written');
  return null;
}

/** The changed cells of a row. A cell that has the value of the spreadsheet again is not among them. */
function mendsOf(row: StoredBulkRow, column: BulkColumn, index: number, value: string): MendedRow['mended'] {
  const known = row.mended.find((one) => one.column === column);
  const was = known?.was ?? row.cells[index] ?? '';
  const others = row.mended.filter((one) => one.column !== column);
  return column !== 'secretWord' && was === value ? others : [...others, { column, was }];
}

/** The changed row, and the rows that repeat it now or repeated it before, with their warnings. */
function withRepeats(
  { store }: Context,
  bulk: StoredBulk,
  before: StoredBulkRow,
  mended: MendedRow,
  sent: ReturnType<typeof sentBefore>,
): MendedRow[] {
  const plan = JSON.parse(bulk.plan) as BulkPlan;
  const printOf = (row: Pick<MendedRow, 'plan'>) => fingerprintOf(JSON.parse(row.plan) as RowPlan, plan);
  const prints = [...new Set([printOf(before), printOf(mended)])].filter((print) => print !== null);
  const emails = [before, mended].flatMap((row) => (JSON.parse(row.plan) as RowPlan).people.map(({ email }) => email));
  const candidates = store.bulks
    .rowsNaming(bulk.seq, [...new Set(emails)])
    .map((row) => (row.row === mended.row ? { ...mended, jobId: null } : row));
  const own = { ...mended, problems: [...mended.problems, ...repeats(undefined, sent.get(printOf(mended) ?? ''))] };
  const changed = new Map<number, MendedRow>([[mended.row, own]]);
  for (const print of prints) {
    const [first, ...later] = candidates.filter((row) => printOf(row) === print);
    for (const row of first ? [first, ...later] : []) {
      const known = changed.get(row.row) ?? row;
      const others = known.problems.filter(({ kind }) => kind !== 'row-twice');
      const problems: BulkProblem[] = [...others, ...repeats(row === first ? undefined : first?.row, undefined)];
      if (row.jobId === null) changed.set(row.row, { ...known, problems });
    }
  }
  return [...changed.values()];
}
