import type { Migration } from './migration.ts';

/** Composing, bulk, tracking, and the words and codes of answers. Texts called `secret` are sealed (core/secrets/secret-vault.ts). */
const sql = `
-- content is JSON of contract/compose.ts without tokens; where the files are is known here alone.
CREATE TABLE drafts (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  file_path TEXT, file_name TEXT, image_path TEXT, image_name TEXT, secret TEXT, updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE presets (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, content TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- connection_id is empty for templates of every connection.
CREATE TABLE templates (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL, template_id TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL,
  use TEXT NOT NULL, last_used_at TEXT, UNIQUE (connection_id, template_id)
) STRICT, WITHOUT ROWID;
-- key: the address in lower case.
CREATE TABLE people (
  key TEXT PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, uses INTEGER NOT NULL, last_used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX people_recent ON people (last_used_at DESC);

-- key: the word without outer space, in lower case.
CREATE TABLE answer_words (
  kind TEXT NOT NULL, key TEXT NOT NULL, word TEXT NOT NULL, word_group TEXT NOT NULL, meaning TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer_codes (code TEXT PRIMARY KEY, meaning TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE unsorted_words (
  kind TEXT NOT NULL, key TEXT NOT NULL, word TEXT NOT NULL, connection_id TEXT NOT NULL, seen INTEGER NOT NULL,
  first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

ALTER TABLE list_entries ADD COLUMN secret TEXT;
ALTER TABLE list_entries ADD COLUMN entry_key TEXT NOT NULL DEFAULT '';
CREATE TABLE tracked_lists (
  connection_id TEXT NOT NULL, list_type INTEGER NOT NULL, copy_id INTEGER NOT NULL,
  total INTEGER NOT NULL, nil_entries INTEGER NOT NULL, as_of TEXT NOT NULL, PRIMARY KEY (connection_id, list_type)
) STRICT, WITHOUT ROWID;
-- Entries as somebody follows them: the same row as long as the entry is in the list, kept as gone for a while after it, to know it again in another
-- list. seq grows with the time of the first sight.
CREATE TABLE tracked (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id TEXT NOT NULL, list_type INTEGER NOT NULL, entry_key TEXT NOT NULL,
  document_name TEXT COLLATE NOCASE, created_date TEXT, created_at TEXT,
  document_id TEXT COLLATE NOCASE, orig_document_id TEXT COLLATE NOCASE,
  email TEXT COLLATE NOCASE, name TEXT COLLATE NOCASE, has_secret_word INTEGER NOT NULL, secret TEXT,
  first_seen_at TEXT NOT NULL, mark TEXT, moved_from INTEGER,
  copy_id INTEGER NOT NULL, gone_at TEXT,
  UNIQUE (connection_id, entry_key, list_type)
) STRICT;
CREATE INDEX tracked_document ON tracked (connection_id, document_id) WHERE gone_at IS NULL;
CREATE INDEX tracked_original ON tracked (connection_id, orig_document_id, created_at, list_type, mark) WHERE gone_at IS NULL;
CREATE INDEX tracked_created ON tracked (connection_id, created_at, list_type) WHERE gone_at IS NULL;
CREATE INDEX tracked_document_name ON tracked (connection_id, document_name, list_type) WHERE gone_at IS NULL;
CREATE INDEX tracked_email ON tracked (connection_id, email, list_type) WHERE gone_at IS NULL;
CREATE INDEX tracked_name ON tracked (connection_id, name, list_type) WHERE gone_at IS NULL;
CREATE INDEX tracked_live ON tracked (connection_id, list_type) WHERE gone_at IS NULL;
CREATE INDEX tracked_marked ON tracked (connection_id, list_type, mark) WHERE mark IS NOT NULL AND gone_at IS NULL;
CREATE INDEX tracked_gone ON tracked (gone_at) WHERE gone_at IS NOT NULL;

-- place: one word for the connection, one for its list, so that a search never leaves the index. ids: without hyphens, each one word.
CREATE VIRTUAL TABLE tracked_search USING fts5 (
  place, name, email, document_name, ids,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER tracked_came AFTER INSERT ON tracked WHEN NEW.gone_at IS NULL BEGIN
  INSERT INTO tracked_search (rowid, place, name, email, document_name, ids)
  VALUES (NEW.seq, 'c' || hex(NEW.connection_id) || ' c' || hex(NEW.connection_id) || 'l' || hex(NEW.list_type),
    NEW.name, NEW.email, NEW.document_name, replace(coalesce(NEW.orig_document_id, ''), '-', '') ||
      iif(NEW.document_id IS NEW.orig_document_id, '', ' ' || replace(coalesce(NEW.document_id, ''), '-', '')));
END;
CREATE TRIGGER tracked_changed AFTER UPDATE OF gone_at, name, email, document_name, document_id, orig_document_id ON tracked
WHEN (OLD.gone_at IS NULL) <> (NEW.gone_at IS NULL) OR OLD.name IS NOT NEW.name OR OLD.email IS NOT NEW.email
  OR OLD.document_name IS NOT NEW.document_name OR OLD.document_id IS NOT NEW.document_id
  OR OLD.orig_document_id IS NOT NEW.orig_document_id BEGIN
  DELETE FROM tracked_search WHERE rowid = OLD.seq;
  INSERT INTO tracked_search (rowid, place, name, email, document_name, ids)
  SELECT NEW.seq, 'c' || hex(NEW.connection_id) || ' c' || hex(NEW.connection_id) || 'l' || hex(NEW.list_type),
    NEW.name, NEW.email, NEW.document_name, replace(coalesce(NEW.orig_document_id, ''), '-', '') ||
      iif(NEW.document_id IS NEW.orig_document_id, '', ' ' || replace(coalesce(NEW.document_id, ''), '-', '')) WHERE NEW.gone_at IS NULL;
END;
CREATE TRIGGER tracked_went AFTER DELETE ON tracked BEGIN
  DELETE FROM tracked_search WHERE rowid = OLD.seq;
END;

-- A status that stayed the same is one row.
CREATE TABLE tracked_statuses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  raw TEXT, answer TEXT NOT NULL, since TEXT NOT NULL, asked_at TEXT NOT NULL, is_last INTEGER NOT NULL
) STRICT;
CREATE INDEX tracked_statuses_of ON tracked_statuses (connection_id, document_id, seq);
CREATE INDEX tracked_statuses_last ON tracked_statuses (connection_id, raw, document_id) WHERE is_last = 1;
-- document_key: the original document of an entry.
CREATE TABLE due_dates (
  connection_id TEXT NOT NULL, document_key TEXT NOT NULL COLLATE NOCASE, date TEXT NOT NULL, note TEXT NOT NULL,
  reminded_at TEXT, PRIMARY KEY (connection_id, document_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracking_views (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, view TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bulks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
  connection_id TEXT NOT NULL, kind TEXT NOT NULL, file_name TEXT NOT NULL, plan TEXT NOT NULL, columns TEXT NOT NULL,
  state TEXT NOT NULL, per_minute INTEGER NOT NULL, include_warnings INTEGER NOT NULL, secret TEXT,
  batch_id TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
-- job_id is set in the transaction that writes the job, and never again: no row can become two jobs.
CREATE TABLE bulk_rows (
  bulk_seq INTEGER NOT NULL REFERENCES bulks (seq) ON DELETE CASCADE, row INTEGER NOT NULL,
  cells TEXT NOT NULL, plan TEXT NOT NULL, secret TEXT, problems TEXT NOT NULL, severity TEXT NOT NULL, job_id TEXT UNIQUE,
  PRIMARY KEY (bulk_seq, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_rows_next ON bulk_rows (bulk_seq, row) WHERE job_id IS NULL;
CREATE INDEX jobs_operation ON jobs (operation, connection_id, seq);
`;

export const signaturesMigration: Migration = { version: 3, sql };
