import { appError } from '../../../core/foundation/app-error.ts';
import type { Sql } from '../../database/sql.ts';

/** Row numbers of entries from `first` up to, but not including, `end`. */
export type Range = ReturnType<typeof rangeOfPlace>;

const perPlace = 2 ** 32;
const placesPerConnection = 1024;

/** Beyond this place row numbers would exceed the safe integers of JavaScript. */
const lastPlace = 2 ** 21 - 1;

/** The place of a list: its partition of the row numbers. A list gets its place at the first call. Do not call it within a transaction. */
export function placeOf(sql: Sql, connectionId: string, listType: number): number {
  const known = findPlace(sql, connectionId, listType);
  if (known !== null) return known;
  sql.transaction(() =>
    sql.run(
      `INSERT OR IGNORE INTO tracked_places (place, connection_id, list_type)
       SELECT coalesce((SELECT max(place) + 1 FROM tracked_places WHERE connection_id = ?1),
         (coalesce((SELECT max(place) FROM tracked_places), 0) / ${placesPerConnection} + 1) * ${placesPerConnection}), ?1, ?2`,
      connectionId,
      listType,
    ),
  );
  const place = findPlace(sql, connectionId, listType);
  if (place === null || place > lastPlace) throw appError('storage-unusable', 'there is no place for another list');
  return place;
}

function findPlace(sql: Sql, connectionId: string, listType: number): number | null {
  const text = 'SELECT place FROM tracked_places WHERE connection_id = ? AND list_type = ?';
  return sql.get<{ place: number }>(text, connectionId, listType)?.place ?? null;
}

export function rangeOfPlace(place: number) {
  return { first: place * perPlace, end: (place + 1) * perPlace };
}

/** The value of the entries' column `connection`. */
export function connectionOfPlace(place: number): number {
  return Math.floor(place / placesPerConnection);
}

/** The entries of a connection that may be shown. */
export interface Shown {
  readonly connection: number;
  /** Number of entries in these lists at their last reading. */
  readonly total: number;
  /** Never empty. */
  readonly ranges: readonly Range[];
  /** These are all of the connection: no row needs to be asked for its list. */
  readonly isAll: boolean;
}

/** The lists of a connection that may be shown; null if there is none. A list that was never read completely is not shown, as half a list would look complete. */
export function shownOf(sql: Sql, connectionId: string, listType: number | null): Shown | null {
  const all = sql.all<{ place: number; list_type: number; total: number | null }>(
    `SELECT p.place, p.list_type, l.total FROM tracked_places AS p LEFT JOIN tracked_lists AS l
       ON l.connection_id = p.connection_id AND l.list_type = p.list_type WHERE p.connection_id = ? ORDER BY p.place`,
    connectionId,
  );
  const connection = connectionOfPlace(all[0]?.place ?? 0);
  const complete = all.filter((one) => one.total !== null && (listType === null || one.list_type === listType));
  if (complete.length === 0) return null;
  const total = complete.reduce((sum, one) => sum + (one.total ?? 0), 0);
  if (complete.length === all.length) {
    const [first, end] = [connection, connection + 1].map((n) => n * placesPerConnection * perPlace);
    return { connection, total, ranges: [{ first: first ?? 0, end: end ?? 0 }], isAll: true };
  }
  return { connection, total, ranges: complete.map(({ place }) => rangeOfPlace(place)), isAll: false };
}
