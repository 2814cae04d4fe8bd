import type { Migration } from './migration.ts';

/** When the chosen file was last changed: another file of the same size may be in its place when it is copied. */
const sql = 'ALTER TABLE jobs ADD COLUMN modified_ms REAL';

export const chosenTimeMigration: Migration = { version: 13, sql };
