import type { Migration } from './migration.ts';

/** Which file it was that was chosen (core/files/file-stamp.ts): another one of its size and time may be in its place when it is copied. */
const sql = `
ALTER TABLE jobs ADD COLUMN identity TEXT;
ALTER TABLE jobs ADD COLUMN image_identity TEXT;
`;

export const chosenIdentityMigration: Migration = { version: 29, sql };
