import type { DueDate, TrackedMark } from '../../../../contract/tracking.ts';
import type { ListWriter } from '../../database/list-writer.ts';
import type { RunLock } from '../../database/run-lock.ts';
import type { Sql } from '../../database/sql.ts';
import type { Counted, Page } from '../../documents/document-search.ts';
import { staleOfOpen } from '../requests/compute-requests.ts';
import { findEntries, findSigners, listedAddresses } from './find-tracked.ts';
import { copyTable } from './list-copies.ts';
import type { ListState } from './list-entries.ts';
import { beginReading } from './list-reading.ts';
import { type Shown, shownOf } from './partitions.ts';
import type { TrackedQuery, TrackedRow } from './tracked-row.ts';
import { shownSql } from './tracked-where.ts';

/** The key of due dates: the ID of the document that was sent, not that of its signed version. */
export function documentKeyOf(row: Pick<TrackedRow, 'orig_document_id' | 'document_id'>): string {
  return row.orig_document_id || row.document_id || '';
}

/** A reminder whose day has come. `seq` and `list_type`: of the newest entry of its request, null if no list has one. */
export interface OpenReminder {
  readonly connection_id: string;
  readonly document_key: string;
  readonly note: string;
  readonly document_name: string | null;
  readonly who: string | null;
}

interface DueRow {
  readonly date: string;
  readonly note: string;
  readonly reminded_at: string | null;
}

const dueOf = ({ date, note, reminded_at }: DueRow): DueDate => ({ date, note, remindedAt: reminded_at });

export function trackedTable(sql: Sql, run: RunLock, newWriter: () => ListWriter) {
  const counted: Counted = { key: '', total: 0 };
  const swept: Swept = { goneAt: '', seq: 0 };
  return {
    /** Begins the reading of a list. */
    begin: (connectionId: string, listType: number) => beginReading({ sql, run, newWriter }, connectionId, listType),
    /** Applies lists that a killed run had read completely. Answers their connections. */
    finishOthers: async (): Promise<readonly string[]> => {
      const writer = newWriter();
      return await copyTable(sql, run, writer)
        .finishOthers()
        .finally(() => writer.end());
    },
    /** A later copy of a list has the same entries: only its time is new. */
    touch: (connectionId: string, listType: number, asOf: string) =>
      sql.transaction(() => {
        sql.run(
          'UPDATE tracked_lists SET as_of = ? WHERE connection_id = ? AND list_type = ?',
          ...[asOf, connectionId, listType],
        );
        sql.run(staleOfOpen, connectionId);
      }),
    /** Null if the list was never read completely. */
    listState: (connectionId: string, listType: number): ListState | null => {
      const row = sql.get<{ total: number; nil_entries: number; as_of: string }>(
        'SELECT * FROM tracked_lists WHERE connection_id = ? AND list_type = ?',
        ...[connectionId, listType],
      );
      return row ? { total: row.total, nilEntries: row.nil_entries, asOf: row.as_of } : null;
    },
    find: (query: TrackedQuery): Page<TrackedRow> => findEntries(sql, query, counted),
    /** Signers for a search while typing: a bounded number of rows is read. */
    findSigners: (connectionId: string, text: string, limit: number) => findSigners(sql, connectionId, text, limit),
    /** The newest entries in lists now of documents with this name, with the names that the service gives their values. */
    named: (connectionId: string, documentName: string) => {
      const shown = shownOf(sql, connectionId, null);
      if (!shown) return [];
      return sql.all<Record<'DocumentName' | 'CreatedDate' | 'ServiceDocumentID' | 'Email' | 'Name', string>>(
        `SELECT document_name AS DocumentName, coalesce(created_date, '') AS CreatedDate, coalesce(orig_document_id, document_id, '') AS ServiceDocumentID,
           coalesce(email, '') AS Email, coalesce(name, '') AS Name
         FROM tracked AS t INDEXED BY tracked_document_name WHERE ${shownSql(shown)} AND document_name = ? ORDER BY seq DESC LIMIT 1000`,
        ...[shown.connection, documentName],
      );
    },
    /** Those of the addresses, in lower case, that an entry of the connection has. */
    listedAddresses: (connectionId: string, emails: readonly string[]) => listedAddresses(sql, connectionId, emails),
    ...entries(sql),
    ...marks(sql),
    ...dueDates(sql),
    /**
     * Looks at `limit` entries that were gone before that time and removes those of no request that was sent from here: of these it is known who signed as long as they are known.
     * False when all were looked at.
     */
    sweep: (before: string, limit: number): boolean => sweep(sql, swept, before, limit),
  };
}

