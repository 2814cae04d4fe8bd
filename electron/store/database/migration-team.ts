import type { Migration } from './migration.ts';

/**
 * The claims that this program made in a team register, and what is not reported there yet. The outcome of a claim is the state of its job: the trigger notes
 * every change of it in the same transaction, whichever part of the program makes it, so that none is lost. A claim is reported while `version` is above
 * `reported_version`. Claims that were replaced by a new one of the same job (after the job was sent again) stay, for a register that was restored.
 */
const sql = `
CREATE TABLE team_claims (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL, connection_id TEXT NOT NULL, kind TEXT NOT NULL, claim_key TEXT NOT NULL,
  is_current INTEGER NOT NULL, outcome TEXT, second_of TEXT, without_register INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1, reported_version INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX team_claims_job ON team_claims (job_id) WHERE is_current = 1;
CREATE INDEX team_claims_connection ON team_claims (connection_id, seq);
CREATE INDEX team_claims_unreported ON team_claims (connection_id) WHERE version > reported_version;
CREATE TRIGGER jobs_team_outcome AFTER UPDATE OF state, document_id ON jobs
WHEN EXISTS (SELECT 1 FROM team_claims WHERE job_id = NEW.id AND is_current = 1) BEGIN
  UPDATE team_claims SET version = version + 1 WHERE job_id = NEW.id AND is_current = 1;
END;

-- Set by a person's decision to send a batch although the team register is away.
ALTER TABLE batches ADD COLUMN without_team INTEGER NOT NULL DEFAULT 0;

-- The colleague who registered the document; null for one from here.
ALTER TABLE documents ADD COLUMN by_person TEXT;
ALTER TABLE documents ADD COLUMN by_computer TEXT;
`;

export const teamMigration: Migration = { version: 16, sql };
