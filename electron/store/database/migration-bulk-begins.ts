import type { Migration } from './migration.ts';

/** begins: a bulk was sent, and its rows were not all given to the queue with their countdown. */
const sql = 'ALTER TABLE bulks ADD COLUMN begins INTEGER NOT NULL DEFAULT 0;';

export const bulkBeginsMigration: Migration = { version: 25, sql };