function entries(sql: Sql) {
  return {
    /** Null once the entry is gone from its list. */
    get: (connectionId: string, seq: number) =>
      sql.get<TrackedRow>(
        `SELECT t.*, p.connection_id FROM tracked AS t JOIN tracked_places AS p ON p.place = t.seq >> 32
         WHERE t.seq = ? AND p.connection_id = ? AND t.gone_at IS NULL`,
        ...[seq, connectionId],
      ) ?? null,
    /** The same entry in another list, if it is gone from its own; null if it is in no list. */
    movedOn: (connectionId: string, seq: number) =>
      sql.get<TrackedRow>(
        `SELECT t.*, p.connection_id FROM tracked AS old
         JOIN tracked_places AS p ON p.place = old.seq >> 32
         JOIN tracked AS t INDEXED BY tracked_key ON t.connection = old.connection AND t.entry_key = old.entry_key
         WHERE old.seq = ? AND p.connection_id = ? AND old.gone_at IS NOT NULL AND t.gone_at IS NULL
         ORDER BY t.first_seen_at DESC LIMIT 1`,
        ...[seq, connectionId],
      ) ?? null,
  };
}

function marks(sql: Sql) {
  return {
    marks: (connectionId: string, listType: number) => countMarks(sql, connectionId, listType),
    /** Marked entries, newest first. */
    marked: (connectionId: string, listType: number, limit: number): TrackedRow[] => {
      const shown = shownOf(sql, connectionId, listType);
      if (!shown) return [];
      return sql.all<TrackedRow>(
        `SELECT t.*, ? AS connection_id FROM tracked AS t INDEXED BY tracked_marked WHERE t.connection = ?
         AND t.list_type = ? AND t.mark IS NOT NULL AND t.gone_at IS NULL ORDER BY t.seq DESC LIMIT ?`,
        ...[connectionId, shown.connection, listType, limit],
      );
    },
    /** Removes the marks of new entries whose requests were sent from here: these are no news. */
    unmarkOwn: (connectionId: string, listType: number) =>
      unmark(
        shownOf(sql, connectionId, listType),
        `AND t.mark = 'new' AND EXISTS (SELECT 1 FROM documents AS d WHERE d.connection_id = ? AND d.job_id IS NOT NULL
           AND d.document_id = coalesce(t.orig_document_id, t.document_id))`,
        connectionId,
      ),
    /** Removes the marks of a list, or of all lists. */
    unmark: (connectionId: string, listType: number | undefined) =>
      unmark(shownOf(sql, connectionId, listType ?? null), ''),
  };

  function unmark(shown: Shown | null, condition: string, ...values: string[]): void {
    for (const { first, end } of shown?.ranges ?? [])
      sql.run(
        `UPDATE tracked SET mark = NULL WHERE seq IN (SELECT t.seq FROM tracked AS t INDEXED BY tracked_marked
           WHERE t.connection = ? AND t.seq >= ? AND t.seq < ? AND t.mark IS NOT NULL AND t.gone_at IS NULL ${condition})`,
        ...[shown?.connection ?? 0, first, end, ...values],
      );
  }
}

/** The entry that was looked at last: those before it stay, and need not be looked at again. */
interface Swept {
  goneAt: string;
  seq: number;
}

