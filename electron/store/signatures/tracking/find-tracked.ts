import { emailKey } from '../../../../contract/email.ts';
import type { TrackedSort } from '../../../../contract/tracking.ts';
import { type Sql, versionOfData } from '../../database/sql.ts';
import type { Counted, Page } from '../../documents/document-search.ts';
import { type Shown, shownOf } from './partitions.ts';
import type { TrackedQuery, TrackedRow } from './tracked-row.ts';
import { trackedMatch, type Where, whereOf } from './tracked-where.ts';

/** Rows that are read of each list: enough to find the best, few enough for every key that is pressed. */
const mostRows = 120;

/** Signers by name or address, for a search while typing; each address once. */
export function findSigners(
  sql: Sql,
  connectionId: string,
  text: string,
  limit: number,
): { readonly name: string; readonly email: string }[] {
  const shown = shownOf(sql, connectionId, null);
  const match = trackedMatch({ search: '', person: text, document: '' });
  if (!shown || !match) return [];
  const rows = [
    ...beginning(sql, shown, 'name', text.trim(), limit),
    ...beginning(sql, shown, 'email', text.trim(), limit),
    ...matching(sql, shown, match),
  ];
  const people = new Map<string, { readonly name: string; readonly email: string }>();
  for (const { name, email } of rows) {
    const key = email && emailKey(email);
    if (key && email && !people.has(key)) people.set(key, { name: name ?? '', email });
    if (people.size === limit) break;
  }
  return [...people.values()];
}

/** Those of the addresses, as `emailKey` writes them, for which a list of the connection has an entry. */
export function listedAddresses(sql: Sql, connectionId: string, emails: readonly string[]): ReadonlySet<string> {
  const shown = shownOf(sql, connectionId, null);
  if (!shown) return new Set();
  const keys = new Set(emails.map(emailKey));
  const rows = sql.all<{ email: string }>(
    `SELECT value AS email FROM json_each(?) WHERE EXISTS (SELECT 1 FROM tracked INDEXED BY tracked_email
       WHERE connection = ? AND gone_at IS NULL AND email = value)`,
    JSON.stringify([...keys]),
    shown.connection,
  );
  // The index of the column knows the case of ASCII only: what it does not find is looked for by its words, which have neither case nor accents.
  const found = new Set(rows.map(({ email }) => email));
  const isPlain = /^[\x20-\x7E]*$/;
  for (const key of keys) {
    if (found.has(key) || isPlain.test(key)) continue;
    const match = trackedMatch({ search: '', person: key, document: '' });
    if (match && matching(sql, shown, match).some(({ email }) => emailKey(email ?? '') === key)) found.add(key);
  }
  return found;
}

type Column = 'document_name' | 'name' | 'email';

/**
 * One entry for each different text of a column that begins with `text`. The index is entered anew for each: a person with a thousand requests does not hide
 * the next one.
 */
export function beginning(sql: Sql, shown: Shown, column: Column, text: string, limit: number): TrackedRow[] {
  const index = `INDEXED BY tracked_${column}`;
  const here = 'connection = ?1 AND gone_at IS NULL';
  return sql.all<TrackedRow>(
    `WITH RECURSIVE texts (value, n) AS (
       SELECT (SELECT ${column} FROM tracked ${index} WHERE ${here} AND ${column} >= ?2 ORDER BY ${column} LIMIT 1), 1
       UNION ALL
       SELECT (SELECT ${column} FROM tracked ${index} WHERE ${here} AND ${column} > texts.value ORDER BY ${column} LIMIT 1), n + 1
       FROM texts WHERE texts.value IS NOT NULL AND n < ?4)
     SELECT t.* FROM texts JOIN tracked AS t ON t.seq = (SELECT max(seq) FROM tracked ${index} WHERE ${here} AND ${column} = texts.value)
     WHERE texts.value COLLATE NOCASE < ?3`,
    shown.connection,
    text,
    `${text}\u{10FFFF}`,
    limit,
  );
}

/** The last rows of each list that match, newest first. */
export function matching(sql: Sql, shown: Shown, match: string): TrackedRow[] {
  return shown.ranges
    .flatMap(({ first, end }) =>
      sql.all<TrackedRow>(
        `SELECT t.* FROM (SELECT rowid FROM tracked_search WHERE tracked_search MATCH ? AND rowid >= ? AND rowid < ?
           ORDER BY rowid DESC LIMIT ${mostRows}) AS found
         JOIN tracked AS t ON t.seq = found.rowid WHERE t.gone_at IS NULL`,
        match,
        first,
        end,
      ),
    )
    .sort((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
}

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
