import type { Migration } from './migration.ts';

/** Indexes for the queries made when a job is sent again, and while a connection is held. */
const sql = `
-- Jobs without a document, by what they say: the beginning is enough to find the few that may be the same.
CREATE INDEX jobs_same_order ON jobs (connection_id, operation, substr(args, 1, 500)) WHERE source_path IS NULL;
CREATE INDEX jobs_open ON jobs (connection_id) WHERE state IN ('prepared', 'waiting');
`;

export const sendingMigration: Migration = { version: 6, sql };
