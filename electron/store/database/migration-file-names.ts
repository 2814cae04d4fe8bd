import type { Migration } from './migration.ts';

/** Finds a registered document by the name of its file, also where many files have the same name. */
const sql =
  'CREATE INDEX documents_file_name ON documents (connection_id, file_name COLLATE NOCASE, seq) WHERE sha256 IS NOT NULL';

export const fileNamesMigration: Migration = { version: 14, sql };
