import type { DocumentFilters, DocumentSort } from '../../../contract/documents.ts';
import { beginsWithOrId, nameRank, searchWords } from '../database/search-words.ts';
import { type Sql, type SqlValue, versionOfData } from '../database/sql.ts';
import { connectionWord, type StoredDocument } from './stored-document.ts';

export interface DocumentQuery extends PageQuery {
  readonly connectionId?: string;
  /** Words, each the beginning of a word in any of the searched columns; all of them must be found. */
  readonly search: string;
  readonly sort: DocumentSort;
  readonly descending: boolean;
  readonly filters?: DocumentFilters;
}

/** The part of a list that is asked for. */
export interface PageQuery {
  readonly offset: number;
  readonly limit: number;
  /** Only how many of the rows with these keys match is asked for. */
  readonly among?: readonly string[] | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Number of all rows that match the query, not only of this page. */
  readonly total: number;
}

/** Up to this number of matches the rows are fetched and sorted; above it the index of the sort order is scanned, which is fast if many rows match. */
const sortInMemory = 2_000;
/** Up to this number of documents of a status their index is entered: to sort more than that takes longer than to look at all in their order. */
const fewOfStatus = 5_000;
/** Of more it is not asked how well each name matches: that costs as much as the search, and another word helps more. */
const mostRanked = 500;

/** `arrival`: the order in which documents came here. The search index is in it, so it stands for the time of registration where both are the same. */
type SortKey = DocumentSort | 'arrival';
type Query = Omit<DocumentQuery, 'sort'> & { readonly sort: SortKey };

const sortKeys: Record<SortKey, { column: keyof StoredDocument; collation: string; index: string }> = {
  arrival: { column: 'seq', collation: '', index: '' },
  registeredAt: { column: 'registered_at', collation: '', index: 'registered' },
  name: { column: 'name', collation: 'COLLATE NOCASE', index: 'name' },
  sizeBytes: { column: 'size_bytes', collation: '', index: 'size' },
  status: { column: 'status_raw', collation: 'COLLATE NOCASE', index: 'status' },
};

/** Cache of the number of matches of the last query: scrolling repeats the query, and counting costs more than reading a page. */
export interface Counted {
  key: string;
  total: number;
}

/** A page of the documents that match a query. Every branch reads an index in the requested order and stops at the limit. `last` is updated. */
export function findDocuments(sql: Sql, asked: DocumentQuery, last: Counted, version?: string): Page<StoredDocument> {
  const query = withoutNeedlessScope(sql, { ...asked, sort: sortKeyOf(sql, asked.sort) });
  const match = documentMatch(query);
  if (match === null) return { rows: [], total: 0 };
  const also = conditionsOf(sql, query.filters ?? {});
  if (asked.among) {
    // With a search the rows of its index are compared first, which takes no look at each document.
    const row = match === '' ? 'd.seq' : '+s.rowid';
    const text = `${also.text} AND ${row} IN (SELECT seq FROM documents WHERE id IN (SELECT value FROM json_each(?)))`;
    return {
      rows: [],
      total: count(sql, query, match, { text, values: [...also.values, JSON.stringify(asked.among)] }),
    };
  }
  const key = JSON.stringify([version ?? versionOfData(sql), match, query.connectionId, also]);
  const order = orderOf(query);
  const isFirst = last.key !== key && match !== '' && also.text === '' && query.offset === 0;
  const first = isFirst ? countWithFirst(sql, query, match, order) : null;
  if (last.key !== key) Object.assign(last, { key, total: first?.total ?? count(sql, query, match, also) });
  const { total } = last;
  if (total <= query.offset) return { rows: [], total };
  if (first && total > mostRanked && first.seqs.length >= query.limit) {
    const text = `SELECT d.* FROM documents AS d WHERE d.seq IN (SELECT value FROM json_each(?)) ORDER BY ${order}`;
    return { rows: sql.all<StoredDocument>(text, JSON.stringify(first.seqs.slice(0, query.limit))), total };
  }
  const seq = match === '' && also.text === '' ? seqAtOffset(sql, query, total) : null;
  if (seq !== null) {
    const rows = sql.all<StoredDocument>(
      `SELECT d.* FROM documents AS d WHERE d.seq ${query.descending ? '<=' : '>='} ? ORDER BY ${order} LIMIT ?`,
      seq,
      query.limit,
    );
    return { rows, total };
  }
  const rank = rankOf(query, total);
  // Joined in this order (CROSS): for the order of all of them SQLite would look at every document instead.
  const { text, values } =
    match === '' ? withoutSearch(query, order, also, total) : withSearch(query, order, also, { match, total, rank });
  const rows = sql.all<StoredDocument>(
    `SELECT d.* FROM (${text} LIMIT ? OFFSET ?) AS page CROSS JOIN documents AS d ON d.seq = page.seq ORDER BY ${rank.text && 'page.rank DESC, '}${order}`,
    ...values,
    query.limit,
    query.offset,
  );
  return { rows, total };
}

