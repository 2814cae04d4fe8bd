import type { TrackedSort } from '../../../../contract/tracking.ts';
import { type Sql, versionOfData } from '../../database/sql.ts';
import type { Counted, Page } from '../../documents/document-search.ts';
import type { TrackedQuery, TrackedRow } from './tracked-row.ts';
import { type Where, whereOf } from './tracked-where.ts';

/** Columns to sort by, each with its index. */
const sorts: Record<TrackedSort, { readonly column: string; readonly index: string }> = {
  createdAt: { column: 'created_at', index: 'tracked_created' },
  documentName: { column: 'document_name', index: 'tracked_document_name' },
  name: { column: 'name', index: 'tracked_name' },
  email: { column: 'email', index: 'tracked_email' },
  firstSeenAt: { column: 'first_seen_at', index: 'tracked_seen' },
};

/** A page of entries. `last` caches the number of matches of the last query, as scrolling repeats the query. */
export function findEntries(sql: Sql, query: TrackedQuery, last: Counted): Page<TrackedRow> {
  const where = whereOf(sql, query);
  if (where === null) return { rows: [], total: 0 };
  const key = JSON.stringify([versionOfData(sql), where.text, where.values]);
  if (last.key !== key) Object.assign(last, { key, total: where.total ?? countEntries(sql, where) });
  const { total } = last;
  const count = Math.min(query.limit, total - query.offset);
  if (count <= 0) return { rows: [], total };
  // Read from the nearer end: SQLite reaches a page by counting all rows before it.
  const fromEnd = query.offset > total / 2;
  const offset = fromEnd ? total - query.offset - count : query.offset;
  const order = orderOf(query, query.descending !== fromEnd);
  const { index } = sorts[query.sort];
  const rows = sql.all<TrackedRow>(
    `SELECT t.*, ? AS connection_id FROM (SELECT t.seq FROM tracked AS t ${where.source || `INDEXED BY ${index}`} WHERE ${where.text}
       ORDER BY ${order} LIMIT ? OFFSET ?) AS page JOIN tracked AS t ON t.seq = page.seq ORDER BY ${order}`,
    query.connectionId,
    ...where.values,
    count,
    offset,
  );
  return { rows: fromEnd ? rows.reverse() : rows, total };
}

function orderOf({ sort }: TrackedQuery, isDescending: boolean): string {
  const direction = isDescending ? 'DESC' : 'ASC';
  return `t.${sorts[sort].column} ${direction}, t.seq ${direction}`;
}

function countEntries(sql: Sql, where: Where): number {
  const source = where.source || 'INDEXED BY tracked_created';
  const text = `SELECT count(*) AS n FROM tracked AS t ${source} WHERE ${where.text}`;
  return sql.get<{ n: number }>(text, ...where.values)?.n ?? 0;
}
