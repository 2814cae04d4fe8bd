import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TrackedGroup } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import type { Page } from '../../documents/document-search.ts';
import { shownOf } from './partitions.ts';
import { versionOfData } from './tracked-query.ts';
import type { TrackedQuery, TrackedRow } from './tracked-row.ts';
import { shownSql, type Where, whereOf } from './tracked-where.ts';

/** A group with the rows of its first entries. What its lists mean is a setting of the connection. */
export interface StoredGroup extends Omit<TrackedGroup, 'people' | 'signedCount'> {
  readonly people: readonly TrackedRow[];
}

/** Entries of a document that are read with it: as many as a card of the screen names. */
const mostPeople = 6;

/** Cache of the ordered documents of the last query: each further page repeats the query. */
export interface GroupOrder {
  key: string;
  documents: readonly (string | null)[];
}

/** Documents that are read between two turns of the event loop: some milliseconds. */
const documentsPerTurn = 5_000;
/** Bits for the index of a document in `documents`: enough for any list. */
const indexBits = 22n;

export async function findGroups(sql: Sql, query: TrackedQuery, last: GroupOrder): Promise<Page<StoredGroup>> {
  const where = whereOf(sql, query);
  if (where === null) return { rows: [], total: 0 };
  const key = JSON.stringify([versionOfData(sql), where.text, where.values, query.descending]);
  if (last.key !== key) Object.assign(last, { documents: await orderedDocuments(sql, where, query.descending), key });
  const page = last.documents.slice(query.offset, query.offset + query.limit);
  return { rows: groupsOf(sql, query.connectionId, page), total: last.documents.length };
}

/** The documents ordered by their newest entry; those without a readable date count as the oldest. */
async function orderedDocuments(sql: Sql, where: Where, isDescending: boolean): Promise<(string | null)[]> {
  const documents: (string | null)[] = [];
  const newest: bigint[] = [];
  for (let after: string | null = null; ; await nextTurn()) {
    const found = documentsAfter(sql, where, after);
    for (const [at, document] of found.documents.entries()) {
      const ms = BigInt(Math.max(0, Date.parse(found.newest[at] ?? '') || 0));
      newest.push((ms << indexBits) | BigInt(documents.length));
      documents.push(document);
    }
    after = found.documents.at(-1) ?? null;
    if (found.documents.length < documentsPerTurn || after === null) break;
  }
  // The time and the index in one number: sorting numbers is fast enough for one turn of the event loop.
  const order = BigUint64Array.from(newest).sort();
  if (isDescending) order.reverse();
  const indexMask = 2n ** indexBits - 1n;
  return Array.from(order, (one) => documents[Number(one & indexMask)] ?? null);
}

function documentsAfter(
  sql: Sql,
  where: Where,
  after: string | null,
): { readonly documents: (string | null)[]; readonly newest: (string | null)[] } {
  const isMore = after === null ? '' : 'AND t.orig_document_id > ?';
  // The index has all columns of this query in the order of the groups.
  const row = sql.get<{ documents: string; newest: string }>(
    `SELECT json_group_array(document) AS documents, json_group_array(newest) AS newest FROM (
       SELECT t.orig_document_id AS document, max(t.created_at) AS newest
       FROM tracked AS t ${where.source || 'INDEXED BY tracked_original'} WHERE ${where.text} ${isMore}
       GROUP BY t.orig_document_id ORDER BY t.orig_document_id LIMIT ${documentsPerTurn})`,
    ...where.values,
    ...(after === null ? [] : [after]),
  );
  return { documents: JSON.parse(row?.documents ?? '[]'), newest: JSON.parse(row?.newest ?? '[]') };
}

interface PartRow {
  readonly document: string | null;
  readonly list_type: number;
  readonly entries: number;
  readonly newest: string | null;
  readonly changed: number;
  readonly name: string | null;
}

/** The documents of one page, with all their entries in all lists, whatever the filter: a request is shown as a whole. */
export function groupsOf(sql: Sql, connectionId: string, page: readonly (string | null)[]): StoredGroup[] {
  const shown = page.length === 0 ? null : shownOf(sql, connectionId, null);
  if (shown === null) return [];
  const isShown = shownSql(shown);
  const named = 't.orig_document_id IN (SELECT value FROM json_each(?))';
  const parts = (condition: string, ...more: string[]) =>
    sql.all<PartRow>(
      `SELECT t.orig_document_id AS document, t.list_type, count(*) AS entries, max(t.created_at) AS newest, count(t.mark) AS changed,
         min(nullif(t.document_name, '')) AS name
       FROM tracked AS t INDEXED BY tracked_original WHERE ${isShown} AND ${condition}
       GROUP BY t.orig_document_id, t.list_type ORDER BY t.orig_document_id, t.list_type`,
      shown.connection,
      ...more,
    );
  const rows = parts(named, JSON.stringify(page));
  if (page.includes(null)) rows.push(...parts('t.orig_document_id IS NULL'));
  const people = sql.all<TrackedRow & { readonly place_in_group: number }>(
    `SELECT * FROM (SELECT t.*, ? AS connection_id,
       row_number() OVER (PARTITION BY t.orig_document_id ORDER BY t.created_at, t.email, t.seq) AS place_in_group
       FROM tracked AS t INDEXED BY tracked_original WHERE ${isShown} AND ${named})
     WHERE place_in_group <= ${mostPeople} ORDER BY place_in_group`,
    connectionId,
    shown.connection,
    JSON.stringify(page),
  );
  const partsOf = byDocument(rows, ({ document }) => document);
  const peopleOf = byDocument(people, ({ orig_document_id }) => orig_document_id);
  return page.map((document) => ({
    ...groupOf(document, partsOf(document)),
    people: document === null ? [] : peopleOf(document),
  }));
}

/** The rows of each document; IDs are compared as in the database, ignoring case. */
function byDocument<T>(rows: readonly T[], documentOf: (row: T) => string | null): (document: string | null) => T[] {
  const keyOf = (document: string | null) => document?.toLowerCase() ?? null;
  const found = new Map<string | null, T[]>();
  for (const row of rows) {
    const key = keyOf(documentOf(row));
    const known = found.get(key);
    if (known) known.push(row);
    else found.set(key, [row]);
  }
  return (document) => found.get(keyOf(document)) ?? [];
}

function groupOf(origDocumentId: string | null, parts: readonly PartRow[]): Omit<StoredGroup, 'people'> {
  const sum = (count: (part: PartRow) => number) => parts.reduce((all, part) => all + count(part), 0);
  return {
    origDocumentId,
    documentName: parts.find(({ name }) => name !== null)?.name ?? null,
    entryCount: sum(({ entries }) => entries),
    newestAt:
      parts
        .map(({ newest }) => newest)
        .filter((newest) => newest !== null)
        .sort()
        .at(-1) ?? null,
    changedCount: sum(({ changed }) => changed),
    lists: parts.map(({ list_type, entries }) => ({ listType: list_type, count: entries })),
  };
}
