import type { TrackedGroup, TrackedSort } from '../../contract/tracking.ts';
import type { Page } from './document-search.ts';
import type { Sql, SqlValue } from './sql.ts';
import { documentKeySql, type TrackedQuery, type TrackedRow } from './tracked.ts';

/** Up to here the found rows are fetched and sorted; above it the sort's index is walked, which is fast when much was found. */
const sortInMemory = 2_000;

/** seq grows with the time of the first sight. */
const sorts: Record<TrackedSort, { readonly column: string; readonly index: string }> = {
  createdAt: { column: 'created_at', index: 'tracked_created' },
  documentName: { column: 'document_name', index: 'tracked_document_name' },
  name: { column: 'name', index: 'tracked_name' },
  email: { column: 'email', index: 'tracked_email' },
  firstSeenAt: { column: 'seq', index: 'tracked_live' },
};

interface Where {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Of the search, null where nothing is searched for. */
  readonly found: number | null;
}

export function findEntries(sql: Sql, query: TrackedQuery): Page<TrackedRow> {
  const where = whereOf(sql, query);
  if (where === null) return { rows: [], total: 0 };
  const total = countEntries(sql, query, where);
  if (total <= query.offset) return { rows: [], total };
  const { column, index } = sorts[query.sort];
  const direction = query.descending ? 'DESC' : 'ASC';
  const order = column === 'seq' ? `t.seq ${direction}` : `t.${column} ${direction}, t.seq ${direction}`;
  const isFew = query.origDocumentId !== null || query.changedOnly || (where.found ?? sortInMemory + 1) <= sortInMemory;
  const rows = sql.all<TrackedRow>(
    `SELECT t.* FROM (SELECT t.seq FROM tracked AS t ${isFew ? '' : `INDEXED BY ${index}`} WHERE ${where.text}
       ORDER BY ${order} LIMIT ? OFFSET ?) AS page JOIN tracked AS t ON t.seq = page.seq ORDER BY ${order}`,
    ...where.values,
    query.limit,
    query.offset,
  );
  return { rows, total };
}

