import type { Migration } from './migration.ts';

/** Cells of a bulk that a person changed in the window, with the values of the spreadsheet. */
const sql = `
ALTER TABLE bulk_rows ADD COLUMN mended TEXT NOT NULL DEFAULT '[]';
`;

export const bulkMendedMigration: Migration = { version: 11, sql };
