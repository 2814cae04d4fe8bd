import type { StatusGroup } from '../../../../contract/answer.ts';
import type { TrackedFilter } from '../../../../contract/tracking.ts';
import type { Sql, SqlValue } from '../../database/sql.ts';

interface Condition {
  /** Number of documents that have the status, in a list or not. */
  readonly documents: number;
  /** Query for the row numbers of their entries. */
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Condition for entries whose document's last status is a word, or any word of a group. */
export function statusCondition(
  sql: Sql,
  connectionId: string,
  connection: number,
  status: NonNullable<TrackedFilter['status']>,
): Condition {
  const words = 'word' in status ? [status.word] : wordsOf(sql, connectionId, status.group);
  const texts = JSON.stringify(words.filter((word) => word !== null));
  const orNone = words.includes(null) ? ' OR s.raw IS NULL' : '';
  const last = `s.connection_id = ? AND s.is_last = 1 AND (s.raw IN (SELECT value FROM json_each(?))${orNone})`;
  const source = 'tracked_statuses AS s INDEXED BY tracked_statuses_last';
  const counted = sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${source} WHERE ${last}`, connectionId, texts);
  return {
    documents: counted?.n ?? 0,
    text: `SELECT x.seq FROM ${source} CROSS JOIN tracked AS x INDEXED BY tracked_document
      WHERE ${last} AND x.connection = ? AND x.gone_at IS NULL AND x.document_id = s.document_id`,
    values: [connectionId, texts, connection],
  };
}

/** The words of a group. Reads one index entry for each word: there are few words, however many documents have them. */
function wordsOf(sql: Sql, connectionId: string, group: StatusGroup): (string | null)[] {
  const next = (condition: string, ...values: string[]) =>
    sql.get<{ raw: string | null; word_group: string }>(
      `SELECT raw, answer ->> '$.group' AS word_group FROM tracked_statuses INDEXED BY tracked_statuses_last
       WHERE connection_id = ? AND is_last = 1 AND ${condition} ORDER BY raw LIMIT 1`,
      connectionId,
      ...values,
    );
  const words: (string | null)[] = [];
  let row = next('raw IS NULL') ?? next("raw >= ''");
  while (row) {
    if (row.word_group === group) words.push(row.raw);
    row = row.raw === null ? next("raw >= ''") : next('raw > ?', row.raw);
  }
  return words;
}
