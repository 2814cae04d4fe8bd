import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer, StatusGroup } from '../../../../contract/answers.ts';
import type { TrackedStatus } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';

interface StatusRow {
  readonly seq: number;
  readonly raw: string | null;
  readonly answer: string;
  readonly since: string;
  readonly asked_at: string;
}

/** Statuses of documents in e-sign lists, also of documents that are not in the register. */
export function trackedStatusTable(sql: Sql) {
  return {
    lastOf: (connectionId: string, documentIds: readonly string[]) => lastStatuses(sql, connectionId, documentIds),
    /** Oldest first. */
    history: (connectionId: string, documentId: string) =>
      sql
        .all<StatusRow>(
          'SELECT * FROM tracked_statuses WHERE connection_id = ? AND document_id = ? ORDER BY seq',
          connectionId,
          documentId,
        )
        .map(statusOf),
    put: (status: NewStatus) => {
      sql.transaction(() => putStatus(sql, status));
      return statusOf(lastRow(sql, status.connectionId, status.documentId) as StatusRow);
    },
    /** Counts by the service's status words, over documents that are in a list now. Works in slices, so that the event loop is free between them. */
    board: (connectionId: string) => countWords(sql, connectionId),
    /**
     * Documents whose status is to be asked: those of requests of which it is not known, which only this can tell, then those in lists: those never asked about, newest first,
     * then those asked longest ago, but none asked after `before`. In slices.
     */
    toAsk: async (connectionId: string, before: string, limit: number): Promise<readonly string[]> => {
      const unknown = notKnown(sql, connectionId, before, limit);
      const never = [...new Set([...unknown, ...(await neverAsked(sql, connectionId, limit))])].slice(0, limit);
      const shown = shownOf(sql, connectionId, null);
      if (!shown || never.length === limit) return never;
      const longAgo = sql.all<{ document_id: string }>(
        `SELECT s.document_id FROM tracked_statuses AS s INDEXED BY tracked_statuses_asked
         WHERE s.connection_id = ? AND s.is_last = 1 AND s.asked_at < ? AND EXISTS (SELECT 1 FROM tracked AS t INDEXED BY tracked_document
           WHERE t.connection = ? AND t.document_id = s.document_id AND t.gone_at IS NULL)
         ORDER BY s.asked_at LIMIT ?`,
        connectionId,
        before,
        shown.connection,
        limit - never.length,
      );
      return [...never, ...longAgo.map(({ document_id }) => document_id)];
    },
  };
}

/** The last status of each document that has one, by the document's ID in lower case. */
export function lastStatuses(
  sql: Sql,
  connectionId: string,
  documentIds: readonly string[],
): ReadonlyMap<string, TrackedStatus> {
  const rows = sql.all<StatusRow & { document_id: string }>(
    `SELECT * FROM tracked_statuses INDEXED BY tracked_statuses_of
     WHERE connection_id = ? AND document_id IN (SELECT value FROM json_each(?)) AND is_last = 1`,
    connectionId,
    JSON.stringify(documentIds),
  );
  return new Map(rows.map((row) => [row.document_id.toLowerCase(), statusOf(row)]));
}

/** The last words of all documents with their meanings. Reads one row for each: there are few words, however many documents have them. */
export function lastWords(sql: Sql, connectionId: string) {
  const next = (condition: string, ...values: string[]) =>
    sql.get<{ raw: string | null; answer: string }>(
      `SELECT raw, answer FROM tracked_statuses INDEXED BY tracked_statuses_last
       WHERE connection_id = ? AND is_last = 1 AND ${condition} ORDER BY raw LIMIT 1`,
      connectionId,
      ...values,
    );
  const words: Pick<TrackedStatus, 'raw' | 'answer'>[] = [];
  let row = next('raw IS NULL') ?? next("raw >= ''");
  while (row) {
    words.push({ raw: row.raw, answer: JSON.parse(row.answer) as Answer<StatusGroup> });
    row = row.raw === null ? next("raw >= ''") : next('raw > ?', row.raw);
  }
  return words;
}

/** But for what was sent since a list was read: the next reading may tell it. */
function notKnown(sql: Sql, connectionId: string, before: string, limit: number): string[] {
  const rows = sql.all<{ document_id: string }>(
    `SELECT r.document_id FROM requests AS r INDEXED BY requests_state
     WHERE r.connection_id = ? AND r.state = 'not-known' AND r.document_id IS NOT NULL
       AND r.sent_at < (SELECT min(as_of) FROM tracked_lists WHERE connection_id = r.connection_id) AND NOT EXISTS (
       SELECT 1 FROM tracked_statuses AS s INDEXED BY tracked_statuses_of
       WHERE s.connection_id = r.connection_id AND s.document_id = r.document_id AND s.is_last = 1 AND s.asked_at >= ?)
     ORDER BY r.sent_at DESC LIMIT ?`,
    ...[connectionId, before, limit],
  );
  return rows.map(({ document_id }) => document_id);
}

function lastRow(sql: Sql, connectionId: string, documentId: string): StatusRow | undefined {
  return sql.get<StatusRow>(
    'SELECT * FROM tracked_statuses WHERE connection_id = ? AND document_id = ? ORDER BY seq DESC LIMIT 1',
    connectionId,
    documentId,
  );
}

export interface NewStatus {
  readonly connectionId: string;
  readonly documentId: string;
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  readonly at: string;
}