/** Rows at the beginning of an order, among which a search that finds much has its first page. Those that came last need no list: their numbers are a range. */
const [firstRows, newestRows] = [2_000, 20_000];

/**
 * The number of matches, and those among the first documents of the order: of a word that many begin with, FTS5 puts all documents together before it answers the first, so asking for both at once
 * takes half of the time.
 */
function countWithFirst(sql: Sql, { connectionId, sort, descending }: Query, match: string, order: string) {
  const isNewest = sort === 'arrival' && descending;
  const here = connectionId === undefined ? '' : 'WHERE d.connection_id = ?';
  const first = `SELECT json_group_array(seq) FROM (SELECT d.seq FROM documents AS d ${here} ORDER BY ${order} LIMIT ${firstRows})`;
  const among = isNewest ? '(SELECT max(seq) FROM documents)' : `(${first})`;
  const values = isNewest || connectionId === undefined ? [] : [connectionId];
  const { seqs } = sql.get<{ seqs: string | number | null }>(`SELECT ${among} AS seqs`, ...values) ?? { seqs: null };
  const is = isNewest ? `rowid > ? - ${newestRows}` : 'rowid IN (SELECT value FROM json_each(?))';
  const { total, found } = sql.get<{ total: number; found: string }>(
    `SELECT count(*) AS total, json_group_array(rowid) FILTER (WHERE ${is}) AS found FROM documents_search WHERE documents_search MATCH ?`,
    seqs,
    match,
  ) ?? { total: 0, found: '[]' };
  const matching = JSON.parse(found) as number[];
  if (typeof seqs !== 'string') return { total, seqs: matching.sort((a, b) => b - a) };
  const isMatch = new Set(matching);
  return { total, seqs: (JSON.parse(seqs) as number[]).filter((seq) => isMatch.has(seq)) };
}

function sortKeyOf(sql: Sql, sort: DocumentQuery['sort']): SortKey {
  if (sort !== 'registeredAt' || sql.get('SELECT 1 FROM documents WHERE is_late = 1 LIMIT 1')) return sort;
  return 'arrival';
}

/** Leaves out the connection if no document is of another one: among a million documents, counting and finding a page are several times as fast without it. */
function withoutNeedlessScope(sql: Sql, query: Query): Query {
  const { connectionId, ...all } = query;
  if (connectionId === undefined) return query;
  const other = (sign: '<' | '>') =>
    sql.get(`SELECT 1 FROM documents WHERE connection_id ${sign} ? LIMIT 1`, connectionId) !== undefined;
  return other('<') || other('>') ? query : all;
}

/** Scope and order of a list without search and filters. */
export type ListOrder = Pick<DocumentQuery, 'sort' | 'descending'> & { readonly connectionId?: string | undefined };

