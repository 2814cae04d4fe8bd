import type { Bulk } from '../../../contract/bulk.ts';
import { rowsOutOfView } from '../database/removed-rows.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { bulkRowTable } from './bulk-rows.ts';

export type StoredBulk = ReturnType<typeof bulkOf>;

export type NewBulk = Pick<
  StoredBulk,
  'id' | 'connectionId' | 'kind' | 'fileName' | 'plan' | 'draftId' | 'columns' | 'secret'
>;

type Change = Partial<Pick<StoredBulk, 'state' | 'perMinute' | 'includeWarnings' | 'begins' | 'columns' | 'secret'>>;

export type BulkTable = ReturnType<typeof bulkTable>;

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly run_id: string;
  readonly connection_id: string;
  readonly kind: Bulk['kind'];
  readonly file_name: string;
  readonly plan: string;
  readonly draft_id: string | null;
  readonly columns: string;
  readonly state: Bulk['state'];
  readonly per_minute: number;
  readonly include_warnings: number;
  readonly begins: number;
  readonly secret: string | null;
  readonly batch_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly removed_by: string | null;
}

export function bulkTable(sql: Sql, run: RunLock) {
  const get = (id: string) => {
    const row = sql.get<Row>('SELECT * FROM bulks WHERE id = ?', id);
    return row ? bulkOf(row) : null;
  };
  return {
    ...bulkRowTable(sql, run),
    ...rowsOutOfView(sql, run, 'bulks'),
    /** Newest first, without removed ones. */
    list: () => sql.all<Row>('SELECT * FROM bulks WHERE removed_by IS NULL ORDER BY seq DESC').map(bulkOf),
    get,
    /** Adds a bulk without rows; add these next (`addRows`). */
    add: (bulk: NewBulk) => {
      add(sql, run, bulk);
      return get(bulk.id) as StoredBulk;
    },
    change: (id: string, change: Change) => {
      const now = get(id);
      if (!now) return;
      const next = { ...now, ...change };
      sql.run(
        'UPDATE bulks SET state = ?, per_minute = ?, include_warnings = ?, begins = ?, columns = ?, secret = ?, run_id = ?, updated_at = ? WHERE id = ?',
        next.state,
        next.perMinute,
        next.includeWarnings ? 1 : 0,
        next.begins ? 1 : 0,
        JSON.stringify(next.columns),
        next.secret,
        run.runId,
        new Date().toISOString(),
        id,
      );
    },
    remove: (id: string) => void sql.run('DELETE FROM bulks WHERE id = ?', id),
    /** Takes over the bulks that ended runs were sending; answers their ids. */
    adopt: () => {
      const rows = sql.all<Row>("SELECT * FROM bulks WHERE state = 'sending' ORDER BY seq");
      const ids = rows.filter(({ run_id }) => !run.isAlive(run_id)).map(({ id }) => id);
      for (const id of ids) sql.run('UPDATE bulks SET run_id = ? WHERE id = ?', run.runId, id);
      return ids;
    },
  };
}

function add(sql: Sql, run: RunLock, bulk: NewBulk): void {
  const at = new Date().toISOString();
  const values: SqlValue[] = [bulk.id, run.runId, bulk.connectionId, bulk.kind, bulk.fileName, bulk.plan];
  sql.run(
    `INSERT INTO bulks (id, run_id, connection_id, kind, file_name, plan, columns, state, per_minute, include_warnings,
       secret, draft_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'checked', 60, 0, ?, ?, ?, ?)`,
    ...values,
    JSON.stringify(bulk.columns),
    bulk.secret,
    bulk.draftId,
    at,
    at,
  );
}

function bulkOf(row: Row) {
  return {
    seq: row.seq,
    id: row.id,
    connectionId: row.connection_id,
    kind: row.kind,
    fileName: row.file_name,
    /** JSON of the values that are the same for all rows. */
    plan: row.plan,
    /** The draft that the values come from. */
    draftId: row.draft_id,
    columns: JSON.parse(row.columns) as Bulk['columns'],
    state: row.state,
    perMinute: row.per_minute,
    includeWarnings: row.include_warnings === 1,
    /** It was sent, and its rows were not all given to the queue with their countdown. */
    begins: row.begins === 1,
    /** Sealed secret word for rows without one of their own. */
    secret: row.secret,
    batchId: row.batch_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    /** It can still be put back: whatever was sent from it may be corrected as before. */
    isRemoved: row.removed_by !== null,
  };
}
