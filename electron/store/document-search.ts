import { connectionWord, type StoredDocument } from './documents.ts';
import type { Sql, SqlValue } from './sql.ts';

export interface DocumentQuery {
  readonly connectionId?: string;
  /** Words, each the beginning of a word in any of the searched columns; all of them must be found. */
  readonly search: string;
  readonly sort: 'registeredAt' | 'name' | 'sizeBytes' | 'status';
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Of all that fit the query, not of this page. */
  readonly total: number;
}

/** Up to here the found rows are fetched and sorted; above it the sort's index is walked, which is fast when much was found. */
const sortInMemory = 2_000;

/** seq stands for the time of registration: it grows with it, and the search index is in its order. */
const sortKeys: Record<DocumentQuery['sort'], { column: keyof StoredDocument; collation: string; index: string }> = {
  registeredAt: { column: 'seq', collation: '', index: '' },
  name: { column: 'name', collation: 'COLLATE NOCASE', index: 'name' },
  sizeBytes: { column: 'size_bytes', collation: '', index: 'size' },
  status: { column: 'status_raw', collation: 'COLLATE NOCASE', index: 'status' },
};

/** Remembers how many documents fit the last query: scrolling asks the same again, and counting costs more than a page. */
export interface Counted {
  key: string;
  total: number;
}

/** Every branch reads an index in the order asked for and stops at the limit. */
export function findDocuments(sql: Sql, query: DocumentQuery, last: Counted): Page<StoredDocument> {
  const match = matchOf(query);
  if (match === null) return { rows: [], total: 0 };
  const key = JSON.stringify([versionOfData(sql), match, query.connectionId]);
  if (last.key !== key) Object.assign(last, { key, total: count(sql, query, match) });
  const { total } = last;
  if (total <= query.offset) return { rows: [], total };
  const order = orderOf(query);
  const { text, values } = match === '' ? withoutSearch(query, order) : withSearch(query, order, match, total);
  const rows = sql.all<StoredDocument>(
    `SELECT d.* FROM (${text} LIMIT ? OFFSET ?) AS page JOIN documents AS d ON d.seq = page.seq ORDER BY ${order}`,
    ...values,
    query.limit,
    query.offset,
  );
  return { rows, total };
}

/** Changes with every write, of this program or of another. */
function versionOfData(sql: Sql): string {
  const own = sql.get<{ n: number }>('SELECT total_changes() AS n')?.n;
  const others = sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
  return `${own} ${others}`;
}

function count(sql: Sql, { connectionId }: DocumentQuery, match: string): number {
  const one = (text: string, ...values: SqlValue[]) => sql.get<{ n: number }>(text, ...values)?.n ?? 0;
  if (match !== '') return one('SELECT count(*) AS n FROM documents_search WHERE documents_search MATCH ?', match);
  if (connectionId === undefined) return one('SELECT count(*) AS n FROM documents');
  return one('SELECT count(*) AS n FROM documents WHERE connection_id = ?', connectionId);
}

function orderOf({ sort, descending }: DocumentQuery): string {
  const { column, collation } = sortKeys[sort];
  const direction = descending ? 'DESC' : 'ASC';
  return column === 'seq' ? `d.seq ${direction}` : `d.${column} ${collation} ${direction}, d.seq ${direction}`;
}

interface Select {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

function withoutSearch({ connectionId }: DocumentQuery, order: string): Select {
  if (connectionId === undefined) return { text: `SELECT d.seq FROM documents AS d ORDER BY ${order}`, values: [] };
  return {
    text: `SELECT d.seq FROM documents AS d WHERE d.connection_id = ? ORDER BY ${order}`,
    values: [connectionId],
  };
}

function withSearch({ sort, descending }: DocumentQuery, order: string, match: string, total: number): Select {
  const values = [match];
  if (sort === 'registeredAt')
    return {
      text: `SELECT rowid AS seq FROM documents_search WHERE documents_search MATCH ?
             ORDER BY rowid ${descending ? 'DESC' : 'ASC'}`,
      values,
    };
  if (total <= sortInMemory)
    return {
      text: `SELECT d.seq FROM documents_search AS s JOIN documents AS d ON d.seq = s.rowid
             WHERE documents_search MATCH ? ORDER BY ${order}`,
      values,
    };
  return {
    text: `SELECT d.seq FROM documents AS d INDEXED BY documents_${sortKeys[sort].index}
           WHERE +d.seq IN (SELECT rowid FROM documents_search WHERE documents_search MATCH ?) ORDER BY ${order}`,
    values,
  };
}

/** The words as an FTS5 expression; empty where nothing is searched for, null where nothing can be found (only signs). */
function matchOf({ search, connectionId }: DocumentQuery): string | null {
  const asked = search.split(/[\s\0]+/).filter((word) => word !== '');
  if (asked.length === 0) return '';
  const words = asked.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  if (words.length === 0) return null;
  const all = words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(' AND ');
  const found = `{name description client_id document_id signers file_name} : (${all})`;
  return connectionId === undefined ? found : `${found} AND connection : "${connectionWord(connectionId)}"`;
}
