import type { Migration } from './migration.ts';

/**
 * gate: what keeps a job from being sent until it may be taken back no longer (store/jobs/job-gates.ts). No time is stored: the program whose job it is counts. The
 * triggers compute a request anew when its gate changes.
 */
const sql = `
ALTER TABLE jobs ADD COLUMN gate INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_gate ON jobs (batch_id, gate, run_id) WHERE gate <> 0;
DROP INDEX jobs_next_small;
DROP INDEX jobs_next_old;
CREATE INDEX jobs_next_small ON jobs (run_id, state, connection_id, held, gate, size_bytes, seq);
CREATE INDEX jobs_next_old ON jobs (run_id, state, connection_id, held, gate, seq);
CREATE TRIGGER requests_gate AFTER UPDATE OF gate ON jobs WHEN NEW.gate <> OLD.gate BEGIN
  UPDATE requests SET is_stale = 1 WHERE job_id = NEW.id;
END;
`;

export const countdownMigration: Migration = { version: 24, sql };
