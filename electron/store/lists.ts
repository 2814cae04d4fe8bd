import type { ESignEntry } from '../../contract/signatures.ts';
import type { RunLock } from './run-lock.ts';
import type { Sql } from './sql.ts';

export interface ListState {
  readonly total: number;
  readonly nilEntries: number;
  /** ISO 8601, UTC. */
  readonly asOf: string;
}

/** An entry with what the lists of the window do not show. */
export interface CopiedEntry extends ESignEntry {
  /** Knows the entry again in the next copy and in another list. */
  readonly entryKey: string;
  /** Its secret word, sealed. */
  readonly secret: string | null;
}

/** A new copy of a list while it arrives. Nothing of it is seen before `publish`. */
export interface ListCopy {
  /** Adds a slice in one transaction. */
  add(entries: readonly CopiedEntry[]): void;
  /** Puts this copy in the place of the last one. */
  publish(list: {
    readonly connectionId: string;
    readonly listType: number;
    readonly nilEntries: number;
    readonly asOf: string;
  }): ListState & { readonly copyId: number };
  /** The list broke off: the last copy stays. */
  discard(): void;
}

export interface ListTable {
  begin(): ListCopy;
  page(
    connectionId: string,
    listType: number,
    page: { readonly offset: number; readonly limit: number },
  ): { readonly entries: ESignEntry[]; readonly state: ListState | null };
  /** Removes at most `limit` entries that no list points to any more; false when nothing is left. Call again later. */
  sweep(limit: number): boolean;
}

/** What an entry is kept as, here and among the tracked ones. */
export interface EntryRow {
  readonly document_name: string | null;
  readonly created_date: string | null;
  readonly created_at: string | null;
  readonly document_id: string | null;
  readonly orig_document_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly has_secret_word: number;
}

interface ListRow {
  readonly copy_id: number;
  readonly total: number;
  readonly nil_entries: number;
  readonly as_of: string;
}

export function listTable(sql: Sql, run: RunLock): ListTable {
  return {
    begin: () =>
      beginCopy(
        sql,
        sql.transaction(() => newCopy(sql, run)),
      ),
    page: (connectionId, listType, { offset, limit }) => {
      const list = sql.get<ListRow>(
        'SELECT * FROM lists WHERE connection_id = ? AND list_type = ?',
        connectionId,
        listType,
      );
      if (!list) return { entries: [], state: null };
      const entries = sql
        .all<EntryRow>(
          'SELECT * FROM list_entries WHERE copy_id = ? AND position >= ? ORDER BY position LIMIT ?',
          list.copy_id,
          offset,
          limit,
        )
        .map(entryOf);
      return { entries, state: { total: list.total, nilEntries: list.nil_entries, asOf: list.as_of } };
    },
    sweep: (limit) => sweep(sql, run, limit),
  };
}

function newCopy(sql: Sql, run: RunLock): number {
  const text = 'INSERT INTO list_copies (run_id) VALUES (?) RETURNING copy_id';
  return sql.get<{ copy_id: number }>(text, run.runId)?.copy_id ?? 0;
}

function beginCopy(sql: Sql, copyId: number): ListCopy {
  let position = 0;
  const finish = () => void sql.run('UPDATE list_copies SET finished = 1 WHERE copy_id = ?', copyId);
  return {
    add: (entries) =>
      sql.transaction(() => {
        for (const entry of entries) addEntry(sql, copyId, position++, entry);
      }),
    publish: ({ connectionId, listType, nilEntries, asOf }) => {
      sql.transaction(() => {
        sql.run(
          `INSERT INTO lists (connection_id, list_type, copy_id, total, nil_entries, as_of)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (connection_id, list_type) DO UPDATE SET copy_id =
             excluded.copy_id, total = excluded.total, nil_entries = excluded.nil_entries, as_of = excluded.as_of`,
          connectionId,
          listType,
          copyId,
          position,
          nilEntries,
          asOf,
        );
        finish();
      });
      return { total: position, nilEntries, asOf, copyId };
    },
    discard: finish,
  };
}

function addEntry(sql: Sql, copyId: number, position: number, entry: CopiedEntry): void {
  sql.run(
    `INSERT INTO list_entries (copy_id, position, document_name, created_date, created_at, document_id, orig_document_id,
       email, name, has_secret_word, secret, entry_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    copyId,
    position,
    entry.documentName,
    entry.createdDate,
    entry.createdAt,
    entry.documentId,
    entry.origDocumentId,
    entry.email,
    entry.name,
    entry.hasSecretWord ? 1 : 0,
    entry.secret,
    entry.entryKey,
  );
}

export function entryOf(row: EntryRow): ESignEntry {
  return {
    documentName: row.document_name,
    createdDate: row.created_date,
    createdAt: row.created_at,
    documentId: row.document_id,
    origDocumentId: row.orig_document_id,
    email: row.email,
    name: row.name,
    hasSecretWord: row.has_secret_word === 1,
  };
}

/** Copies that were replaced, and copies that a run which is over never finished. */
function sweep(sql: Sql, run: RunLock, limit: number): boolean {
  const loose = sql
    .all<{ copy_id: number; run_id: string; finished: number }>(
      'SELECT * FROM list_copies WHERE copy_id NOT IN (SELECT copy_id FROM lists) ORDER BY copy_id LIMIT 20',
    )
    .find((copy) => copy.finished === 1 || !run.isAlive(copy.run_id));
  if (!loose) return false;
  const removed = sql.run(
    'DELETE FROM list_entries WHERE copy_id = ? AND position IN (SELECT position FROM list_entries WHERE copy_id = ? LIMIT ?)',
    loose.copy_id,
    loose.copy_id,
    limit,
  );
  if (removed < limit) sql.run('DELETE FROM list_copies WHERE copy_id = ?', loose.copy_id);
  return true;
}
