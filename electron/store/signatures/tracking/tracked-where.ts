import type { StatusGroup } from '../../../../contract/answers.ts';
import type { TrackedFilter } from '../../../../contract/tracking.ts';
import { beginsWith, beginsWithOrId, searchWords } from '../../database/search-words.ts';
import type { Sql, SqlValue } from '../../database/sql.ts';
import { type Shown, shownOf } from './partitions.ts';
import type { TrackedQuery } from './tracked-row.ts';
import { lastWords } from './tracked-statuses.ts';

/** Up to this number of matches the rows are fetched and sorted; above it the index of the sort order is scanned, which is fast if many rows match. */
export const sortInMemory = 2_000;

/** Conditions on `t`. */
export interface Where {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Query plan for filters that match few rows; empty if the index of the sort order is to be scanned. */
  readonly source: '' | 'NOT INDEXED' | 'INDEXED BY tracked_original' | 'INDEXED BY tracked_marked';
  /** Number of matches if it is known without counting: that of the search, or of the whole list. */
  readonly total: number | null;
}

/** The conditions of a query. Null if nothing can match: a search for punctuation only, a list that was never read. */
export function whereOf(sql: Sql, query: TrackedQuery): Where | null {
  const shown = shownOf(sql, query.connectionId, query.listType);
  const match = trackedMatch(query);
  if (!shown || match === null) return null;
  const conditions = [shownSql(shown)];
  const values: SqlValue[] = [shown.connection];
  const add = (condition: string, ...more: SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (query.from !== null || query.to !== null) addDays(query, shown.connection, add);
  if (query.origDocumentId !== null) add('t.orig_document_id = ?', query.origDocumentId);
  if (query.withoutDocument) add('t.orig_document_id IS NULL');
  if (query.jobId) add('t.orig_document_id IN (SELECT document_id FROM requests WHERE job_id = ?)', query.jobId);
  if (query.requests) add('t.orig_document_id IN (SELECT value FROM json_each(?))', JSON.stringify(query.requests));
  if (query.changedOnly) add('t.mark IS NOT NULL');
  if (query.dueOnly) add(dueSql, shown.connection, query.connectionId, shown.connection, query.connectionId);
  const isFewByStatus = query.status !== null && addStatus(sql, query, shown.connection, add);
  const isPlain = conditions.length === 1;
  let found: number | null = null;
  if (match !== '') {
    const search = `tracked_search WHERE tracked_search MATCH ? AND ${inRanges(shown, 'rowid')}`;
    found = sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${search}`, match)?.n ?? 0;
    // Few matches: read them and sort. Many: scan the index of the order and test each row. All: no condition.
    if (found !== shown.total) add(`${found <= sortInMemory ? '' : '+'}t.seq IN (SELECT rowid FROM ${search})`, match);
  }
  const isFew = query.dueOnly || isFewByStatus || (found !== null && found <= sortInMemory && found !== shown.total);
  const isByRequest =
    query.origDocumentId !== null || [query.jobId, query.requests, query.withoutDocument].some(Boolean);
  const source = isByRequest ? 'INDEXED BY tracked_original' : sourceOf(query, isFew);
  return { text: conditions.join(' AND '), values, source, total: isPlain ? (found ?? shown.total) : null };
}

/** The condition on `t` for all entries that may be shown; its one value is the connection. */
export function shownSql(shown: Shown): string {
  return `t.connection = ? AND t.gone_at IS NULL${shown.isAll ? '' : ` AND ${inRanges(shown, '+t.seq')}`}`;
}

function inRanges({ ranges }: Shown, column: string): string {
  return `(${ranges.map(({ first, end }) => `${column} >= ${first} AND ${column} < ${end}`).join(' OR ')})`;
}

function sourceOf({ changedOnly }: TrackedQuery, isFew: boolean): Where['source'] {
  if (isFew) return 'NOT INDEXED';
  return changedOnly ? 'INDEXED BY tracked_marked' : '';
}

/** Adds the range of days. With another order than by day SQLite would read every row, so the rows of the days are selected first, by their own index. */
function addDays(
  { from, to, sort }: TrackedQuery,
  connection: number,
  add: (condition: string, ...more: SqlValue[]) => void,
): void {
  const days: [string, string][] = [];
  if (from !== null) days.push(['created_at >= ?', from]);
  if (to !== null) days.push(['created_at < ?', to]);
  const values = days.map(([, day]) => day);
  if (sort === 'createdAt') {
    for (const [condition, day] of days) add(`t.${condition}`, day);
    return;
  }
  const condition = days.map(([text]) => text).join(' AND ');
  add(
    `+t.seq IN (SELECT seq FROM tracked INDEXED BY tracked_created WHERE connection = ? AND gone_at IS NULL AND ${condition})`,
    connection,
    ...values,
  );
}

/** Adds the condition for a status; true if few documents have it. */
function addStatus(
  sql: Sql,
  { connectionId, status }: TrackedQuery,
  connection: number,
  add: (condition: string, ...more: SqlValue[]) => void,
): boolean {
  if (status === null) return false;
  const { documents, text, values } = statusCondition(sql, connectionId, connection, status);
  const isFew = documents <= sortInMemory;
  add(`${isFew ? '' : '+'}t.seq IN (${text})`, ...values);
  return isFew;
}

/** Due dates are stored by the original document's ID, or by the document's ID if there is no original one. */
const dueSql = `t.seq IN (
  SELECT x.seq FROM due_dates AS d CROSS JOIN tracked AS x INDEXED BY tracked_original
    WHERE x.connection = ? AND x.gone_at IS NULL AND x.orig_document_id = d.document_key AND d.connection_id = ?
  UNION ALL SELECT x.seq FROM due_dates AS d CROSS JOIN tracked AS x INDEXED BY tracked_document
    WHERE x.connection = ? AND x.gone_at IS NULL AND x.document_id = d.document_key AND coalesce(x.orig_document_id, '') = ''
    AND d.connection_id = ?)`;

/** Columns of the index of entries for a person and for a document. */
const entryColumns = { person: 'name email', document: 'document_name' };
/** The same of the index of requests. */
export const requestColumns = { person: 'people', document: 'name' };

/** The search words as an FTS5 expression; empty for a query without words, null if nothing can match (only punctuation). */
export function trackedMatch(
  { search, person, document }: Pick<TrackedQuery, 'search' | 'person' | 'document'>,
  names = entryColumns,
): string | null {
  const parts: string[] = [];
  const columns = [
    ['', search],
    [`{${names.person}} : `, person],
    [`${names.document} : `, document],
  ] as const;
  for (const [prefix, text] of columns) {
    const words = searchWords(text);
    if (words === null) return null;
    parts.push(...words.map((word) => wordMatch(word, prefix, `${names.person} ${names.document}`)));
  }
  return parts.join(' AND ');
}

function wordMatch(word: string, columns: string, seen: string): string {
  // An ID is found by the whole or its beginning, with hyphens or without: the index stores it without.
  if (columns === '' && word.includes('-') && /^[\p{L}\p{N}-]+$/u.test(word))
    return `(${beginsWith(word)} OR ids : ${beginsWith(word.replaceAll('-', ''))})`;
  return `(${columns === '' ? beginsWithOrId(word, seen) : `${columns}${beginsWith(word)}`})`;
}

/** Condition for entries whose document's last status is a word, or any word of a group. */
function statusCondition(
  sql: Sql,
  connectionId: string,
  connection: number,
  status: NonNullable<TrackedFilter['status']>,
) {
  const words = 'word' in status ? [status.word] : wordsOf(sql, connectionId, status.group);
  const texts = JSON.stringify(words.filter((word) => word !== null));
  const orNone = words.includes(null) ? ' OR s.raw IS NULL' : '';
  const last = `s.connection_id = ? AND s.is_last = 1 AND (s.raw IN (SELECT value FROM json_each(?))${orNone})`;
  const source = 'tracked_statuses AS s INDEXED BY tracked_statuses_last';
  const counted = sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${source} WHERE ${last}`, connectionId, texts);
  return {
    /** Number of documents that have the status, in a list or not. */
    documents: counted?.n ?? 0,
    /** Query for the row numbers of their entries. */
    text: `SELECT x.seq FROM ${source} CROSS JOIN tracked AS x INDEXED BY tracked_document
      WHERE ${last} AND x.connection = ? AND x.gone_at IS NULL AND x.document_id = s.document_id`,
    values: [connectionId, texts, connection],
  };
}

const wordsOf = (sql: Sql, connectionId: string, group: StatusGroup): (string | null)[] =>
  lastWords(sql, connectionId).flatMap(({ raw, answer }) => (answer.group === group ? [raw] : []));
