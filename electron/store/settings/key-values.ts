import type { Sql } from '../database/sql.ts';

/** Small values by name: the current connection, the last choice of a dialog. Never a secret. */
export type KeyValueTable = ReturnType<typeof keyValueTable>;

export function keyValueTable(sql: Sql) {
  return {
    get: (key: string): string | null =>
      sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value ?? null,
    put: (key: string, value: string): void =>
      void sql.run(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      ),
    remove: (key: string): void => void sql.run('DELETE FROM settings WHERE key = ?', key),
  };
}
