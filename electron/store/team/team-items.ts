import type { Sql } from '../database/sql.ts';

/** Copy of an item that a team shares. `value` is as it came from the database: not checked yet. */
export interface TeamItem {
  readonly kind: string;
  readonly key: string;
  readonly value: string;
  readonly person: string;
  readonly computer: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A change of an item; `value` is null if it is no longer shared. */
export type TeamItemChange = Omit<TeamItem, 'value'> & { readonly value: string | null };

/** What the teams of the connections share, kept here for when the register is away, and after leaving. */
export function teamItemTable(sql: Sql) {
  return {
    list: (connectionId: string): TeamItem[] =>
      sql.all<TeamItem>(
        `SELECT kind, item_key AS key, value, by_person AS person, by_computer AS computer, changed_at AS at
         FROM team_items WHERE connection_id = ? ORDER BY kind, item_key`,
        connectionId,
      ),
    /** Applies changes in order, all in one transaction. New items above `most` are left out. */
    apply: (connectionId: string, changes: readonly TeamItemChange[], most: number): void =>
      sql.transaction(() => {
        for (const { kind, key, value, person, computer, at } of changes)
          if (value === null)
            sql.run(
              'DELETE FROM team_items WHERE connection_id = ? AND kind = ? AND item_key = ?',
              ...[connectionId, kind, key],
            );
          else
            sql.run(
              `INSERT INTO team_items SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
               WHERE (SELECT count(*) FROM team_items WHERE connection_id = ?1) < ?8
                 OR EXISTS (SELECT 1 FROM team_items WHERE connection_id = ?1 AND kind = ?2 AND item_key = ?3)
               ON CONFLICT (connection_id, kind, item_key) DO UPDATE SET value = excluded.value, by_person = excluded.by_person,
                 by_computer = excluded.by_computer, changed_at = excluded.changed_at`,
              ...[connectionId, kind, key, value, person, computer, at, most],
            );
      }),
    forget: (connectionId: string): void =>
      void sql.run('DELETE FROM team_items WHERE connection_id = ?', connectionId),
  };
}
