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
  let known = new Map<string, ConnectionSettings>();
  /** IDs of those that cannot be read, so that each is in the log once. */
  const reported = new Set<string>();
  const inView = 'SELECT id, kind, settings FROM connections WHERE removed_by IS NULL';
  /** The same settings for the same text, so nobody may change them. Settings that an older program did not store have their defaults. */
  const parse = (row: Row, before = known): StoredConnection[] => {
    const settings = before.get(row.settings) ?? settingsIn(row.settings);
    if (!settings) {
      if (!reported.has(row.id)) log.error('a connection in the database is not readable', { connectionId: row.id });
      reported.add(row.id);
      return [];
    }
    known.set(row.settings, settings);
    return [{ ...row, settings }];
  };
  return {
    ...rowsOutOfView(sql, run, 'connections'),
    /** In the order they were added. A row that cannot be parsed stays in the database and is not among them. */
    all: (): StoredConnection[] => {
      const before = known;
      known = new Map();
      return sql.all<Row>(`${inView} ORDER BY position, id`).flatMap((row) => parse(row, before));
    },
    /** How many in view cannot be parsed: broken, or written by a newer program. */
    unreadable: (): number => sql.all<Row>(inView).filter((row) => parse(row).length === 0).length,
    /** Whether its row is there, also out of view or where it cannot be parsed. */
    isKept: (id: string): boolean => sql.get('SELECT 1 FROM connections WHERE id = ?', id) !== undefined,
    /** Null for one that is not among `all`. */
    one: (id: string): StoredConnection | null =>
      sql.all<Row>(`${inView} AND id = ?`, id).flatMap((row) => parse(row))[0] ?? null,
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

function settingsIn(text: string): ConnectionSettings | undefined {
  try {
    return connectionSettings.safeParse(JSON.parse(text)).data;
  } catch {
    // Not even JSON: as one whose settings are none.
    return undefined;
  }
}
