import type { Migration } from './migration.ts';

/** Drafts stay until the service accepted their job; a job that was not accepted can be corrected and sent as a new one. */
const sql = `
-- The job that the draft was sent as, last.
ALTER TABLE drafts ADD COLUMN job_id TEXT;
CREATE UNIQUE INDEX drafts_job ON drafts (job_id) WHERE job_id IS NOT NULL;
-- The last of the jobs that were sent in place of this one.
ALTER TABLE jobs ADD COLUMN superseded_by TEXT;
CREATE INDEX jobs_superseded ON jobs (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TRIGGER drafts_taken AFTER UPDATE OF state ON jobs WHEN NEW.state = 'done' BEGIN
  DELETE FROM drafts WHERE job_id = NEW.id;
END;
`;

export const correctionsMigration: Migration = { version: 7, sql };
