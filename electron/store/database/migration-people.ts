import type { Migration } from './migration.ts';

/** The address book: recent people and kept ones in one table, with an index for completing names and addresses. */
const sql = `
DROP INDEX people_recent;
ALTER TABLE people RENAME TO people_before;
-- key: the address in lower case. kept: entered or imported by a person; others are people of earlier requests. last_used_at: null if never used.
CREATE TABLE people (
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, email TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  kept INTEGER NOT NULL, uses INTEGER NOT NULL, last_used_at TEXT
) STRICT;
INSERT INTO people (key, email, name, kept, uses, last_used_at)
SELECT key, email, name, 0, uses, last_used_at FROM people_before ORDER BY last_used_at;
DROP TABLE people_before;
CREATE INDEX people_order ON people (last_used_at DESC, name, key);
CREATE INDEX people_kept ON people (kept, last_used_at DESC);

CREATE VIRTUAL TABLE people_search USING fts5 (
  name, email, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
INSERT INTO people_search (rowid, name, email) SELECT seq, name, email FROM people ORDER BY seq;
CREATE TRIGGER people_came AFTER INSERT ON people BEGIN
  INSERT INTO people_search (rowid, name, email) VALUES (NEW.seq, NEW.name, NEW.email);
END;
CREATE TRIGGER people_changed AFTER UPDATE OF name, email ON people WHEN OLD.name IS NOT NEW.name COLLATE BINARY OR OLD.email IS NOT NEW.email BEGIN
  DELETE FROM people_search WHERE rowid = OLD.seq;
  INSERT INTO people_search (rowid, name, email) VALUES (NEW.seq, NEW.name, NEW.email);
END;
CREATE TRIGGER people_went AFTER DELETE ON people BEGIN
  DELETE FROM people_search WHERE rowid = OLD.seq;
END;
`;

export const peopleMigration: Migration = { version: 12, sql };
