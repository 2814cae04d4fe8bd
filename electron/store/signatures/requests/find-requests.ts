import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey } from '../../../../contract/email.ts';
import { type RequestState, requestStates, type TrackedFilter } from '../../../../contract/tracking.ts';
import { nameRank } from '../../database/search-words.ts';
import { type Sql, type SqlValue, versionOfData } from '../../database/sql.ts';
import type { Page, PageQuery } from '../../documents/document-search.ts';
import { type Shown, shownOf } from '../tracking/partitions.ts';
import type { TrackedQuery } from '../tracking/tracked-row.ts';
import { requestColumns, shownSql, trackedMatch, type Where, whereOf } from '../tracking/tracked-where.ts';
import {
  computeRequests,
  connectionNumber,
  lookedUntil,
  type RequestNeeds,
  readLists,
  unlistedChanges,
} from './compute-requests.ts';
import { unreadOf } from './request-signers.ts';
import { type RequestRef, requestsOf, type StoredRequest } from './stored-requests.ts';

export interface RequestQuery extends TrackedQuery, PageQuery {
  readonly request: TrackedFilter['request'];
}

/** Cache of the ordered requests of the last query: each further page repeats the query. */
export interface RequestOrder {
  key: string;
  refs: readonly OrderedRef[];
}

/** The row number of a request of the ledger, or the original document of one from elsewhere (null: of those without). */
type OrderedRef = number | string | null;

/** The key of a request for the window. */
export const keyOfRequest = (ref: OrderedRef): string =>
  typeof ref === 'number' ? String(ref) : `document ${ref ?? ''}`;

const refOf = (ref: OrderedRef): RequestRef => (typeof ref === 'number' ? { request: ref } : { document: ref });

/** Rows that are read between two turns of the event loop: some milliseconds. */
const rowsPerTurn = 5_000;
/** Requests whose signers are read between two turns. */
const requestsPerTurn = 100;
/** Numbers for the index of a request in a list: enough for any. */
const mostIndexes = 2 ** 22;

/** A page of requests: each that has a matching entry or matches itself, those whose name matches a search best first, then the newest. Computes what changed since the last question. */
export async function findRequests(
  sql: Sql,
  needs: RequestNeeds,
  query: RequestQuery,
  last: RequestOrder,
): Promise<Page<StoredRequest>> {
  await computeRequests(sql, needs);
  const { offset, limit, among, ...rest } = query;
  const key = JSON.stringify([versionOfData(sql), rest]);
  if (last.key !== key) Object.assign(last, { refs: await orderedRefs(sql, query), key });
  if (among) {
    const asked = new Set(among);
    return { rows: [], total: last.refs.filter((ref) => asked.has(keyOfRequest(ref))).length };
  }
  const page = last.refs.slice(offset, offset + limit).map(refOf);
  return { rows: requestsOf(sql, needs, page), total: last.refs.length };
}

interface OwnRow {
  readonly seq: number;
  readonly document_id: string | null;
  readonly state: RequestState;
  readonly sent_at: string;
  readonly is_match: number;
  /** `nameRank` */
  readonly rank: number;
}

async function orderedRefs(sql: Sql, query: RequestQuery): Promise<readonly OrderedRef[]> {
  const order = newOrder();
  const ofDocument = new Map<string, OwnRow[]>();
  const taken = new Set<number>();
  const take = (row: OwnRow) => {
    if (taken.has(row.seq) || !isAsked(query.request, row.state)) return;
    taken.add(row.seq);
    // What has not left leaves after all that has.
    order.add(row.seq, row.sent_at || new Date().toISOString(), row.rank);
  };
  const found = Map.groupBy(foundForDoubts(sql, query.connectionId), ({ seq }) => seq);
  for await (const rows of ownRows(sql, query))
    for (const row of rows) {
      if (row.is_match === 1) take(row);
      for (const { document_id } of row.document_id === null ? (found.get(row.seq) ?? []) : [row]) {
        const document = document_id?.toLowerCase() ?? '';
        const known = ofDocument.get(document);
        if (known) known.push(row);
        else ofDocument.set(document, [row]);
      }
    }
  const where = asksEntries(query) ? whereOf(sql, query) : null;
  const shown = where && shownOf(sql, query.connectionId, query.listType);
  if (!where || !shown) return order.refs(query.descending);
  const isElsewhereAsked = (query.request ?? 'elsewhere') === 'elsewhere';
  const isElsewhere = (document: string | null) =>
    document !== null || hasUnknownWithoutDocument(sql, query.connectionId, shown);
  for await (const { documents: listed, newest } of documents(sql, where, shown.connection))
    for (const [at, document] of listed.entries()) {
      const own = ofDocument.size === 0 || document === null ? undefined : ofDocument.get(document.toLowerCase());
      if (own) own.forEach(take);
      else if (isElsewhereAsked && isElsewhere(document)) order.add(document, newest[at] ?? null);
    }
  return order.refs(query.descending);
}