/** The number of documents that come before this one, in the order of `orderOf`: empty values are the smallest. */
export function countBefore(sql: Sql, id: string, { sort, descending, connectionId }: ListOrder): number {
  const { column, collation } = sortKeys[sortKeyOf(sql, sort)];
  const its = `(SELECT ${column} FROM documents WHERE id = ?)`;
  const [sign, empty] = descending
    ? ['>', `d.${column} IS NOT NULL AND ${its} IS NULL`]
    : ['<', `d.${column} IS NULL AND ${its} IS NOT NULL`];
  const same = `d.${column} ${collation} IS ${its} AND d.seq ${sign} (SELECT seq FROM documents WHERE id = ?)`;
  const here = connectionId === undefined ? 'true' : 'd.connection_id = ?';
  const values = [...(connectionId === undefined ? [] : [connectionId]), id, id, id, id];
  const text = `SELECT count(*) AS n FROM documents AS d WHERE ${here} AND (d.${column} ${collation} ${sign} ${its} OR (${same}) OR (${empty}))`;
  return sql.get<{ n: number }>(text, ...values)?.n ?? 0;
}

/** SQL conditions on `d`, each preceded by AND. */
function conditionsOf(sql: Sql, { statusGroups, registeredFrom, registeredTo, origin, by }: DocumentFilters): Select {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  if (statusGroups) {
    const these = `status_group IN (${statusGroups.map(() => '?').join(', ')})`;
    const some = `SELECT count(*) AS n FROM (SELECT 1 FROM documents WHERE ${these} LIMIT ${fewOfStatus + 1})`;
    const isFew = (sql.get<{ n: number }>(some, ...statusGroups)?.n ?? 0) <= fewOfStatus;
    parts.push(`${isFew ? 'd' : '+d'}.${these}`);
    values.push(...statusGroups);
  }
  for (const [limit, sign] of [
    [registeredFrom, '>='],
    [registeredTo, '<='],
  ] as const) {
    if (limit === undefined) continue;
    parts.push(`d.registered_at ${sign} ?`);
    values.push(new Date(limit).toISOString());
  }
  // What colleagues registered has no job here, but was not opened by ID either.
  if (origin)
    parts.push(
      origin === 'sent'
        ? '(d.job_id IS NOT NULL OR d.by_person IS NOT NULL)'
        : 'd.job_id IS NULL AND d.by_person IS NULL',
    );
  if (by === 'mine') parts.push('d.by_person IS NULL');
  return { text: parts.map((part) => ` AND ${part}`).join(''), values };
}

