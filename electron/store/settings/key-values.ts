import { randomUUID } from 'node:crypto';
import type { Reporter } from '../../../contract/verify.ts';
import type { ViewsState } from '../../../contract/views.ts';
import { type RemovedRows, removeRows } from '../database/removed-rows.ts';
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

const reporterKey = 'report.reporter';

/** Who makes reports and lists with this program; null as long as nobody was named. */
export function reporterOf(settings: KeyValueTable): Reporter | null {
  const text = settings.get(reporterKey);
  return text === null ? null : JSON.parse(text);
}

export function keepReporter(settings: KeyValueTable, reporter: Reporter): void {
  settings.put(reporterKey, JSON.stringify(reporter));
}

const layoutKey = (screen: string) => `layout.${screen}`;

/** Stored views of screens by name, and the last layout of each screen. */
export function viewTable(sql: Sql) {
  return {
    state: (screen: string): ViewsState => ({
      views: sql.all<{ id: string; name: string; content: string }>(
        'SELECT id, name, content FROM views WHERE screen = ? ORDER BY name, id',
        screen,
      ),
      layout: sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', layoutKey(screen))?.value ?? null,
    }),
    /** Adds (without id) or changes a view; false if another view of the screen has the name. */
    save: (
      screen: string,
      { id = randomUUID(), name, content }: { readonly id?: string; readonly name: string; readonly content: string },
    ): boolean =>
      sql.transaction(() => {
        const taken = sql.get('SELECT 1 FROM views WHERE screen = ? AND name = ? AND id <> ?', screen, name, id);
        if (taken) return false;
        sql.run(
          `INSERT INTO views (id, screen, name, content) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, content = excluded.content`,
          id,
          screen,
          name,
          content,
        );
        return true;
      }),
    remove: (screen: string, id: string): RemovedRows => removeRows(sql, 'views', 'screen = ? AND id = ?', screen, id),
    keepLayout: (screen: string, layout: string): void =>
      void sql.run(
        'INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        layoutKey(screen),
        layout,
      ),
  };
}
