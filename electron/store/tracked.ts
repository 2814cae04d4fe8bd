import type { DueDate, TrackedFilter, TrackedGroup, TrackedMark } from '../../contract/tracking.ts';
import { type Applying, beginApplying } from './apply-list.ts';
import type { Page } from './document-search.ts';
import type { EntryRow, ListState } from './lists.ts';
import type { Sql } from './sql.ts';
import { findEntries, findGroups } from './tracked-query.ts';

/** A row of the tracked entries. */
export interface TrackedRow extends EntryRow {
  readonly seq: number;
  readonly connection_id: string;
  readonly list_type: number;
  readonly secret: string | null;
  readonly first_seen_at: string;
  readonly mark: TrackedMark | null;
  readonly moved_from: number | null;
}

/** A filter with its days as moments. */
export interface TrackedQuery
  extends Pick<
    TrackedFilter,
    'listType' | 'search' | 'person' | 'document' | 'origDocumentId' | 'changedOnly' | 'dueOnly'
  > {
  readonly connectionId: string;
  /** ISO 8601, UTC; `to` is not included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sort: TrackedFilter['sort'];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface TrackedTable {
  /** Brings the tracked entries of a list to its published copy, slice by slice. */
  begin(list: { readonly connectionId: string; readonly listType: number; readonly copyId: number }): Applying;
  /** Null where the list was never asked for. */
  listState(connectionId: string, listType: number): ListState | null;
  marks(connectionId: string, listType: number): { readonly new: number; readonly moved: number };
  find(query: TrackedQuery): Page<TrackedRow>;
  groups(query: TrackedQuery): Page<TrackedGroup>;
  /** Only while it is in a list. */
  get(connectionId: string, seq: number): TrackedRow | null;
  /** Marked entries, newest first. */
  marked(connectionId: string, listType: number, limit: number): TrackedRow[];
  /** The marks of a list, or of all, go. */
  unmark(connectionId: string, listType: number | undefined): void;
  due(connectionId: string, documentKey: string): DueDate | null;
  setDue(connectionId: string, documentKey: string, due: { readonly date: string; readonly note: string } | null): void;
  dueCount(connectionId: string): number;
  /** Not yet reminded of, of this day or before, of documents that are in a list. */
  dueUntil(day: string, limit: number): readonly (DueDate & { readonly row: TrackedRow })[];
  reminded(connectionId: string, documentKey: string, at: string): void;
  /** Removes entries that went before then; false when nothing is left. */
  sweep(before: string, limit: number): boolean;
}

/** What due dates are kept by: the document that was sent, whatever the signed one is called. */
export function documentKeyOf(row: Pick<TrackedRow, 'orig_document_id' | 'document_id'>): string {
  return row.orig_document_id || row.document_id || '';
}

/** Of a row, in SQL. */
export const documentKeySql = "coalesce(nullif(t.orig_document_id, ''), t.document_id, '')";

interface DueRow {
  readonly date: string;
  readonly note: string;
  readonly reminded_at: string | null;
}

const dueOf = ({ date, note, reminded_at }: DueRow): DueDate => ({ date, note, remindedAt: reminded_at });

export function trackedTable(sql: Sql): TrackedTable {
  return {
    begin: (list) => beginApplying(sql, list),
    listState: (connectionId, listType) => {
      const row = sql.get<{ total: number; nil_entries: number; as_of: string }>(
        'SELECT * FROM tracked_lists WHERE connection_id = ? AND list_type = ?',
        connectionId,
        listType,
      );
      return row ? { total: row.total, nilEntries: row.nil_entries, asOf: row.as_of } : null;
    },
    marks: (connectionId, listType) => countMarks(sql, connectionId, listType),
    find: (query) => findEntries(sql, query),
    groups: (query) => findGroups(sql, query),
    get: (connectionId, seq) =>
      sql.get<TrackedRow>(
        'SELECT * FROM tracked WHERE seq = ? AND connection_id = ? AND gone_at IS NULL',
        seq,
        connectionId,
      ) ?? null,
    marked: (connectionId, listType, limit) =>
      sql.all<TrackedRow>(
        `SELECT * FROM tracked INDEXED BY tracked_marked WHERE connection_id = ? AND list_type = ?
         AND mark IS NOT NULL AND gone_at IS NULL ORDER BY seq DESC LIMIT ?`,
        connectionId,
        listType,
        limit,
      ),
    unmark: (connectionId, listType) =>
      void sql.run(
        `UPDATE tracked SET mark = NULL, moved_from = NULL WHERE seq IN (SELECT seq FROM tracked INDEXED BY tracked_marked
           WHERE connection_id = ? AND (? IS NULL OR list_type = ?) AND mark IS NOT NULL AND gone_at IS NULL)`,
        connectionId,
        listType ?? null,
        listType ?? null,
      ),
    ...dueDates(sql),
    sweep: (before, limit) =>
      sql.run('DELETE FROM tracked WHERE seq IN (SELECT seq FROM tracked WHERE gone_at < ? LIMIT ?)', before, limit) ===
      limit,
  };
}

function countMarks(sql: Sql, connectionId: string, listType: number): { new: number; moved: number } {
  const counts = { new: 0, moved: 0 };
  const rows = sql.all<{ mark: TrackedMark; n: number }>(
    `SELECT mark, count(*) AS n FROM tracked INDEXED BY tracked_marked
     WHERE connection_id = ? AND list_type = ? AND mark IS NOT NULL AND gone_at IS NULL GROUP BY mark`,
    connectionId,
    listType,
  );
  for (const { mark, n } of rows) counts[mark] = n;
  return counts;
}

function dueDates(sql: Sql): Pick<TrackedTable, 'due' | 'setDue' | 'dueCount' | 'dueUntil' | 'reminded'> {
  return {
    due: (connectionId, documentKey) => {
      const row = sql.get<DueRow>(
        'SELECT * FROM due_dates WHERE connection_id = ? AND document_key = ?',
        connectionId,
        documentKey,
      );
      return row ? dueOf(row) : null;
    },
    setDue: (connectionId, documentKey, due) => {
      if (due === null)
        sql.run('DELETE FROM due_dates WHERE connection_id = ? AND document_key = ?', connectionId, documentKey);
      else
        sql.run(
          'INSERT OR REPLACE INTO due_dates VALUES (?, ?, ?, ?, NULL)',
          connectionId,
          documentKey,
          due.date,
          due.note,
        );
    },
    dueCount: (connectionId) =>
      sql.get<{ n: number }>('SELECT count(*) AS n FROM due_dates WHERE connection_id = ?', connectionId)?.n ?? 0,
    dueUntil: (day, limit) =>
      sql
        .all<TrackedRow & DueRow>(
          `SELECT t.*, d.date, d.note, d.reminded_at FROM due_dates AS d JOIN tracked AS t
             ON t.connection_id = d.connection_id AND t.gone_at IS NULL
             AND t.seq = (SELECT max(seq) FROM tracked WHERE connection_id = d.connection_id AND gone_at IS NULL
               AND (orig_document_id = d.document_key OR document_id = d.document_key))
           WHERE d.reminded_at IS NULL AND d.date <= ? ORDER BY d.date LIMIT ?`,
          day,
          limit,
        )
        .map((row) => ({ ...dueOf(row), row })),
    reminded: (connectionId, documentKey, at) =>
      void sql.run(
        'UPDATE due_dates SET reminded_at = ? WHERE connection_id = ? AND document_key = ?',
        at,
        connectionId,
        documentKey,
      ),
  };
}