/** States of requests that wait for somebody's signature. */
export const openStates: readonly RequestState[] = ['waiting', 'partly-signed'];

function isAsked(request: RequestQuery['request'], state: RequestState): boolean {
  if (request === null) return true;
  return request === 'open' ? openStates.includes(state) : request === state;
}

/** False where only the state of requests is asked for: a long list need not be read for it. */
function asksEntries(query: RequestQuery): boolean {
  const { request, listType, search, person, document, status, changedOnly } = query;
  if (query.jobId) return false;
  if (request === null || request === 'elsewhere' || listType !== null || status !== null || changedOnly) return true;
  return `${search}${person}${document}`.trim() !== '';
}

/** Requests of the ledger with whether they match by themselves. What only entries have (a list, a status) matches through these. */
async function* ownRows(sql: Sql, query: RequestQuery): AsyncGenerator<readonly OwnRow[]> {
  const { text, values } = ownMatch(sql, query);
  const rank = nameRank('requests_search', 'r.seq', 'r.name', query.search);
  for (let after = 0; ; await nextTurn()) {
    const rows = sql.all<OwnRow>(
      `SELECT r.seq, r.document_id, r.state, r.sent_at, (${text}) AS is_match, ${rank.text} AS rank FROM requests AS r
       WHERE r.connection_id = ? AND r.state IS NOT NULL AND r.seq > ? ORDER BY r.seq LIMIT ${rowsPerTurn}`,
      ...[...values, ...rank.values, query.connectionId, after],
    );
    yield rows;
    after = rows.at(-1)?.seq ?? 0;
    if (rows.length < rowsPerTurn) return;
  }
}

function ownMatch(sql: Sql, query: RequestQuery): { readonly text: string; readonly values: SqlValue[] } {
  const match = trackedMatch(query, requestColumns);
  if (match === null || query.listType !== null || query.status !== null) return { text: '0', values: [] };
  const conditions = ['1'];
  const values: SqlValue[] = [];
  const add = (condition: string, ...more: SqlValue[]) => {
    conditions.push(condition);
    values.push(...more);
  };
  if (match !== '') add('r.seq IN (SELECT rowid FROM requests_search WHERE requests_search MATCH ?)', match);
  if (query.changedOnly) {
    const looked = lookedUntil(sql, query.connectionId);
    add(`r.signed_at > ? AND ${unlistedChanges} > 0`, looked, looked);
  }
  if (query.from !== null) add('r.sent_at >= ?', query.from);
  if (query.to !== null) add("r.sent_at <> '' AND r.sent_at < ?", query.to);
  if (query.origDocumentId !== null) add('r.document_id IS ?', query.origDocumentId);
  if (query.jobId) add('r.job_id = ?', query.jobId);
  if (query.requests)
    add(
      'r.document_id IS NOT NULL AND r.document_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(query.requests),
    );
  if (query.dueOnly)
    add(
      'r.document_id IS NOT NULL AND r.document_id IN (SELECT document_key FROM due_dates WHERE connection_id = ?)',
      query.connectionId,
    );
  return { text: conditions.join(' AND '), values };
}

/** The original documents of the matching entries, each once, with its newest entry. */
async function* documents(sql: Sql, where: Where, connection: number) {
  // What a search finds is looked for anew in each part.
  const perTurn = where.values.length === 1 ? rowsPerTurn : 3 * rowsPerTurn;
  for (const { text, values } of documentParts(sql, connection, perTurn)) {
    // The index has all columns of this query in the order of the groups. One row: thousands take longer than what they say.
    const row = sql.get<{ documents: string; newest: string }>(
      `SELECT json_group_array(document) AS documents, json_group_array(newest) AS newest FROM (
         SELECT t.orig_document_id AS document, max(t.created_at) AS newest
         FROM tracked AS t ${where.source || 'INDEXED BY tracked_original'} WHERE ${where.text} AND ${text}
         GROUP BY t.orig_document_id)`,
      ...where.values,
      ...values,
    );
    const documents: (string | null)[] = JSON.parse(row?.documents ?? '[]');
    yield { documents, newest: JSON.parse(row?.newest ?? '[]') };
    await nextTurn();
  }
}

/**
 * Conditions on the original document of a connection's entries, with their values: each for as many entries as are read in one turn, whatever of them matches. Of a list
 * that is being read for the first time none does.
 */
