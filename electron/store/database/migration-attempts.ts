import type { Migration } from './migration.ts';

/**
 * The end of a job's last attempt, as it was seen: null if the attempt has not ended, or its program was killed meanwhile. `at` is what a person is shown as the
 * time of a job. The first statement fills in what the history of older jobs says; taking the document that a person chose is not the end of an attempt.
 */
const sql = `
ALTER TABLE jobs ADD COLUMN attempt_ended_at TEXT;
UPDATE jobs SET attempt_ended_at = (
  SELECT iif(e.failure ->> '$.note' LIKE 'the program ended after%' OR e.failure ->> '$.note' LIKE '%the database came back older%', NULL, e.at)
  FROM job_events AS e
  WHERE e.job_seq = jobs.seq AND e.kind IN ('done', 'refused', 'failed', 'in-doubt', 'cancelled')
    AND NOT (e.kind = 'done' AND EXISTS (SELECT 1 FROM job_events AS a WHERE a.job_seq = jobs.seq AND a.kind = 'accepted'))
  ORDER BY e.seq DESC LIMIT 1)
WHERE departed_at IS NOT NULL AND state <> 'sending';
ALTER TABLE jobs ADD COLUMN at TEXT GENERATED ALWAYS AS (coalesce(attempt_ended_at, departed_at, updated_at)) VIRTUAL;
`;

export const attemptsMigration: Migration = { version: 19, sql };
