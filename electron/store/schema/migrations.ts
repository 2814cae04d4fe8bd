import type { Migration } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { putDocument } from '../documents/documents.ts';
import { documentOfJob, readJobs } from '../jobs/job-rows.ts';
import { firstSchema } from './first-schema.ts';
import { colleaguesRequests, keyPeopleAnew, sinceFirstSchema } from './since-first-schema.ts';

/** Work on many documents that outlives the program: downloads into a folder, status refreshes. */
const lastingWork = `
-- data: what the kind stores with a run, as JSON. owner: the running program that works on it.
CREATE TABLE work_runs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, owner TEXT NOT NULL,
  state TEXT NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE TABLE work_items (
  seq INTEGER PRIMARY KEY, run_seq INTEGER NOT NULL REFERENCES work_runs (seq) ON DELETE CASCADE,
  connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  state TEXT NOT NULL DEFAULT 'open', result TEXT,
  UNIQUE (run_seq, connection_id, document_id)
) STRICT;
CREATE INDEX work_items_by_state ON work_items (run_seq, state, seq);
`;

/**
 * Drafts, presets and templates were three tables: a stored form is one row, with its place. connection_id is null for what is for every connection; file and image
 * are JSON (store/signatures/forms.ts).
 */
const forms = `
CREATE TABLE forms (
  id TEXT PRIMARY KEY, place TEXT NOT NULL, connection_id TEXT, name TEXT NOT NULL, content TEXT NOT NULL,
  file TEXT, image TEXT, secret TEXT, updated_at TEXT NOT NULL, used_at TEXT,
  -- The job that a draft was sent as, last; when a bulk sent the draft to every row.
  job_id TEXT, sent_at TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO forms SELECT id, 'draft', connection_id, title, content,
    iif(file_path IS NULL, NULL, json_object('path', file_path, 'name', coalesce(file_name, ''))),
    iif(image_path IS NULL, NULL, json_object('path', image_path, 'name', coalesce(image_name, ''))),
    secret, updated_at, NULL, job_id, sent_at FROM drafts;
INSERT INTO forms (id, place, name, content, updated_at) SELECT id, 'preset', name, content, updated_at FROM presets;
INSERT INTO forms (id, place, connection_id, name, content, updated_at, used_at) SELECT id, 'template', nullif(connection_id, ''), name,
    json_object('templateId', template_id, 'note', note, 'use', use), coalesce(last_used_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), last_used_at FROM templates;
DROP TRIGGER drafts_taken;
DROP TABLE drafts;
DROP TABLE presets;
DROP TABLE templates;
CREATE UNIQUE INDEX forms_job ON forms (job_id) WHERE job_id IS NOT NULL;
CREATE TRIGGER forms_taken AFTER UPDATE OF state ON jobs WHEN NEW.state = 'done' BEGIN
  DELETE FROM forms WHERE job_id = NEW.id;
END;
`;

/**
 * What a job changes on its way: the index of the smallest that waits has only those, and the counts of a batch, ten times a second, are read from its index alone.
 */
const jobIndexes = `
DROP INDEX jobs_next_small;
CREATE INDEX jobs_next_small ON jobs (run_id, connection_id, held, gate, size_bytes, seq) WHERE state = 'waiting';
DROP INDEX jobs_batch;
CREATE INDEX jobs_batch ON jobs (batch_id, dismissed, seq, state, held, size_bytes);
`;

/**
 * Files that are no PDF have a group of their own, before what is gone. Runs counted them as without an answer. In rows of before, they are those that were read as no PDF and
 * refused for what they are; their codes are those of then, whatever the program knows later.
 */
const noPdfs = `
DROP INDEX verify_files_list;
DROP INDEX verify_files_changed;
DROP INDEX verify_files_todo;
UPDATE verify_files SET rank = rank + 1 WHERE rank > 2;
UPDATE verify_files SET rank = 3, answer = json_set(answer, '$.group', 'not-pdf')
  WHERE rank = 2 AND json_extract(answer, '$.code') IN ('-143', '-145', '-150', '-155', '-156') AND json_extract(signatures, '$.answer') IS NULL
    AND signatures IS NOT NULL;
CREATE INDEX verify_files_list ON verify_files (scope, rank, sort_key, seq, from_run, to_run);
CREATE INDEX verify_files_changed ON verify_files (scope, from_run, change, rank, sort_key);
CREATE INDEX verify_files_todo ON verify_files (scope, seq) WHERE rank = 7;
UPDATE verify_runs SET counts = (
  SELECT json_set(counts, '$.not-pdf', count(*), '$.no-answer', json_extract(counts, '$.no-answer') - count(*))
  FROM verify_files AS f INDEXED BY verify_files_list
  WHERE f.scope = verify_runs.scope AND f.rank = 3 AND f.from_run <= verify_runs.seq AND (f.to_run IS NULL OR f.to_run > verify_runs.seq));
`;

