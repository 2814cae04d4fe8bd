import { type ConnectionKind, type ConnectionSettings, connectionSettings } from '../../../contract/connections.ts';
import type { Log } from '../../core/foundation/ports.ts';
import { rowsOutOfView } from '../database/removed-rows.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';

/** A stored connection: parsed settings, no credentials, nothing secret. */
export interface StoredConnection {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: ConnectionSettings;
}

interface Row {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: string;
}

export function connectionTable(sql: Sql, run: RunLock, log: Log) {
  /** What was read last: settings are asked for with every call to a service, and hardly ever change. */
  let known = new Map<string, ConnectionSettings | undefined>();
  return {
    ...rowsOutOfView(sql, run, 'connections'),
    /**
     * In the order they were added, or the one alone that is asked for; the same settings for the same text, so nobody may change them. Settings that an older program did
     * not store have their defaults. A row that cannot be parsed stays in the database and is not among them.
     */
    all: (id: string | null = null): StoredConnection[] => {
      const inView = 'connections WHERE removed_by IS NULL AND (?1 IS NULL OR id = ?1)';
      const rows = sql.all<Row>(`SELECT id, kind, settings FROM ${inView} ORDER BY position, id`, id);
      const parsed = (text: string) => known.get(text) ?? connectionSettings.safeParse(JSON.parse(text)).data;
      const read = rows.map(({ settings }) => [settings, parsed(settings)] as const);
      known = new Map(id === null ? read : [...known, ...read]);
      return rows.flatMap((row) => {
        const settings = known.get(row.settings);
        if (!settings) log.error('a connection in the database is not readable', { connectionId: row.id });
        return settings ? [{ ...row, settings }] : [];
      });
    },
    /** Adds, or replaces the one with the same id in its place, in view. */
    put: ({ id, kind, settings }: StoredConnection): void =>
      void sql.run(
        `INSERT INTO connections (id, kind, settings, position)
         VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM connections))
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, settings = excluded.settings, removed_by = NULL`,
        id,
        kind,
        JSON.stringify(settings),
      ),
    remove: (id: string): void => void sql.run('DELETE FROM connections WHERE id = ?', id),
  };
}
