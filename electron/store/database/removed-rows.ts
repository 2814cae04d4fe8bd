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