function* documentParts(sql: Sql, connection: number, perTurn = rowsPerTurn) {
  const lastOf = `SELECT orig_document_id AS document FROM tracked INDEXED BY tracked_original
    WHERE connection = ? AND gone_at IS NULL AND orig_document_id > ? ORDER BY orig_document_id LIMIT 1 OFFSET ${perTurn}`;
  yield { text: 't.orig_document_id IS NULL', values: [] };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const last: string | undefined = sql.get<{ document: string }>(lastOf, connection, after)?.document;
    const from = `t.orig_document_id ${after === '' ? '>=' : '>'} ?`;
    yield last === undefined
      ? { text: from, values: [after] }
      : { text: `${from} AND t.orig_document_id <= ?`, values: [after, last] };
    after = last;
  }
}

/** Orders requests by rank, then by time; what has no readable date counts as the oldest. */
function newOrder() {
  const refs: OrderedRef[] = [];
  const times: number[] = [];
  const ranks = new Map<number, number>();
  return {
    add: (ref: OrderedRef, at: string | null, rank = 0) => {
      if (rank > 0) ranks.set(refs.length, rank);
      times.push(Math.max(0, Date.parse(at ?? '') || 0));
      refs.push(ref);
    },
    refs: (isDescending: boolean): readonly OrderedRef[] => {
      // The time and the index in one number, written as its two halves: sorting numbers is fast enough for one turn of the event loop.
      const order = new BigUint64Array(times.length);
      const halves = new Uint32Array(order.buffer);
      for (const [index, time] of times.entries()) {
        halves[2 * index] = (time % 1024) * mostIndexes + index;
        halves[2 * index + 1] = time / 1024;
      }
      order.sort();
      if (isDescending) order.reverse();
      const indexes = Array.from(refs, (_ref, at) => (halves[2 * at] ?? 0) % mostIndexes);
      if (ranks.size > 0) indexes.sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
      return indexes.map((index) => refs[index] ?? null);
    },
  };
}

/** All requests of a view in its order, each with all its signers, in turns. */
export async function* wholeRequests(
  sql: Sql,
  needs: RequestNeeds,
  query: Omit<RequestQuery, 'offset' | 'limit'>,
): AsyncGenerator<readonly StoredRequest[]> {
  await computeRequests(sql, needs);
  const refs = await orderedRefs(sql, { ...query, offset: 0, limit: 0 });
  for (let from = 0; from < refs.length; from += requestsPerTurn, await nextTurn())
    yield requestsOf(sql, needs, refs.slice(from, from + requestsPerTurn).map(refOf), Number.POSITIVE_INFINITY);
}

/** Documents by person: as the list that has or had somebody last named it, by the original document in lower case and the address. */
export function documentsNamed(sql: Sql, connectionId: string, documents: readonly string[]) {
  const rows = sql.all<{ document: string; email: string | null; id: string | null }>(
    `SELECT d.value AS document, t.email, t.document_id AS id FROM json_each(?) AS d CROSS JOIN tracked AS t INDEXED BY tracked_key
       ON t.entry_key >= lower(d.value) || char(10) AND t.entry_key < lower(d.value) || char(11) WHERE t.connection = ?`,
    JSON.stringify(documents),
    connectionNumber(sql, connectionId),
  );
  const keyOf = (document: string | null, email: string | null) =>
    `${document?.toLowerCase()} ${emailKey(email ?? '')}`;
  const named = new Map(rows.map(({ document, email, id }) => [keyOf(document, email), id]));
  return (document: string | null, email: string | null) => named.get(keyOf(document, email)) ?? null;
}

/** Documents of no request that a look found for a request in doubt, corrected or not, or that have its name and people: they may be that request, and nobody can say that they are from elsewhere. */
export function foundForDoubts(sql: Sql, connectionId: string): Pick<OwnRow, 'seq' | 'document_id'>[] {
  return sql.all(
    `SELECT DISTINCT lower(c.value ->> '$.documentId') AS document_id, r.seq
       FROM (SELECT job_id AS id FROM requests INDEXED BY requests_state WHERE connection_id = ?1 AND state = 'needs-you'
         UNION ALL SELECT id FROM jobs INDEXED BY jobs_superseded WHERE superseded_by <> id AND dismissed = 1 AND connection_id = ?1) AS d
       CROSS JOIN jobs AS j ON j.id = d.id CROSS JOIN requests AS r ON r.job_id = j.id, json_each(j.look, '$.candidates') AS c
       WHERE j.state = 'in-doubt' AND NOT EXISTS (SELECT 1 FROM requests AS o WHERE o.connection_id = ?1 AND o.document_id = c.value ->> '$.documentId')
         AND (j.look ->> '$.verdict' = 'found' OR (c.value -> '$.differs' = '[]' AND c.value -> '$.fits' LIKE '%document-name%' AND (c.value -> '$.fits' LIKE '%email%' OR c.value -> '$.unlisted' IS NOT NULL)))`,
    connectionId,
  );
}

