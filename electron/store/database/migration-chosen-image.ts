import type { Migration } from './migration.ts';

/** As of the document, when the additional image was last changed as it was chosen, and its hash as it was checked: another one may be in its place when it is copied. */
const sql = `
ALTER TABLE jobs ADD COLUMN image_modified_ms REAL;
ALTER TABLE jobs ADD COLUMN image_sha256 TEXT;
`;

export const chosenImageMigration: Migration = { version: 26, sql };
