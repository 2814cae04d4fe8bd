import type { Answer, StatusGroup } from '../../contract/answer.ts';
import type { TrackedStatus } from '../../contract/tracking.ts';
import type { Sql } from './sql.ts';

/** Statuses of documents in e-sign lists, whether the register knows them or not. */
export interface TrackedStatusTable {
  last(connectionId: string, documentId: string): TrackedStatus | null;
  /** Oldest first. */
  history(connectionId: string, documentId: string): TrackedStatus[];
  put(
    connectionId: string,
    documentId: string,
    raw: string | null,
    answer: Answer<StatusGroup>,
    at: string,
  ): TrackedStatus;
  /** By the words that were answered, over documents that are in a list now. */
  board(connectionId: string): {
    readonly words: readonly {
      readonly raw: string | null;
      readonly answer: Answer<StatusGroup>;
      readonly documents: number;
    }[];
    readonly notAsked: number;
  };
  /** Documents in lists that were never asked about first, then those asked longest ago; not those asked after `before`. */
  toAsk(connectionId: string, before: string, limit: number): readonly string[];
}

interface StatusRow {
  readonly seq: number;
  readonly raw: string | null;
  readonly answer: string;
  readonly since: string;
  readonly asked_at: string;
}

export function trackedStatusTable(sql: Sql): TrackedStatusTable {
  const lastRow = (connectionId: string, documentId: string) =>
    sql.get<StatusRow>(
      'SELECT * FROM tracked_statuses WHERE connection_id = ? AND document_id = ? ORDER BY seq DESC LIMIT 1',
      connectionId,
      documentId,
    );
  const last = (connectionId: string, documentId: string) => {
    const row = lastRow(connectionId, documentId);
    return row ? statusOf(row) : null;
  };
  return {
    last,
    history: (connectionId, documentId) =>
      sql
        .all<StatusRow>(
          'SELECT * FROM tracked_statuses WHERE connection_id = ? AND document_id = ? ORDER BY seq',
          connectionId,
          documentId,
        )
        .map(statusOf),
    put: (connectionId, documentId, raw, answer, at) => {
      const text = JSON.stringify(answer);
      sql.transaction(() => {
        const before = lastRow(connectionId, documentId);
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
      });
      return last(connectionId, documentId) as TrackedStatus;
    },
    board: (connectionId) => boardOf(sql, connectionId),
    toAsk: (connectionId, before, limit) =>
      sql
        .all<{ document_id: string }>(
          `SELECT t.document_id FROM (SELECT DISTINCT document_id FROM tracked INDEXED BY tracked_document
             WHERE connection_id = ? AND gone_at IS NULL AND document_id IS NOT NULL) AS t
           LEFT JOIN tracked_statuses AS s ON s.connection_id = ? AND s.document_id = t.document_id AND s.is_last = 1
           WHERE s.asked_at IS NULL OR s.asked_at < ? ORDER BY s.asked_at LIMIT ?`,
          connectionId,
          connectionId,
          before,
          limit,
        )
        .map(({ document_id }) => document_id),
  };
}

function boardOf(sql: Sql, connectionId: string): ReturnType<TrackedStatusTable['board']> {
  const live = `SELECT DISTINCT document_id FROM tracked INDEXED BY tracked_document
    WHERE connection_id = ? AND gone_at IS NULL AND document_id IS NOT NULL`;
  const words = sql.all<{ raw: string | null; answer: string; documents: number }>(
    `SELECT s.raw, max(s.answer) AS answer, count(*) AS documents FROM tracked_statuses AS s
     WHERE s.connection_id = ? AND s.is_last = 1 AND s.document_id IN (${live}) GROUP BY s.raw ORDER BY documents DESC`,
    connectionId,
    connectionId,
  );
  const all = sql.get<{ n: number }>(`SELECT count(*) AS n FROM (${live})`, connectionId)?.n ?? 0;
  const asked = words.reduce((sum, { documents }) => sum + documents, 0);
  return {
    words: words.map((row) => ({ ...row, answer: JSON.parse(row.answer) as Answer<StatusGroup> })),
    notAsked: all - asked,
  };
}

function statusOf(row: StatusRow): TrackedStatus {
  return {
    raw: row.raw,
    answer: JSON.parse(row.answer) as Answer<StatusGroup>,
    since: row.since,
    askedAt: row.asked_at,
  };
}