/** True if an entry that names no original document is of no request from here. */
function hasUnknownWithoutDocument(sql: Sql, connectionId: string, shown: Shown): boolean {
  const found = sql.get(
    `SELECT 1 FROM tracked AS t INDEXED BY tracked_original WHERE ${shownSql(shown)} AND t.orig_document_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.connection_id = ? AND r.document_id = t.document_id) LIMIT 1`,
    shown.connection,
    connectionId,
  );
  return found !== undefined;
}

/** A function that counts the requests of a connection. How many are from elsewhere is counted again when a list was read, a request is known by its document, or one in doubt was found. */
export function countRequests(sql: Sql) {
  const known = new Map<string, { readonly version: string; readonly count: Promise<number> }>();
  return async (needs: RequestNeeds) => {
    const { connectionId } = needs;
    await computeRequests(sql, needs);
    const own = sql.all<{ state: RequestState; n: number; documents: number }>(
      `SELECT state, count(*) AS n, count(document_id) AS documents FROM requests INDEXED BY requests_state
       WHERE connection_id = ? AND state IS NOT NULL GROUP BY state`,
      connectionId,
    );
    const numbers = requestStates.map((state) => [state, own.find((row) => row.state === state)?.n ?? 0]);
    const counts: Record<RequestState, number> = Object.fromEntries(numbers);
    if (unreadOf(needs.lists, readLists(sql, needs)).length > 0) return { ...counts, elsewhere: null };
    const lists = 'SELECT list_type, as_of FROM tracked_lists WHERE connection_id = ? ORDER BY list_type';
    const readings = sql.all(lists, connectionId);
    const found = foundForDoubts(sql, connectionId).map(({ document_id }) => document_id);
    const version = JSON.stringify([readings, own.reduce((sum, { documents }) => sum + documents, 0), found]);
    const last = known.get(connectionId);
    const count = last?.version === version ? last.count : countElsewhere(sql, connectionId, found);
    known.set(connectionId, { version, count });
    // A count that failed is tried again.
    count.catch(() => known.delete(connectionId));
    return { ...counts, elsewhere: await count };
  };
}

/** Signatures that were seen since a person looked last (`lookAtRequests`), and whose entries no list has any more; in turns: who never looks has all of them. */
export async function countUnlistedChanges(sql: Sql, connectionId: string): Promise<number> {
  const looked = lookedUntil(sql, connectionId);
  let count = 0;
  for (let last = { at: looked, seq: Number.MAX_SAFE_INTEGER }; ; await nextTurn()) {
    const rows = sql.all<{ at: string; seq: number; n: number }>(
      `SELECT r.signed_at AS at, r.seq, ${unlistedChanges} AS n FROM requests AS r INDEXED BY requests_signed
       WHERE r.connection_id = ? AND r.state IS NOT NULL AND r.signed_at >= ? AND (r.signed_at > ? OR r.seq > ?)
       ORDER BY r.signed_at, r.seq LIMIT ${rowsPerTurn}`,
      ...[looked, connectionId, last.at, last.at, last.seq],
    );
    count = rows.reduce((sum, { n }) => sum + n, count);
    last = rows.at(-1) ?? last;
    if (rows.length < rowsPerTurn) return count;
  }
}

async function countElsewhere(sql: Sql, connectionId: string, ofDoubts: readonly (string | null)[]): Promise<number> {
  const shown = shownOf(sql, connectionId, null);
  if (shown === null) return 0;
  let count = hasUnknownWithoutDocument(sql, connectionId, shown) ? 1 : 0;
  for (const { text, values } of documentParts(sql, shown.connection)) {
    const found = sql.get<{ n: number }>(
      `SELECT coalesce(sum(NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.connection_id = ? AND r.document_id = document AND r.state IS NOT NULL)
         AND lower(document) NOT IN (SELECT value FROM json_each(?))), 0) AS n FROM (
         SELECT t.orig_document_id AS document FROM tracked AS t INDEXED BY tracked_original
         WHERE ${shownSql(shown)} AND t.orig_document_id IS NOT NULL AND ${text} GROUP BY t.orig_document_id)`,
      ...[connectionId, JSON.stringify(ofDoubts), shown.connection, ...values],
    );
    count += found?.n ?? 0;
    await nextTurn();
  }
  return count;
}
