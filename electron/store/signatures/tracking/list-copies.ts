import { entriesPerWrite, inSlices, type ListWriter, patiently } from '../../database/list-writer.ts';
import type { RunLock } from '../../database/run-lock.ts';
import type { Sql, SqlValue } from '../../database/sql.ts';
import type { ListState } from './list-entries.ts';
import { goneSteps, listSteps, manyPieces, mergePieces, type Reading, readingOf, upsertSteps } from './list-entries.ts';

/** New and changed entries of a list, stored apart from the shown entries until the list is complete. */
export interface ListCopy {
  add(entries: readonly (readonly SqlValue[])[]): Promise<void>;
  /** The list is complete: its changes are applied to the shown entries, by a later run if this one is killed. Resolves when they are applied. */
  bringIn(gone: readonly number[], state: ListState): Promise<void>;
  /** Removes the copy. No effect once `bringIn` has begun. */
  discard(): Promise<void>;
}

export type CopyTable = ReturnType<typeof copyTable>;

interface CopyRow {
  readonly copy_id: number;
  readonly run_id: string;
  readonly connection_id: string;
  readonly list_type: number;
  readonly total: number;
  readonly nil_entries: number;
  readonly as_of: string | null;
}

export function copyTable(sql: Sql, run: RunLock, writer: ListWriter) {
  return {
    begin: (reading: Reading): ListCopy => beginCopy(sql, run, writer, reading),
    /** Applies the complete copies that killed runs left, and removes the incomplete ones. Answers the connections whose lists changed. */
    finishOthers: async (): Promise<readonly string[]> => {
      const left = sql
        .all<CopyRow>('SELECT * FROM tracked_copies ORDER BY copy_id')
        .filter(({ run_id }) => run_id !== run.runId && !run.isAlive(run_id));
      const changed: string[] = [];
      for (const row of left) {
        const reading = readingOf(sql, row.connection_id, row.list_type, row.as_of ?? '');
        // The list may have been read again since: an older copy is not applied.
        const isNewer = row.as_of !== null && (reading.lastAsOf ?? '') < row.as_of;
        if (!isNewer) await removeCopy(sql, writer, row.copy_id);
        else {
          await bringIn(sql, writer, row.copy_id, reading);
          changed.push(row.connection_id);
        }
      }
      return changed;
    },
  };
}

function beginCopy(sql: Sql, run: RunLock, writer: ListWriter, reading: Reading): ListCopy {
  let copyId: number | null = null;
  let position = 0;
  let isComplete = false;
  const id = async () => {
    copyId ??= await patiently(() => newCopy(sql, run, reading));
    return copyId;
  };
  const add = 'INSERT INTO tracked_arrivals (copy_id, position, gone_seq, entry) VALUES (?, ?, ?, ?)';
  return {
    add: async (entries) => {
      const copy = await id();
      await writer.write([[add, entries.map((values) => [copy, position++, null, JSON.stringify(values)])]]);
    },
    bringIn: async (gone, { total, nilEntries, asOf }) => {
      const copy = await id();
      await inSlices(writer, gone, (slice) => [[add, slice.map((seq) => [copy, position++, seq, null])]]);
      isComplete = true;
      const complete = 'UPDATE tracked_copies SET total = ?, nil_entries = ?, as_of = ? WHERE copy_id = ?';
      await writer.write([[complete, [[total, nilEntries, asOf, copy]]]]);
      await bringIn(sql, writer, copy, reading);
    },
    discard: async () => {
      if (copyId !== null && !isComplete) await removeCopy(sql, writer, copyId);
    },
  };
}

function newCopy(sql: Sql, run: RunLock, { connectionId, listType }: Reading): number {
  const text = 'INSERT INTO tracked_copies (run_id, connection_id, list_type) VALUES (?, ?, ?) RETURNING copy_id';
  return sql.transaction(() => sql.get<{ copy_id: number }>(text, run.runId, connectionId, listType)?.copy_id ?? 0);
}

/** Applies a copy slice by slice; each slice is removed from the copy in the transaction that applies it. The last one updates the time of the list. */
async function bringIn(sql: Sql, writer: ListWriter, copyId: number, reading: Reading): Promise<void> {
  await writer.write(manyPieces);
  for (;;) {
    const rows = sql.all<{ position: number; gone_seq: number | null; entry: string | null }>(
      `SELECT position, gone_seq, entry FROM tracked_arrivals WHERE copy_id = ? ORDER BY position LIMIT ?`,
      copyId,
      writer.portion(entriesPerWrite),
    );
    const last = rows.at(-1);
    if (!last) break;
    const entries = rows.flatMap(({ entry }) => (entry === null ? [] : [JSON.parse(entry) as SqlValue[]]));
    const gone = rows.flatMap(({ gone_seq }) => gone_seq ?? []);
    await writer.write([
      ...upsertSteps(reading, entries),
      ...goneSteps(reading, gone),
      ['DELETE FROM tracked_arrivals WHERE copy_id = ? AND position <= ?', [[copyId, last.position]]],
    ]);
  }
  await mergePieces(writer);
  const row = sql.get<CopyRow>('SELECT * FROM tracked_copies WHERE copy_id = ?', copyId);
  // Another program has applied the rest.
  if (!row) return;
  const state = { total: row.total, nilEntries: row.nil_entries, asOf: row.as_of ?? '' };
  await writer.write([...listSteps(reading, state), ['DELETE FROM tracked_copies WHERE copy_id = ?', [[copyId]]]]);
}

async function removeCopy(sql: Sql, writer: ListWriter, copyId: number): Promise<void> {
  const some = 'SELECT 1 FROM tracked_arrivals WHERE copy_id = ? LIMIT 1';
  const slice = `DELETE FROM tracked_arrivals WHERE copy_id = ?1 AND position IN (
    SELECT position FROM tracked_arrivals WHERE copy_id = ?1 LIMIT ${entriesPerWrite})`;
  while (sql.get(some, copyId)) await writer.write([[slice, [[copyId]]]]);
  await writer.write([['DELETE FROM tracked_copies WHERE copy_id = ?', [[copyId]]]]);
}