function count(sql: Sql, { connectionId }: Query, match: string, filters: Select): number {
  // The index of statuses alone has all that a single condition asks.
  const isSingle = match === '' && filters.text.lastIndexOf(' AND ') === 0;
  const also = { ...filters, text: isSingle ? filters.text.replace('+', '') : filters.text };
  const one = (text: string, ...values: SqlValue[]) =>
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${text}`, ...values, ...also.values)?.n ?? 0;
  if (match !== '' && also.text === '') return one('documents_search AS s WHERE documents_search MATCH ?', match);
  if (match !== '')
    return one(
      `documents_search AS s CROSS JOIN documents AS d ON d.seq = s.rowid WHERE documents_search MATCH ?${also.text}`,
      match,
    );
  if (connectionId !== undefined) return one(`documents AS d WHERE d.connection_id = ?${also.text}`, connectionId);
  return one(`documents AS d WHERE true${also.text}`);
}

function orderOf({ sort, descending }: Query): string {
  const { column, collation } = sortKeys[sort];
  const direction = descending ? 'DESC' : 'ASC';
  return column === 'seq' ? `d.seq ${direction}` : `d.${column} ${collation} ${direction}, d.seq ${direction}`;
}

/** A search puts what it matches best first, unless the person asks for another order than the usual one, or so much is found that a better search is what helps. */
function rankOf({ search, descending, sort }: Query, total: number): Select {
  const isUsual = descending && (sort === 'arrival' || sort === 'registeredAt');
  if (search.trim() === '' || !isUsual || total > mostRanked) return { text: '', values: [] };
  return nameRank('documents_search', 'd.seq', 'd.name', search);
}

interface Select {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** An order that cannot use an index (`+`): few matches are sorted in memory, as SQLite would otherwise scan the whole index to find them. */
function sortedHere(order: string): string {
  return order.replaceAll('d.', '+d.');
}

/** The row number at the offset of a query; null if it must be counted. It can be calculated only if no row number is missing. */
function seqAtOffset(sql: Sql, { sort, descending, connectionId, offset }: Query, total: number): number | null {
  if (sort !== 'arrival' || connectionId !== undefined) return null;
  const { first = 0, last = 0 } =
    sql.get<{ first: number; last: number }>(
      'SELECT (SELECT min(seq) FROM documents) AS first, (SELECT max(seq) FROM documents) AS last',
    ) ?? {};
  if (last - first + 1 !== total) return null;
  return descending ? last - offset : first + offset;
}

function withoutSearch({ connectionId }: Query, order: string, also: Select, total: number): Select {
  const here = connectionId === undefined ? 'true' : 'd.connection_id = ?';
  const by = also.text !== '' && total <= sortInMemory ? sortedHere(order) : order;
  return {
    text: `SELECT d.seq FROM documents AS d WHERE ${here}${also.text} ORDER BY ${by}`,
    values: connectionId === undefined ? also.values : [connectionId, ...also.values],
  };
}

function withSearch(
  { sort, descending }: Query,
  order: string,
  also: Select,
  { match, total, rank }: { readonly match: string; readonly total: number; readonly rank: Select },
): Select {
  const values = [match, ...also.values];
  const joined = `documents_search AS s JOIN documents AS d ON d.seq = s.rowid WHERE documents_search MATCH ?${also.text}`;
  if (rank.text !== '') {
    const text = `SELECT d.seq, ${rank.text} AS rank FROM ${joined} ORDER BY rank DESC, ${order}`;
    return { text, values: [...rank.values, ...values] };
  }
  if (sort === 'arrival') {
    const from = also.text === '' ? 'documents_search AS s WHERE documents_search MATCH ?' : joined;
    return { text: `SELECT s.rowid AS seq FROM ${from} ORDER BY s.rowid ${descending ? 'DESC' : 'ASC'}`, values };
  }
  if (total <= sortInMemory) return { text: `SELECT d.seq FROM ${joined} ORDER BY ${order}`, values };
  return {
    text: `SELECT d.seq FROM documents AS d INDEXED BY documents_${sortKeys[sort].index}
           WHERE +d.seq IN (SELECT rowid FROM documents_search WHERE documents_search MATCH ?)${also.text} ORDER BY ${order}`,
    values,
  };
}

/** The search words as an FTS5 expression; empty for a query without words, null if nothing can match (only punctuation). */
export function documentMatch({ search, connectionId }: Pick<DocumentQuery, 'search' | 'connectionId'>): string | null {
  const asked = searchWords(search);
  if (asked === null) return null;
  if (asked.length === 0) return '';
  // Characters of the private use area are reserved for the index (`connectionWord`).
  const words = asked.map((word) => word.replaceAll(/\p{Co}/gu, ' ')).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  const all = words.map((word) => beginsWithOrId(word, 'name description client_id signers file_name')).join(' AND ');
  return connectionId === undefined ? all : `${all} AND connection : "${connectionWord(connectionId)}"`;
}

/**
 * Documents of all connections for a search while typing: those whose name begins with the text, then the newest that match its words. Reads at most `limit`
 * rows of each, and counts nothing.
 */
export function findDocumentsByText(sql: Sql, text: string, limit: number): StoredDocument[] {
  const match = documentMatch({ search: text });
  if (match === null || match === '') return [];
  const begins = sql.all<StoredDocument>(
    `SELECT * FROM documents INDEXED BY documents_name WHERE name >= ? COLLATE NOCASE AND name < ? COLLATE NOCASE
     ORDER BY name COLLATE NOCASE, seq LIMIT ?`,
    text.trim(),
    `${text.trim()}\u{10FFFF}`,
    limit,
  );
  const newest = sql.all<StoredDocument>(
    `SELECT d.* FROM (SELECT rowid FROM documents_search WHERE documents_search MATCH ? ORDER BY rowid DESC LIMIT ?) AS found
     JOIN documents AS d ON d.seq = found.rowid ORDER BY d.seq DESC`,
    match,
    limit,
  );
  return [...new Map([...begins, ...newest].map((row) => [row.seq, row])).values()];
}
