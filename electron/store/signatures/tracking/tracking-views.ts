import { randomUUID } from 'node:crypto';
import type { SavedView } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';

export interface TrackingViewTable {
  /** By name. */
  list(): SavedView[];
  put(id: string | undefined, view: Omit<SavedView, 'id'>): SavedView;
  remove(id: string): boolean;
}

export function trackingViewTable(sql: Sql): TrackingViewTable {
  return {
    list: () =>
      sql
        .all<{ id: string; name: string; view: string }>(
          'SELECT * FROM tracking_views ORDER BY name COLLATE NOCASE, id',
        )
        .map(({ id, name, view }) => ({ ...(JSON.parse(view) as Omit<SavedView, 'id' | 'name'>), id, name })),
    put: (given, { name, ...view }) => {
      const id = given ?? randomUUID();
      sql.run('INSERT OR REPLACE INTO tracking_views VALUES (?, ?, ?)', id, name, JSON.stringify(view));
      return { id, name, ...view };
    },
    remove: (id) => sql.run('DELETE FROM tracking_views WHERE id = ?', id) === 1,
  };
}