/** Adds a row to the history; the same word as before only updates the last row. */
function putStatus(sql: Sql, { connectionId, documentId, raw, answer, at }: NewStatus): void {
  const text = JSON.stringify(answer);
  const before = lastRow(sql, connectionId, documentId);
  if (before && before.raw === raw) {
    sql.run('UPDATE tracked_statuses SET asked_at = ?, answer = ? WHERE seq = ?', at, text, before.seq);
    return;
  }
  if (before) sql.run('UPDATE tracked_statuses SET is_last = 0 WHERE seq = ?', before.seq);
  sql.run(
    `INSERT INTO tracked_statuses (connection_id, document_id, raw, answer, since, asked_at, is_last)
     VALUES (?, ?, ?, ?, ?, ?, 1)`,
    connectionId,
    documentId,
    raw,
    text,
    at,
    at,
  );
}

function statusOf(row: StatusRow): TrackedStatus {
  return {
    raw: row.raw,
    answer: JSON.parse(row.answer) as Answer<StatusGroup>,
    since: row.since,
    askedAt: row.asked_at,
  };
}

/** Number of documents that are in a list now, by the last status word of each. */
export interface WordCounts {
  /** Most frequent first. */
  readonly words: readonly {
    readonly raw: string | null;
    readonly answer: Answer<StatusGroup>;
    readonly documents: number;
  }[];
  readonly notAsked: number;
}

/** Rows that are read between two turns of the event loop: some milliseconds. */
const statusesPerTurn = 2_000;
const documentsPerTurn = 10_000;
const entriesPerTurn = 2_000;

async function countWords(sql: Sql, connectionId: string): Promise<WordCounts> {
  const connection = shownOf(sql, connectionId, null)?.connection;
  if (connection === undefined) return { words: [], notAsked: 0 };
  const words: WordCounts['words'][number][] = [];
  for (const word of lastWords(sql, connectionId)) {
    const documents = await countListed(sql, connectionId, connection, word.raw);
    if (documents > 0) words.push({ ...word, documents });
  }
  words.sort((a, b) => b.documents - a.documents);
  const asked = words.reduce((sum, { documents }) => sum + documents, 0);
  return { words, notAsked: (await countDocuments(sql, connection)) - asked };
}

/** Documents in lists that have this last word. All of it is in two indexes. */
async function countListed(sql: Sql, connectionId: string, connection: number, raw: string | null): Promise<number> {
  let count = 0;
  for (let after = ''; ; await nextTurn()) {
    const row = sql.get<{ n: number; listed: number; last: string | null }>(
      `SELECT count(*) AS n, total(EXISTS (SELECT 1 FROM tracked AS t INDEXED BY tracked_document
         WHERE t.connection = ? AND t.document_id = s.document_id AND t.gone_at IS NULL)) AS listed, max(s.document_id) AS last
       FROM (SELECT document_id FROM tracked_statuses INDEXED BY tracked_statuses_last
         WHERE connection_id = ? AND is_last = 1 AND raw IS ? AND document_id > ? ORDER BY document_id LIMIT ${statusesPerTurn}) AS s`,
      ...[connection, connectionId, raw, after],
    );
    count += row?.listed ?? 0;
    if (!row?.last || row.n < statusesPerTurn) return count;
    after = row.last;
  }
}

async function countDocuments(sql: Sql, connection: number): Promise<number> {
  let count = 0;
  for (let after = ''; ; await nextTurn()) {
    const row = sql.get<{ n: number; last: string | null }>(
      `SELECT count(*) AS n, max(document_id) AS last FROM (SELECT DISTINCT document_id FROM tracked INDEXED BY tracked_document
         WHERE connection = ? AND gone_at IS NULL AND document_id > ? ORDER BY document_id LIMIT ${documentsPerTurn})`,
      connection,
      after,
    );
    count += row?.n ?? 0;
    if (!row?.last || row.n < documentsPerTurn) return count;
    after = row.last;
  }
}

/** Documents in lists whose status was never asked, newest first, as a person is likely to wait for these. */
async function neverAsked(sql: Sql, connectionId: string, limit: number): Promise<string[]> {
  const connection = shownOf(sql, connectionId, null)?.connection;
  const found = new Set<string>();
  if (connection === undefined) return [];
  let at: { created_at: string | null; seq: number } | null = null;
  for (; ; await nextTurn()) {
    const rows: EntryAt[] = entriesBefore(sql, connectionId, connection, at);
    for (const { document_id, is_asked } of rows)
      if (document_id && is_asked === 0 && found.size < limit) found.add(document_id);
    at = rows.at(-1) ?? null;
    if (at === null || found.size === limit || rows.length < entriesPerTurn) return [...found];
  }
}

interface EntryAt {
  readonly created_at: string | null;
  readonly seq: number;
  readonly document_id: string | null;
  readonly is_asked: number;
}

function entriesBefore(
  sql: Sql,
  connectionId: string,
  connection: number,
  at: { readonly created_at: string | null; readonly seq: number } | null,
): EntryAt[] {
  // Entries without a readable date come last, as SQLite orders them.
  const before = at === null ? '' : at.created_at === null ? 'AND t.created_at IS NULL AND t.seq < ?' : dated;
  const values = at === null ? [] : at.created_at === null ? [at.seq] : [at.created_at, at.created_at, at.seq];
  return sql.all<EntryAt>(
    `SELECT t.created_at, t.seq, t.document_id, EXISTS (SELECT 1 FROM tracked_statuses AS s INDEXED BY tracked_statuses_of
       WHERE s.connection_id = ? AND s.document_id = t.document_id) AS is_asked
     FROM tracked AS t INDEXED BY tracked_created WHERE t.connection = ? AND t.gone_at IS NULL ${before}
     ORDER BY t.created_at DESC, t.seq DESC LIMIT ${entriesPerTurn}`,
    connectionId,
    connection,
    ...values,
  );
}

const dated = 'AND (t.created_at < ? OR t.created_at IS NULL OR (t.created_at = ? AND t.seq < ?))';
