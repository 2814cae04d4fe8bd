import type { Sql } from '../database/sql.ts';

/** Small values by name: the current connection, the last choice of a dialog. Never a secret. */
export interface SettingTable {
  get(key: string): string | null;
  put(key: string, value: string): void;
  remove(key: string): void;
}

export function settingTable(sql: Sql): SettingTable {
  return {
    get: (key) => sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value ?? null,
    put: (key, value) =>
      void sql.run(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      ),
    remove: (key) => void sql.run('DELETE FROM settings WHERE key = ?', key),
  };
}
