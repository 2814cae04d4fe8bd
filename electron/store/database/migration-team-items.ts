import type { Migration } from './migration.ts';

/** Copies of what teams share. The value is kept as it came: a newer version of the program may understand what this one does not. */
const sql = `
CREATE TABLE team_items (
  connection_id TEXT NOT NULL, kind TEXT NOT NULL, item_key TEXT NOT NULL, value TEXT NOT NULL,
  by_person TEXT NOT NULL, by_computer TEXT NOT NULL, changed_at TEXT NOT NULL,
  PRIMARY KEY (connection_id, kind, item_key)
) STRICT, WITHOUT ROWID;
`;

export const teamItemsMigration: Migration = { version: 17, sql };
