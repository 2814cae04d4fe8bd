import type { ConnectionKind, ConnectionSettings } from '../../../contract/connections.ts';
import type { Sql } from '../database/sql.ts';

/** A stored connection: parsed settings, no credentials, nothing secret. */
export interface StoredConnection {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: ConnectionSettings;
}

export type ConnectionTable = ReturnType<typeof connectionTable>;

interface Row {
  readonly id: string;
  readonly kind: ConnectionKind;
  readonly settings: string;
}

export function connectionTable(sql: Sql) {
  /** What was read last: settings are asked for with every call to a service, and hardly ever change. */
  let known = new Map<string, ConnectionSettings>();
  return {
    /** In the order they were added; the same settings for the same text, so nobody may change them. */
    all: (): StoredConnection[] => {
      const rows = sql.all<Row>('SELECT id, kind, settings FROM connections ORDER BY position, id');
      known = new Map(rows.map(({ settings }) => [settings, known.get(settings) ?? JSON.parse(settings)]));
      return rows.map((row) => ({ ...row, settings: known.get(row.settings) as ConnectionSettings }));
    },
    /** Adds, or replaces the one with the same id in its place. */
    put: ({ id, kind, settings }: StoredConnection): void =>
      void sql.run(
        `INSERT INTO connections (id, kind, settings, position)
         VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM connections))
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, settings = excluded.settings`,
        id,
        kind,
        JSON.stringify(settings),
      ),
    remove: (id: string): void => void sql.run('DELETE FROM connections WHERE id = ?', id),
  };
}
