import type { Sql } from '../database/sql.ts';

/** Small values by name: the current connection, the last choice of a dialog. Never a secret. */
export type KeyValueTable = ReturnType<typeof keyValueTable>;

export function keyValueTable(sql: Sql) {
  const put = (key: string, value: string): void =>
    void sql.run(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  return {
    get: (key: string): string | null =>
      sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value ?? null,
    put,
    /** As `put`, but on the disk only with the next write: for what is found out again. */
    putUnsynced: (key: string, value: string): void => sql.unsynced(() => put(key, value)),
    remove: (key: string): void => void sql.run('DELETE FROM settings WHERE key = ?', key),
  };
}
