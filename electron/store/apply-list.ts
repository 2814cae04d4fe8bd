import type { Sql } from './sql.ts';

/** What a new copy of a list brought. On the first copy of a list nothing counts as new. */
export interface Applied {
  readonly fresh: number;
  readonly moved: number;
  readonly gone: number;
}

/** A copy on its way into the tracked entries. What is broken off is made good by the next copy. */
export interface Applying {
  /** At most `limit` entries in one transaction; false when nothing is left. */
  step(limit: number): boolean;
  /** The list now is as of this copy. */
  finish(state: { readonly total: number; readonly nilEntries: number; readonly asOf: string }): Applied;
}

interface List {
  readonly connectionId: string;
  readonly listType: number;
  readonly copyId: number;
}

/**
 * Entries that are as they were: only the number of the copy changes, which is in no index. A secret word is sealed anew each time, so its entry counts as changed.
 */
const keep = `
UPDATE tracked SET copy_id = ? FROM list_entries AS e
WHERE e.copy_id = ? AND e.position >= ? AND e.position < ? AND e.secret IS NULL
  AND tracked.connection_id = ? AND tracked.list_type = ? AND tracked.entry_key = e.entry_key AND tracked.gone_at IS NULL
  AND tracked.secret IS NULL AND tracked.document_name IS e.document_name COLLATE BINARY
  AND tracked.created_date IS e.created_date AND tracked.document_id IS e.document_id COLLATE BINARY
  AND tracked.orig_document_id IS e.orig_document_id COLLATE BINARY AND tracked.email IS e.email COLLATE BINARY
  AND tracked.name IS e.name COLLATE BINARY`;

/**
 * An entry that is in another list, or was until it went from there, has moved; one in another list that came there only since this list was last read is new
 * in both (a list may hold the entries of others as well).
 */
const upsert = `
INSERT INTO tracked (connection_id, list_type, entry_key, document_name, created_date, created_at, document_id,
  orig_document_id, email, name, has_secret_word, secret, first_seen_at, moved_from, mark, copy_id)
SELECT n.*, iif(? IS NULL, NULL, iif(n.moved_from IS NULL, 'new', 'moved')), ?
FROM (
  SELECT ? AS connection_id, ? AS list_type, e.entry_key, e.document_name, e.created_date, e.created_at, e.document_id,
    e.orig_document_id, e.email, e.name, e.has_secret_word, e.secret, ? AS first_seen_at,
    (SELECT o.list_type FROM tracked AS o WHERE o.connection_id = ? AND o.entry_key = e.entry_key AND o.list_type <> ?
       AND (o.gone_at IS NOT NULL OR o.first_seen_at < ?) ORDER BY o.seq DESC LIMIT 1) AS moved_from
  FROM list_entries AS e WHERE e.copy_id = ? AND e.position >= ? AND e.position < ?
    AND NOT EXISTS (SELECT 1 FROM tracked AS k WHERE k.connection_id = ? AND k.list_type = ? AND k.entry_key = e.entry_key
      AND k.copy_id = ?)
) AS n WHERE true
ON CONFLICT (connection_id, entry_key, list_type) DO UPDATE SET
  document_name = excluded.document_name, created_date = excluded.created_date, created_at = excluded.created_at,
  document_id = excluded.document_id, orig_document_id = excluded.orig_document_id, email = excluded.email,
  name = excluded.name, has_secret_word = excluded.has_secret_word, secret = excluded.secret, copy_id = excluded.copy_id,
  mark = iif(tracked.gone_at IS NULL, tracked.mark, excluded.mark),
  moved_from = iif(tracked.gone_at IS NULL, tracked.moved_from, excluded.moved_from),
  first_seen_at = iif(tracked.gone_at IS NULL, tracked.first_seen_at, excluded.first_seen_at), gone_at = NULL`;

export function beginApplying(sql: Sql, list: List): Applying {
  const { connectionId, listType, copyId } = list;
  const at = new Date().toISOString();
  const before = sql.get<{ as_of: string }>(
    'SELECT as_of FROM tracked_lists WHERE connection_id = ? AND list_type = ?',
    connectionId,
    listType,
  );
  const lastAsOf = before?.as_of ?? null;
  let position = 0;
  let seq = 0;
  let gone = 0;
  let isTaken = false;
  return {
    step: (limit) => {
      if (!isTaken) {
        takeSlice(sql, list, { at, lastAsOf, from: position, to: position + limit });
        isTaken = !hasEntry(sql, copyId, position + limit);
        position += limit;
        return true;
      }
      const { rows, lost } = dropSlice(sql, list, seq, at, limit);
      gone += lost;
      seq = rows.at(-1)?.seq ?? seq;
      return rows.length === limit;
    },
    finish: ({ total, nilEntries, asOf }) => {
      sql.run(
        'INSERT OR REPLACE INTO tracked_lists VALUES (?, ?, ?, ?, ?, ?)',
        connectionId,
        listType,
        copyId,
        total,
        nilEntries,
        asOf,
      );
      return { ...arrivals(sql, list, at), gone };
    },
  };
}

function takeSlice(
  sql: Sql,
  { connectionId, listType, copyId }: List,
  { at, lastAsOf, from, to }: { at: string; lastAsOf: string | null; from: number; to: number },
): void {
  sql.transaction(() => {
    sql.run(keep, copyId, copyId, from, to, connectionId, listType);
    const place = [connectionId, listType, at, connectionId, listType, lastAsOf] as const;
    sql.run(upsert, lastAsOf, copyId, ...place, copyId, from, to, connectionId, listType, copyId);
  });
}

function hasEntry(sql: Sql, copyId: number, position: number): boolean {
  return (
    sql.get('SELECT 1 FROM list_entries WHERE copy_id = ? AND position >= ? LIMIT 1', copyId, position) !== undefined
  );
}

/** Entries that the copy does not have are gone. */
function dropSlice(
  sql: Sql,
  { connectionId, listType, copyId }: List,
  after: number,
  at: string,
  limit: number,
): { rows: { seq: number }[]; lost: number } {
  const rows = sql.all<{ seq: number; copy_id: number }>(
    `SELECT seq, copy_id FROM tracked INDEXED BY tracked_live
     WHERE connection_id = ? AND list_type = ? AND gone_at IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
    connectionId,
    listType,
    after,
    limit,
  );
  const lost = rows.filter(({ copy_id }) => copy_id !== copyId);
  if (lost.length > 0)
    sql.transaction(() => {
      for (const row of lost) sql.run('UPDATE tracked SET gone_at = ? WHERE seq = ?', at, row.seq);
    });
  return { rows, lost: lost.length };
}

function arrivals(sql: Sql, { connectionId, listType }: List, at: string): { fresh: number; moved: number } {
  const counts = sql.get<{ fresh: number; moved: number }>(
    `SELECT count(*) FILTER (WHERE mark = 'new') AS fresh, count(*) FILTER (WHERE mark = 'moved') AS moved
     FROM tracked INDEXED BY tracked_marked WHERE connection_id = ? AND list_type = ?
     AND mark IS NOT NULL AND gone_at IS NULL AND first_seen_at >= ?`,
    connectionId,
    listType,
    at,
  );
  return { fresh: counts?.fresh ?? 0, moved: counts?.moved ?? 0 };
}
