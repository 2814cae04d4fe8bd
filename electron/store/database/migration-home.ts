import type { Migration } from './migration.ts';

/**
 * What Home counts, from indexes alone: requests that wait by when they were sent, signatures by when the last of a request was seen (signed_at), and what left by its
 * departure.
 */
const sql = `
ALTER TABLE requests ADD COLUMN signed_at TEXT;
UPDATE requests SET signed_at =
  (SELECT max(value ->> '$.at') FROM json_each(signers) WHERE value ->> '$.state' = 'signed') WHERE signers <> '[]';
DROP INDEX requests_state;
CREATE INDEX requests_state ON requests (connection_id, state, sent_at, document_id);
CREATE INDEX requests_signed ON requests (connection_id, signed_at) WHERE signed_at IS NOT NULL AND state IS NOT NULL;
CREATE INDEX jobs_departed ON jobs (connection_id, departed_at, state) WHERE departed_at IS NOT NULL;
`;

export const homeMigration: Migration = { version: 23, sql };
