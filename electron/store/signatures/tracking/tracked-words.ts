import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer, StatusGroup } from '../../../../contract/answers.ts';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';
import { lastWords } from './tracked-where.ts';

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

export async function countWords(sql: Sql, connectionId: string): Promise<WordCounts> {
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
export async function neverAsked(sql: Sql, connectionId: string, limit: number): Promise<string[]> {
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
