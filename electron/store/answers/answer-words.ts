import type { Answer, StatusGroup, UnsortedWord, WordVerdict } from '../../../contract/answers.ts';
import { type RemovedRows, removeRows } from '../database/removed-rows.ts';
import type { Sql } from '../database/sql.ts';

export type WordKind = 'status' | 'verdict';

/** A word that staff assigned to a group. */
export interface OwnWord {
  readonly kind: WordKind;
  readonly word: string;
  readonly group: StatusGroup | WordVerdict;
  readonly meaning: string;
}

export interface OwnCode {
  readonly code: string;
  readonly meaning: string;
}

/** Words and codes that staff added to the built-in answers, and unknown words that are not assigned yet. */
export type AnswerWordTable = ReturnType<typeof answerWordTable>;

/** The key of a word: words that differ only in case and outer white space are equal. */
export function wordKey(word: string): string {
  return word.trim().toLowerCase();
}

/** More words than a service has; bounded because a service that puts numbers or names into its answers must not fill the disk. */
const mostUnsorted = 500;

export function answerWordTable(sql: Sql) {
  return {
    words: (): OwnWord[] =>
      sql
        .all<{ kind: WordKind; word: string; word_group: OwnWord['group']; meaning: string }>(
          'SELECT * FROM answer_words ORDER BY kind, word',
        )
        .map(({ kind, word, word_group, meaning }) => ({ kind, word, group: word_group, meaning })),
    codes: (): OwnCode[] =>
      sql
        .all<OwnCode>('SELECT code, meaning FROM answer_codes ORDER BY code')
        .map(({ code, meaning }) => ({ code, meaning })),
    /** Adds or replaces all in one transaction; answers how many are new. */
    put: (words: readonly OwnWord[], codes: readonly OwnCode[]): number =>
      sql.transaction(() => putAll(sql, words, codes)),
    removeWord: (kind: WordKind, word: string): RemovedRows =>
      removeRows(sql, 'answer_words', 'kind = ? AND key = ?', kind, wordKey(word)),
    removeCode: (code: string): void => void sql.run('DELETE FROM answer_codes WHERE code = ?', code),
    /** Last seen first. */
    unsorted: (kind: WordKind): UnsortedWord[] =>
      sql
        .all<{ word: string; connection_id: string; seen: number; first_seen_at: string; last_seen_at: string }>(
          'SELECT * FROM unsorted_words WHERE kind = ? ORDER BY last_seen_at DESC, word',
          kind,
        )
        .map((row) => ({
          word: row.word,
          connectionId: row.connection_id,
          count: row.seen,
          firstSeenAt: row.first_seen_at,
          lastSeenAt: row.last_seen_at,
        })),
    saw: (kind: WordKind, word: string, connectionId: string): void => saw(sql, kind, word, connectionId),
    dismissUnsorted: (kind: WordKind, word: string): RemovedRows =>
      removeRows(sql, 'unsorted_words', 'kind = ? AND key = ?', kind, wordKey(word)),
    /** Interprets all stored statuses again, each with the meanings for its connection. */
    rereadStatuses: (read: (raw: string | null, connectionId: string) => Answer<StatusGroup>): void =>
      rereadStatuses(sql, read),
  };
}

function putAll(sql: Sql, words: readonly OwnWord[], codes: readonly OwnCode[]): number {
  const before = count(sql);
  for (const { kind, word, group, meaning } of words) {
    sql.run(
      'INSERT OR REPLACE INTO answer_words VALUES (?, ?, ?, ?, ?)',
      kind,
      wordKey(word),
      word.trim(),
      group,
      meaning,
    );
    sql.run('DELETE FROM unsorted_words WHERE kind = ? AND key = ?', kind, wordKey(word));
  }
  for (const { code, meaning } of codes) sql.run('INSERT OR REPLACE INTO answer_codes VALUES (?, ?)', code, meaning);
  return count(sql) - before;
}

function count(sql: Sql): number {
  const text = 'SELECT (SELECT count(*) FROM answer_words) + (SELECT count(*) FROM answer_codes) AS n';
  return sql.get<{ n: number }>(text)?.n ?? 0;
}

/** Also within a transaction. The oldest words go first: what fails after that is repeated as a whole. */
function saw(sql: Sql, kind: WordKind, word: string, connectionId: string): void {
  const at = new Date().toISOString();
  sql.run(
    `DELETE FROM unsorted_words WHERE (kind, key) IN
       (SELECT kind, key FROM unsorted_words ORDER BY last_seen_at DESC LIMIT -1 OFFSET ?)`,
    mostUnsorted,
  );
  sql.run(
    `INSERT INTO unsorted_words VALUES (?, ?, ?, ?, 1, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET seen = seen + 1, last_seen_at = excluded.last_seen_at, connection_id = excluded.connection_id`,
    kind,
    wordKey(word),
    word.trim(),
    connectionId,
    at,
    at,
  );
}

/** Tables with statuses: the columns of the raw text and the answer, and where the connection is. */
const statusColumns = [
  { table: 'documents', raw: 'status_raw', answer: 'status_answer', connection: 'connection_id' },
  {
    table: 'statuses',
    raw: 'raw',
    answer: 'answer',
    connection: '(SELECT d.connection_id FROM documents AS d WHERE d.seq = document_seq)',
  },
  { table: 'tracked_statuses', raw: 'raw', answer: 'answer', connection: 'connection_id' },
] as const;

function rereadStatuses(sql: Sql, read: Parameters<AnswerWordTable['rereadStatuses']>[0]): void {
  sql.transaction(() => {
    for (const { table, raw, answer, connection } of statusColumns) {
      // One update for each different text: there are few, however many documents.
      const texts = sql.all<{ raw: string | null; connectionId: string; answer: string }>(
        `SELECT DISTINCT ${raw} AS raw, ${connection} AS connectionId, ${answer} AS answer FROM ${table} WHERE ${answer} IS NOT NULL`,
      );
      for (const { raw: text, connectionId, answer: before } of texts) {
        const now = JSON.stringify(read(text, connectionId));
        if (now === before) continue;
        sql.run(
          `UPDATE ${table} SET ${answer} = ? WHERE ${raw} IS ? AND ${answer} = ? AND ${connection} = ?`,
          now,
          text,
          before,
          connectionId,
        );
      }
    }
  });
}
