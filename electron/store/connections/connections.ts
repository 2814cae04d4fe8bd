import type { ConnectionKind, ConnectionSettings } from '../../../contract/connections.ts';
import type { Sql } from '../database/sql.ts';

/** A stored connection: parsed settings, no credentials, nothing secret. */
export interface StoredConnection {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: ConnectionSettings;
}

export interface ConnectionTable {
  /** In the order they were added. */
  all(): StoredConnection[];
  /** Adds, or replaces the one with the same id in its place. */
  put(connection: StoredConnection): void;
  remove(id: string): void;
}

interface Row {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: string;
}

export function connectionTable(sql: Sql): ConnectionTable {
  return {
    all: () =>
      sql
        .all<Row>('SELECT id, kind, settings FROM connections ORDER BY position, id')
        .map((row) => ({ id: row.id, kind: row.kind, settings: JSON.parse(row.settings) as ConnectionSettings })),
    put: ({ id, kind, settings }) =>
      void sql.run(
        `INSERT INTO connections (id, kind, settings, position)
         VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM connections))
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, settings = excluded.settings`,
        id,
        kind,
        JSON.stringify(settings),
      ),
    remove: (id) => void sql.run('DELETE FROM connections WHERE id = ?', id),
  };
}
