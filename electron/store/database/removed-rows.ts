import type { RunLock } from './run-lock.ts';
import type { Sql, SqlValue } from './sql.ts';

/** Rows that were removed and are kept in memory, as they were. */
export type RemovedRows = ReturnType<typeof removeRows>;

/** Removes the rows of a table that fit `where`, so that they can be put back. Not within a transaction. */
export function removeRows(sql: Sql, table: string, where: string, ...values: SqlValue[]) {
  const rows = sql.transaction(() => {
    const found = sql.all<Record<string, SqlValue>>(`SELECT * FROM ${table} WHERE ${where}`, ...values);
    sql.run(`DELETE FROM ${table} WHERE ${where}`, ...values);
    return found;
  });
  // The number of a row may be that of another one by now.
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'seq');
  const text = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    count: rows.length,
    /** Puts all back but those whose place was taken meanwhile; answers how many came back. */
    putBack: (): number =>
      sql.transaction(() =>
        rows.reduce((sum, row) => sum + sql.run(text, ...columns.map((column) => row[column] ?? null)), 0),
      ),
  };
}

/**
 * Rows that a person removed and can still put back. They stay where they are, out of view, with everything that belongs to them, until their removal is final: when they
 * cannot be put back any more, or at the next start of the program, also after a kill. `removed_by` is the run in which they were removed.
 */
export function rowsOutOfView(sql: Sql, run: RunLock, table: string) {
  const hidden = 'WHERE removed_by IS NOT NULL';
  return {
    /** `putBack` answers 0 if it is gone. */
    hide: (id: string): Pick<RemovedRows, 'putBack'> => {
      sql.run(`UPDATE ${table} SET removed_by = ? WHERE id = ?`, run.runId, id);
      return { putBack: () => sql.run(`UPDATE ${table} SET removed_by = NULL ${hidden} AND id = ?`, id) };
    },
    isHidden: (id: string): boolean => sql.get(`SELECT 1 FROM ${table} ${hidden} AND id = ?`, id) !== undefined,
    /** Those that were removed in runs that have ended: nobody can put them back. */
    leftHidden: () =>
      sql
        .all<{ id: string; removed_by: string }>(`SELECT id, removed_by FROM ${table} ${hidden}`)
        .flatMap(({ id, removed_by }) => (run.isAlive(removed_by) ? [] : [id])),
  };
}
