import type { Migration } from './migration.ts';

/** Requests without a document are found whatever the case of their addresses; same-work.ts compares the rest. */
const sql = `
DROP INDEX jobs_same_order;
CREATE INDEX jobs_same_order ON jobs (connection_id, operation, lower(substr(args, 1, 500))) WHERE source_path IS NULL;
`;

export const samePeopleMigration: Migration = { version: 20, sql };
