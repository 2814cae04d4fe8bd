import type { Migration } from './migration.ts';

/** Hashes of downloaded files, by which a verification recognises them. */
const sql = `
-- name: of the document, for those that are not in the register.
CREATE TABLE downloads (
  sha256 TEXT NOT NULL, connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  name TEXT NOT NULL, downloaded_at TEXT NOT NULL, PRIMARY KEY (sha256, connection_id, document_id)
) STRICT, WITHOUT ROWID;
`;

export const downloadsMigration: Migration = { version: 10, sql };
