import type { Migration } from './migration.ts';

/** Pauses, duplicates, reconciliation of lost answers, circumstances for receipts, views. */
const sql = `
-- held: 0 no, 1 by itself, 2 with its batch, 3 as a duplicate that waits for a person (contract/jobs.ts, Hold).
ALTER TABLE batches ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
-- duplicates: ask, skip or send. duplicate_of, look, departure: JSON.
ALTER TABLE jobs ADD COLUMN duplicates TEXT NOT NULL DEFAULT 'send';
ALTER TABLE jobs ADD COLUMN duplicate_of TEXT;
ALTER TABLE jobs ADD COLUMN look TEXT;
ALTER TABLE jobs ADD COLUMN departure TEXT;
DROP INDEX jobs_next_small;
DROP INDEX jobs_next_old;
CREATE INDEX jobs_next_small ON jobs (run_id, state, connection_id, held, size_bytes, seq);
CREATE INDEX jobs_next_old ON jobs (run_id, state, connection_id, held, seq);
CREATE INDEX jobs_size ON jobs (connection_id, size_bytes);
CREATE INDEX jobs_prepared ON jobs (run_id, seq) WHERE state = 'prepared';
CREATE INDEX jobs_asking ON jobs (batch_seq DESC, seq) WHERE held = 3;

-- The group follows the answer, also where words are sorted anew.
ALTER TABLE documents ADD COLUMN status_group TEXT
  GENERATED ALWAYS AS (coalesce(json_extract(status_answer, '$.group'), 'none')) VIRTUAL;
CREATE INDEX documents_status_group ON documents (status_group, connection_id, status_asked_at);

-- Words of connections begin with a sign that no text has: a search need not say which columns it means, and is faster.
INSERT INTO documents_search (documents_search) VALUES ('delete-all');
INSERT INTO documents_search (rowid, connection, name, description, client_id, document_id, signers, file_name)
  SELECT seq, char(57344) || lower(hex(connection_id)), name, description, client_id, document_id, signers,
    coalesce(file_name, '') FROM documents;

CREATE TABLE views (
  id TEXT PRIMARY KEY, screen TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE, content TEXT NOT NULL,
  UNIQUE (screen, name)
) STRICT, WITHOUT ROWID;
`;

export const queueMigration: Migration = { version: 2, sql };
