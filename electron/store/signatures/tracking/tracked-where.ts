import type { Sql, SqlValue } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';
import { statusCondition } from './tracked-by-status.ts';
import type { TrackedQuery } from './tracked-row.ts';

/** Up to here the found rows are fetched and sorted; above it the sort's index is walked, which is fast when much was found. */
export const sortInMemory = 2_000;

/** Conditions on `t`. */
export interface Where {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** How the rows are come by where they are few by nature; empty where the index of the order is to be walked. */
  readonly source: '' | 'NOT INDEXED' | 'INDEXED BY tracked_original' | 'INDEXED BY tracked_marked';
  /** How many there are, where that is known without counting: what the search found, or the whole list. */
  readonly total: number | null;
}

/** Null where nothing can be found: a search for signs only, a list that was never read. */
export function whereOf(sql: Sql, query: TrackedQuery): Where | null {
  const shown = shownOf(sql, query.connectionId, query.listType);
  const match = matchOf(query);
  if (!shown || match === null) return null;
  const inRanges = (column: string) =>
    `(${shown.ranges.map(({ first, end }) => `${column} >= ${first} AND ${column} < ${end}`).join(' OR ')})`;
  const conditions = ['t.connection = ?', 't.gone_at IS NULL', inRanges('+t.seq')];
  const values: SqlValue[] = [shown.connection];
  const add = (condition: string, ...more: SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (query.from !== null || query.to !== null) addDays(query, shown.connection, add);
  if (query.origDocumentId !== null) add('t.orig_document_id = ?', query.origDocumentId);
  if (query.changedOnly) add('t.mark IS NOT NULL');
  if (query.dueOnly) add(dueSql, shown.connection, query.connectionId, shown.connection, query.connectionId);
  const isFewByStatus = query.status !== null && addStatus(sql, query, shown.connection, add);
  const isPlain = conditions.length === 3;
  let found: number | null = null;
  if (match !== '') {
    const search = `tracked_search WHERE tracked_search MATCH ? AND ${inRanges('rowid')}`;
    found = sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${search}`, match)?.n ?? 0;
    // What was found is few, many or everything: the rows, or the index of the order, come first.
    if (found !== shown.total) add(`${found <= sortInMemory ? '' : '+'}t.seq IN (SELECT rowid FROM ${search})`, match);
  }
  const isFew = query.dueOnly || isFewByStatus || (found !== null && found <= sortInMemory && found !== shown.total);
  const source = query.origDocumentId !== null ? 'INDEXED BY tracked_original' : sourceOf(query, isFew);
  return { text: conditions.join(' AND '), values, source, total: isPlain ? (found ?? shown.total) : null };
}

function sourceOf({ changedOnly }: TrackedQuery, isFew: boolean): Where['source'] {
  if (isFew) return 'NOT INDEXED';
  return changedOnly ? 'INDEXED BY tracked_marked' : '';
}

/** Any index but the one of the days would have to look into every row: then the days are found first. */
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

/** True where they are few. */
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

/** A due date is kept by the original document, or by the other where there is none. */
const dueSql = `t.seq IN (
  SELECT x.seq FROM due_dates AS d CROSS JOIN tracked AS x INDEXED BY tracked_original
    WHERE x.connection = ? AND x.gone_at IS NULL AND x.orig_document_id = d.document_key AND d.connection_id = ?
  UNION ALL SELECT x.seq FROM due_dates AS d CROSS JOIN tracked AS x INDEXED BY tracked_document
    WHERE x.connection = ? AND x.gone_at IS NULL AND x.document_id = d.document_key AND coalesce(x.orig_document_id, '') = ''
    AND d.connection_id = ?)`;

/** The words as an FTS5 expression; empty where nothing is searched for, null where nothing can be found (only signs). */
function matchOf({ search, person, document }: TrackedQuery): string | null {
  const parts: string[] = [];
  const columns = [
    ['', search],
    ['{name email} : ', person],
    ['document_name : ', document],
  ] as const;
  for (const [names, text] of columns) {
    const asked = text.split(/[\s\0]+/).filter((word) => word !== '');
    if (asked.length === 0) continue;
    const words = asked.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
    if (words.length === 0) return null;
    parts.push(...words.map((word) => wordMatch(word, names)));
  }
  return parts.join(' AND ');
}

function wordMatch(word: string, columns: string): string {
  const begins = (text: string) => `"${text.replaceAll('"', '""')}"*`;
  // An ID is found as a whole or by its beginning, with hyphens or without: it is kept without.
  if (columns === '' && word.includes('-') && /^[\p{L}\p{N}-]+$/u.test(word))
    return `(${begins(word)} OR ids : ${begins(word.replaceAll('-', ''))})`;
  return `(${columns}${begins(word)})`;
}