function sweep(sql: Sql, swept: Swept, before: string, limit: number): boolean {
  const rows = sql.all<{ seq: number; gone_at: string; is_kept: number }>(
    `SELECT t.seq, t.gone_at, EXISTS (SELECT 1 FROM tracked_places AS p JOIN requests AS r ON r.connection_id = p.connection_id
       WHERE p.place = t.seq >> 32 AND r.document_id = substr(t.entry_key, 1, instr(t.entry_key, char(10)) - 1)) AS is_kept
     FROM tracked AS t INDEXED BY tracked_gone WHERE t.gone_at < ? AND (t.gone_at, t.seq) > (?, ?) ORDER BY t.gone_at, t.seq LIMIT ?`,
    before,
    swept.goneAt,
    swept.seq,
    limit,
  );
  const removed = rows.flatMap(({ seq, is_kept }) => (is_kept === 1 ? [] : seq));
  if (removed.length > 0)
    sql.run('DELETE FROM tracked WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(removed));
  const last = rows.at(-1);
  if (last) Object.assign(swept, { goneAt: last.gone_at, seq: last.seq });
  return rows.length === limit;
}

function countMarks(sql: Sql, connectionId: string, listType: number): { new: number; moved: number } {
  const counts = { new: 0, moved: 0 };
  const shown = shownOf(sql, connectionId, listType);
  for (const { first, end } of shown?.ranges ?? []) {
    const rows = sql.all<{ mark: TrackedMark; n: number }>(
      `SELECT mark, count(*) AS n FROM tracked INDEXED BY tracked_marked
       WHERE connection = ? AND seq >= ? AND seq < ? AND mark IS NOT NULL AND gone_at IS NULL GROUP BY mark`,
      ...[shown?.connection ?? 0, first, end],
    );
    for (const { mark, n } of rows) counts[mark] = n;
  }
  return counts;
}

function dueDates(sql: Sql) {
  return {
    /** Due dates by the document's key in lower case; documents without one are left out. */
    dueOf: (connectionId: string, documentKeys: readonly string[]): ReadonlyMap<string, DueDate> => {
      const rows = sql.all<DueRow & { document_key: string }>(
        'SELECT * FROM due_dates WHERE connection_id = ? AND document_key IN (SELECT value FROM json_each(?))',
        connectionId,
        JSON.stringify(documentKeys),
      );
      return new Map(rows.map((row) => [row.document_key.toLowerCase(), dueOf(row)]));
    },
    setDue: (
      connectionId: string,
      documentKey: string,
      due: { readonly date: string; readonly note: string } | null,
    ) => {
      if (due === null)
        sql.run('DELETE FROM due_dates WHERE connection_id = ? AND document_key = ?', connectionId, documentKey);
      else
        sql.run(
          'INSERT OR REPLACE INTO due_dates VALUES (?, ?, ?, ?, NULL)',
          ...[connectionId, documentKey, due.date, due.note],
        );
    },
    dueCount: (connectionId: string) =>
      sql.get<{ n: number }>('SELECT count(*) AS n FROM due_dates WHERE connection_id = ?', connectionId)?.n ?? 0,
    /** Due dates up to this day, inclusive, that nobody was reminded of, also of requests that no list has. */
    dueUntil: (day: string, limit: number) =>
      sql.all<OpenReminder>(
        `SELECT d.connection_id, d.document_key, d.note, coalesce(nullif(t.name, ''), t.email) AS who,
           coalesce(nullif(t.document_name, ''), (SELECT r.name FROM requests AS r
             WHERE r.connection_id = d.connection_id AND r.document_id = d.document_key AND r.name <> '' LIMIT 1)) AS document_name
         FROM due_dates AS d JOIN connections AS c ON c.id = d.connection_id
         LEFT JOIN (SELECT connection_id, min(place) >> 10 AS connection FROM tracked_places GROUP BY connection_id) AS p
           ON p.connection_id = d.connection_id
         LEFT JOIN tracked AS t ON t.gone_at IS NULL AND t.seq = (SELECT max(seq) FROM tracked
           WHERE connection = p.connection AND gone_at IS NULL
             AND (orig_document_id = d.document_key OR document_id = d.document_key))
         WHERE d.reminded_at IS NULL AND d.date <= ?
         ORDER BY d.date LIMIT ?`,
        day,
        limit,
      ),
    /** False if it was reminded of meanwhile, or is not due any more. */
    reminded: (connectionId: string, documentKey: string, day: string, at: string): boolean =>
      sql.run(
        'UPDATE due_dates SET reminded_at = ? WHERE connection_id = ? AND document_key = ? AND reminded_at IS NULL AND date <= ?',
        ...[at, connectionId, documentKey, day],
      ) > 0,
  };
}