/** Null where nothing can be found (a search for signs only). */
function whereOf(sql: Sql, query: TrackedQuery): Where | null {
  const conditions = ['t.connection_id = ?', 't.gone_at IS NULL'];
  const values: SqlValue[] = [query.connectionId];
  const add = (condition: string, ...more: SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (query.listType !== null) add('t.list_type = ?', query.listType);
  if (query.from !== null) add('t.created_at >= ?', query.from);
  if (query.to !== null) add('t.created_at < ?', query.to);
  if (query.origDocumentId !== null) add('t.orig_document_id = ?', query.origDocumentId);
  if (query.changedOnly) add('t.mark IS NOT NULL');
  if (query.dueOnly)
    add(
      `${documentKeySql} COLLATE NOCASE IN (SELECT document_key FROM due_dates WHERE connection_id = ?)`,
      query.connectionId,
    );
  const match = matchOf(query);
  if (match === null) return null;
  if (match === '') return { text: conditions.join(' AND '), values, found: null };
  const found = one(sql, 'SELECT count(*) AS n FROM tracked_search WHERE tracked_search MATCH ?', match);
  // What was found is few or many: the rows, or the index of the order, come first.
  add(
    `${found <= sortInMemory ? '' : '+'}t.seq IN (SELECT rowid FROM tracked_search WHERE tracked_search MATCH ?)`,
    match,
  );
  return { text: conditions.join(' AND '), values, found };
}

function one(sql: Sql, text: string, ...values: SqlValue[]): number {
  return sql.get<{ n: number }>(text, ...values)?.n ?? 0;
}

function countEntries(sql: Sql, query: TrackedQuery, where: Where): number {
  const isPlain =
    query.from === null && query.to === null && query.origDocumentId === null && !query.changedOnly && !query.dueOnly;
  // The search index knows connection and list by itself.
  if (isPlain && where.found !== null) return where.found;
  return one(sql, `SELECT count(*) AS n FROM tracked AS t WHERE ${where.text}`, ...where.values);
}

/** The words as an FTS5 expression; empty where nothing is searched for, null where nothing can be found (only signs). */
function matchOf({ connectionId, listType, search, person, document }: TrackedQuery): string | null {
  const parts: string[] = [];
  const columns = [
    ['name email document_name', true, search],
    ['name email', false, person],
    ['document_name', true, document],
  ] as const;
  for (const [names, withIds, text] of columns) {
    const asked = text.split(/[\s\0]+/).filter((word) => word !== '');
    if (asked.length === 0) continue;
    const words = asked.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
    if (words.length === 0) return null;
    parts.push(...words.map((word) => wordMatch(word, names, withIds)));
  }
  if (parts.length === 0) return '';
  return [...parts, `place : "${placeWord(connectionId, listType)}"`].join(' AND ');
}

function wordMatch(word: string, columns: string, withIds: boolean): string {
  const begins = (text: string) => `"${text.replaceAll('"', '""')}"*`;
  const inTexts = `{${columns}} : ${begins(word)}`;
  // As a whole or as its beginning, with hyphens or without.
  if (!withIds || !/^[\p{L}\p{N}-]+$/u.test(word)) return `(${inTexts})`;
  return `((${inTexts}) OR (ids : ${begins(word.replaceAll('-', ''))}))`;
}

/** As the triggers of the table write it. */
function placeWord(connectionId: string, listType: number | null): string {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  return `c${hex(connectionId)}${listType === null ? '' : `l${hex(String(listType))}`}`;
}

interface GroupRow {
  readonly orig_document_id: string | null;
  readonly entries: number;
  readonly newest_at: string | null;
  readonly changed: number;
}

export function findGroups(sql: Sql, query: TrackedQuery): Page<TrackedGroup> {
  const where = whereOf(sql, query);
  if (where === null) return { rows: [], total: 0 };
  // The index has everything that groups are made of, in their order.
  const index = where.found !== null && where.found <= sortInMemory ? '' : 'INDEXED BY tracked_original';
  const total = one(
    sql,
    `SELECT count(*) AS n FROM (SELECT 1 FROM tracked AS t ${index} WHERE ${where.text} GROUP BY t.orig_document_id)`,
    ...where.values,
  );
  const rows = sql.all<GroupRow>(
    `SELECT t.orig_document_id, count(*) AS entries, max(t.created_at) AS newest_at, count(t.mark) AS changed
     FROM tracked AS t ${index} WHERE ${where.text} GROUP BY t.orig_document_id
     ORDER BY newest_at ${query.descending ? 'DESC' : 'ASC'}, t.orig_document_id LIMIT ? OFFSET ?`,
    ...where.values,
    query.limit,
    query.offset,
  );
  return { rows: rows.map((row) => groupOf(sql, row, where)), total };
}

function groupOf(sql: Sql, row: GroupRow, where: Where): TrackedGroup {
  const inGroup = `FROM tracked AS t INDEXED BY tracked_original WHERE ${where.text} AND t.orig_document_id IS ?`;
  const lists = sql.all<{ list_type: number; n: number }>(
    `SELECT t.list_type, count(*) AS n ${inGroup} GROUP BY t.list_type ORDER BY t.list_type`,
    ...where.values,
    row.orig_document_id,
  );
  const named = sql.get<{ document_name: string | null }>(
    `SELECT t.document_name ${inGroup} AND t.document_name IS NOT NULL LIMIT 1`,
    ...where.values,
    row.orig_document_id,
  );
  return {
    origDocumentId: row.orig_document_id,
    documentName: named?.document_name ?? null,
    entryCount: row.entries,
    newestAt: row.newest_at,
    changedCount: row.changed,
    lists: lists.map(({ list_type, n }) => ({ listType: list_type, count: n })),
  };
}
