import type { Answer, StatusGroup } from '../../../../contract/answers.ts';
import type { TrackedStatus } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';
import { countWords, neverAsked } from './tracked-words.ts';

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
    /** The last status of each document that has one, by the document's ID in lower case. */
    lastOf: (connectionId: string, documentIds: readonly string[]): ReadonlyMap<string, TrackedStatus> => {
      const rows = sql.all<StatusRow & { document_id: string }>(
        `SELECT * FROM tracked_statuses INDEXED BY tracked_statuses_of
         WHERE connection_id = ? AND document_id IN (SELECT value FROM json_each(?)) AND is_last = 1`,
        connectionId,
        JSON.stringify(documentIds),
      );
      return new Map(rows.map((row) => [row.document_id.toLowerCase(), statusOf(row)]));
    },
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

function notKnown(sql: Sql, connectionId: string, before: string, limit: number): string[] {
  const rows = sql.all<{ document_id: string }>(
    `SELECT r.document_id FROM requests AS r INDEXED BY requests_state
     WHERE r.connection_id = ? AND r.state = 'not-known' AND r.document_id IS NOT NULL AND NOT EXISTS (
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
