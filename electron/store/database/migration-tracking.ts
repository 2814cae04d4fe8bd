import type { Migration } from './migration.ts';

/**
 * Tracked entries for lists of 100,000. The row number of an entry contains its list (a place has 2^32 numbers, a connection 1024 places), so that no index needs a column for
 * it and a search is limited to a list by a range of numbers. `fingerprint` is a hash of all values: an unchanged entry is not written again.
 */
const sql = `
CREATE TABLE tracked_places (
  place INTEGER PRIMARY KEY, connection_id TEXT NOT NULL, list_type INTEGER NOT NULL, UNIQUE (connection_id, list_type)
) STRICT;
INSERT INTO tracked_places
SELECT dense_rank() OVER (ORDER BY connection_id) * 1024 + row_number() OVER (PARTITION BY connection_id ORDER BY list_type) - 1,
  connection_id, list_type
FROM (SELECT connection_id, list_type FROM tracked UNION SELECT connection_id, list_type FROM tracked_lists);

DROP TRIGGER tracked_came;
DROP TRIGGER tracked_changed;
DROP TRIGGER tracked_went;
DROP TABLE tracked_search;
ALTER TABLE tracked RENAME TO tracked_before;
-- connection: place >> 10, one byte where an ID has 36. created_at is the moment in created_date, gone_at null while the entry is in its list.
CREATE TABLE tracked (
  seq INTEGER PRIMARY KEY, connection INTEGER NOT NULL, list_type INTEGER NOT NULL, entry_key TEXT NOT NULL, fingerprint TEXT,
  document_name TEXT COLLATE NOCASE, created_date TEXT, created_at TEXT,
  document_id TEXT COLLATE NOCASE, orig_document_id TEXT COLLATE NOCASE,
  email TEXT COLLATE NOCASE, name TEXT COLLATE NOCASE, has_secret_word INTEGER NOT NULL, secret TEXT,
  first_seen_at TEXT NOT NULL, mark TEXT, moved_from INTEGER, gone_at TEXT
) STRICT;
INSERT INTO tracked
SELECT p.place * 4294967296 + row_number() OVER (PARTITION BY p.place ORDER BY t.seq), p.place >> 10, t.list_type, t.entry_key, NULL,
  t.document_name, t.created_date, t.created_at, t.document_id, t.orig_document_id, t.email, t.name, t.has_secret_word, t.secret,
  t.first_seen_at, t.mark, t.moved_from, t.gone_at
FROM tracked_before AS t JOIN tracked_places AS p ON p.connection_id = t.connection_id AND p.list_type = t.list_type
ORDER BY p.place, t.seq;
DROP TABLE tracked_before;
CREATE UNIQUE INDEX tracked_key ON tracked (connection, entry_key, list_type);
CREATE INDEX tracked_document ON tracked (connection, document_id) WHERE gone_at IS NULL;
CREATE INDEX tracked_original ON tracked (connection, orig_document_id, created_at, mark) WHERE gone_at IS NULL;
CREATE INDEX tracked_created ON tracked (connection, created_at) WHERE gone_at IS NULL;
CREATE INDEX tracked_document_name ON tracked (connection, document_name) WHERE gone_at IS NULL;
CREATE INDEX tracked_email ON tracked (connection, email) WHERE gone_at IS NULL;
CREATE INDEX tracked_name ON tracked (connection, name) WHERE gone_at IS NULL;
CREATE INDEX tracked_seen ON tracked (connection, first_seen_at) WHERE gone_at IS NULL;
CREATE INDEX tracked_marked ON tracked (connection, mark) WHERE mark IS NOT NULL AND gone_at IS NULL;
CREATE INDEX tracked_gone ON tracked (gone_at) WHERE gone_at IS NOT NULL;

-- ids: without hyphens, each one word. Written with the entries (list-entries.ts), not by triggers: these would write the index to the disk row by row.
CREATE VIRTUAL TABLE tracked_search USING fts5 (
  name, email, document_name, ids,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
INSERT INTO tracked_search (rowid, name, email, document_name, ids)
SELECT seq, name, email, document_name, replace(coalesce(orig_document_id, ''), '-', '') ||
  iif(document_id IS orig_document_id, '', ' ' || replace(coalesce(document_id, ''), '-', ''))
FROM tracked WHERE gone_at IS NULL ORDER BY seq;
CREATE INDEX tracked_statuses_asked ON tracked_statuses (connection_id, asked_at) WHERE is_last = 1;

-- What a list brought, beside what is followed. as_of is set when the list has come whole: from then on it is brought in, by a later run where this one is killed.
DROP TABLE lists;
DROP TABLE list_entries;
DROP TABLE list_copies;
ALTER TABLE tracked_lists DROP COLUMN copy_id;
CREATE TABLE tracked_copies (
  copy_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, connection_id TEXT NOT NULL, list_type INTEGER NOT NULL,
  total INTEGER, nil_entries INTEGER, as_of TEXT
) STRICT;
-- entry: JSON, the values of a row of tracked. gone_seq: an entry that the list no longer has.
CREATE TABLE tracked_arrivals (
  copy_id INTEGER NOT NULL, position INTEGER NOT NULL, gone_seq INTEGER, entry TEXT, PRIMARY KEY (copy_id, position)
) STRICT, WITHOUT ROWID;
`;

export const trackingMigration: Migration = { version: 5, sql };