/** Steps whose time nobody saw. Of those of before only the words of their failure say so. */
const unseenSteps = `
ALTER TABLE job_events ADD COLUMN unseen INTEGER NOT NULL DEFAULT 0;
UPDATE job_events SET unseen = 1 WHERE kind = 'in-doubt'
  AND (failure ->> '$.note' LIKE 'the program ended after%' OR failure ->> '$.note' LIKE '%the database came back older%');
`;

/** What was passed over counted as cancelled. Nothing tells it from what a person cancelled after a decision to send: that stays as it is. */
const passedOver = `
UPDATE jobs SET state = 'passed-over' WHERE state = 'cancelled' AND duplicate_of IS NOT NULL AND duplicates = 'skip';
UPDATE job_events SET kind = 'passed-over' WHERE kind = 'cancelled'
  AND seq IN (SELECT (SELECT max(seq) FROM job_events WHERE job_seq = jobs.seq AND kind = 'cancelled') FROM jobs WHERE state = 'passed-over');
`;

/**
 * What was sent since a time is each of its departures, also of a job that left again; and what left before its correction stands in its batch. A departure had a time of its own as a step, of a moment after
 * that of its job.
 */
const sendings = `
DROP INDEX jobs_departed;
UPDATE job_events SET at = d.departed_at FROM jobs AS d WHERE d.seq = job_seq AND kind = 'departed'
  AND (julianday(job_events.at) - julianday(d.departed_at)) * 86400 BETWEEN 0 AND 1;
CREATE INDEX job_events_counted ON job_events (kind, at, job_seq) WHERE kind IN ('departed', 'unchecked');
CREATE INDEX jobs_corrected ON jobs (batch_id, seq) WHERE superseded_by IS NOT NULL;
`;

/** Checks count from when they leave, and beside that those that were answered. Of runs of before only what has no answer says how many were not. */
const replies = `
ALTER TABLE verify_runs ADD COLUMN replies INTEGER NOT NULL DEFAULT 0;
UPDATE verify_runs SET replies = max(0, calls - (SELECT count(*) FROM verify_files AS f
  WHERE f.scope = verify_runs.scope AND f.from_run = verify_runs.seq AND f.failure IS NOT NULL AND f.asked_at IS NOT NULL));
`;

/** What a person removed and can still put back is out of view (store/database/removed-rows.ts). */
const outOfView = (tables: readonly string[]) =>
  tables.map((table) => `ALTER TABLE ${table} ADD COLUMN removed_by TEXT;`).join('\n');

/** What the service took and named no document for is in the register too, under its job, unless a list named it since. */
function putUnnamedDocuments(sql: Sql): void {
  const jobs = readJobs(
    sql,
    `WHERE state = 'done' AND document_id IS NULL AND record ->> '$.name' IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.job_id = jobs.id AND r.document_id IS NOT NULL) ORDER BY seq`,
  );
  for (const job of jobs) {
    const document = documentOfJob(job, null, job.at);
    if (document) putDocument(sql, document);
  }
}

/** The schema of the first register that must still open, and what was added since. */
export const migrations: readonly Migration[] = [
  { version: 18, sql: firstSchema },
  sinceFirstSchema,
  { version: 32, sql: lastingWork },
  { version: 33, sql: forms },
  { version: 34, sql: jobIndexes },
  { version: 35, sql: outOfView(['connections', 'bulks', 'verify_audits', 'verify_runs']) },
  { version: 36, sql: outOfView(['work_runs']) },
  { version: 37, sql: noPdfs },
  { version: 38, sql: '', finish: putUnnamedDocuments },
  { version: 39, sql: unseenSteps },
  // The last reading that had an entry which has gone: null for those of before.
  { version: 40, sql: 'ALTER TABLE tracked ADD COLUMN listed_until TEXT' },
  {
    version: 41,
    sql: `DROP TRIGGER requests_of_colleague; DROP TRIGGER requests_document_changed; ${colleaguesRequests}`,
  },
  // Also for 42 and 43, which compared other fields of a template, and of addresses what stands behind signs like & alone.
  { version: 44, sql: '', finish: keyPeopleAnew },
  { version: 45, sql: passedOver },
  // Requests are compared otherwise since 44: who is in a team reports its claims of them again, under the keys of now (`claimEarlier`).
  {
    version: 46,
    sql: `INSERT OR REPLACE INTO settings SELECT 'team.' || id || '.earlier', '0' FROM connections WHERE 'team.' || id IN (SELECT key FROM settings)`,
  },
  { version: 47, sql: sendings },
  { version: 48, sql: replies },
];
