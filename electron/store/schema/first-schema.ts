/** The schema of the first register that must still open. Name, order and meaning of the job states are in contract/jobs.ts. */
export const firstSchema = `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A batch whose jobs are not all written yet is not complete; what a crash leaves of it is removed at the next start.
CREATE TABLE batches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
  complete INTEGER NOT NULL, created_at TEXT NOT NULL,
  -- 0 no, 2 with its batch (contract/jobs.ts, Hold).
  held INTEGER NOT NULL DEFAULT 0,
  -- Set by a person's decision to send a batch although the team register is away.
  without_team INTEGER NOT NULL DEFAULT 0
) STRICT;

-- args and record are JSON without secrets. run_id is the running program that works on the job.
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  batch_seq INTEGER NOT NULL REFERENCES batches (seq) ON DELETE CASCADE,
  batch_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  title TEXT NOT NULL,
  args TEXT NOT NULL,
  record TEXT NOT NULL,
  source_path TEXT,
  image_path TEXT,
  image_bytes INTEGER NOT NULL,
  has_secret INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT,
  state TEXT NOT NULL,
  departed_at TEXT,
  answer_began_at TEXT,
  raw TEXT,
  answer TEXT,
  document_id TEXT,
  failure TEXT,
  dismissed INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- 0 no, 1 by itself, 2 with its batch, 3 as a duplicate that waits for a person (contract/jobs.ts, Hold).
  held INTEGER NOT NULL DEFAULT 0,
  -- duplicates: ask, skip or send. duplicate_of, look, departure: JSON.
  duplicates TEXT NOT NULL DEFAULT 'send',
  duplicate_of TEXT,
  look TEXT,
  departure TEXT,
  -- The last of the jobs that were sent in place of this one.
  superseded_by TEXT,
  -- When the chosen file was last changed: another file of the same size may be in its place when it is copied.
  modified_ms REAL
) STRICT;
CREATE INDEX jobs_list ON jobs (dismissed, batch_seq DESC, seq, state);
CREATE INDEX jobs_batch ON jobs (batch_id, dismissed, seq, state);
CREATE INDEX jobs_by_batch_seq ON jobs (batch_seq);
CREATE INDEX jobs_next_small ON jobs (run_id, state, connection_id, held, size_bytes, seq);
CREATE INDEX jobs_next_old ON jobs (run_id, state, connection_id, held, seq);
CREATE INDEX jobs_sha256 ON jobs (connection_id, sha256);
CREATE INDEX jobs_size ON jobs (connection_id, size_bytes);
CREATE INDEX jobs_prepared ON jobs (run_id, seq) WHERE state = 'prepared';
CREATE INDEX jobs_asking ON jobs (batch_seq DESC, seq) WHERE held = 3;
CREATE INDEX jobs_operation ON jobs (operation, connection_id, seq);
-- Jobs without a document, by what they say: the beginning is enough to find the few that may be the same.
CREATE INDEX jobs_same_order ON jobs (connection_id, operation, substr(args, 1, 500)) WHERE source_path IS NULL;
CREATE INDEX jobs_open ON jobs (connection_id) WHERE state IN ('prepared', 'waiting');
CREATE INDEX jobs_superseded ON jobs (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX jobs_restored ON jobs (state, dismissed) WHERE held >= 100;

-- Counted by triggers, so that the counts over 100,000 jobs cost eight rows, ten times a second.
CREATE TABLE job_counts (state TEXT PRIMARY KEY, jobs INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs WHEN NEW.dismissed = 0 BEGIN
  INSERT INTO job_counts VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_recounted AFTER UPDATE OF state, dismissed ON jobs BEGIN
  UPDATE job_counts SET jobs = jobs - 1 WHERE state = OLD.state AND OLD.dismissed = 0;
  INSERT INTO job_counts SELECT NEW.state, 1 WHERE NEW.dismissed = 0 ON CONFLICT DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_uncounted AFTER DELETE ON jobs WHEN OLD.dismissed = 0 BEGIN
  UPDATE job_counts SET jobs = jobs - 1 WHERE state = OLD.state;
END;

-- The story of a job.
CREATE TABLE job_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  job_seq INTEGER NOT NULL REFERENCES jobs (seq) ON DELETE CASCADE,
  at TEXT NOT NULL, kind TEXT NOT NULL, failure TEXT
) STRICT;
CREATE INDEX job_events_of ON job_events (job_seq, seq);

-- seq grows with time: as long as no document comes late (since-first-schema.ts), sorting by it is sorting by registration.
CREATE TABLE documents (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  connection_id TEXT NOT NULL,
  document_id TEXT NOT NULL COLLATE NOCASE,
  job_id TEXT,
  name TEXT NOT NULL, description TEXT NOT NULL, client_id TEXT NOT NULL, signers TEXT NOT NULL,
  file_name TEXT, size_bytes INTEGER, sha256 TEXT,
  registered_at TEXT NOT NULL,
  status_raw TEXT, status_answer TEXT, status_asked_at TEXT,
  -- The group follows the answer, also where words are sorted anew.
  status_group TEXT GENERATED ALWAYS AS (coalesce(json_extract(status_answer, '$.group'), 'none')) VIRTUAL,
  -- The colleague who registered the document; null for one from here.
  by_person TEXT,
  by_computer TEXT
) STRICT;
CREATE UNIQUE INDEX documents_known ON documents (connection_id, document_id);
CREATE INDEX documents_connection ON documents (connection_id, seq);
CREATE INDEX documents_sha256 ON documents (sha256, connection_id);
CREATE INDEX documents_name ON documents (name COLLATE NOCASE, seq);
CREATE INDEX documents_size ON documents (size_bytes, seq);
CREATE INDEX documents_status ON documents (status_raw COLLATE NOCASE, seq);
CREATE INDEX documents_connection_name ON documents (connection_id, name COLLATE NOCASE, seq);
CREATE INDEX documents_connection_size ON documents (connection_id, size_bytes, seq);
CREATE INDEX documents_connection_status ON documents (connection_id, status_raw COLLATE NOCASE, seq);
CREATE INDEX documents_status_group ON documents (status_group, connection_id, status_asked_at);
-- Finds a registered document by the name of its file, also where many files have the same name.
CREATE INDEX documents_file_name ON documents (connection_id, file_name COLLATE NOCASE, seq) WHERE sha256 IS NOT NULL;

CREATE TABLE statuses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  document_seq INTEGER NOT NULL REFERENCES documents (seq) ON DELETE CASCADE,
  raw TEXT, answer TEXT NOT NULL, first_asked_at TEXT NOT NULL, last_asked_at TEXT NOT NULL
) STRICT;
CREATE INDEX statuses_of ON statuses (document_seq, seq);

-- The connection is a column of the index too: a search within one connection never leaves the index. Words of connections begin with a sign that no text has: a search
-- need not say which columns it means, and is faster.
CREATE VIRTUAL TABLE documents_search USING fts5 (
  connection, name, description, client_id, document_id, signers, file_name,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

CREATE TABLE views (
  id TEXT PRIMARY KEY, screen TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE, content TEXT NOT NULL,
  UNIQUE (screen, name)
) STRICT, WITHOUT ROWID;

-- Composing, bulk, tracking, and the words and codes of answers. Texts called secret are sealed (core/secrets/secret-vault.ts).
-- content is JSON of contract/compose.ts without tokens; where the files are is known here alone.
CREATE TABLE drafts (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  file_path TEXT, file_name TEXT, image_path TEXT, image_name TEXT, secret TEXT, updated_at TEXT NOT NULL,
  -- The job that the draft was sent as, last; when a bulk sent the draft to every row.
  job_id TEXT, sent_at TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX drafts_job ON drafts (job_id) WHERE job_id IS NOT NULL;
CREATE TRIGGER drafts_taken AFTER UPDATE OF state ON jobs WHEN NEW.state = 'done' BEGIN
  DELETE FROM drafts WHERE job_id = NEW.id;
END;
CREATE TABLE presets (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, content TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- connection_id is empty for templates of every connection.
CREATE TABLE templates (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL, template_id TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL,
  use TEXT NOT NULL, last_used_at TEXT, UNIQUE (connection_id, template_id)
) STRICT, WITHOUT ROWID;
-- The address book: recent people and kept ones in one table, with an index for completing names and addresses. key: the address in lower case. kept: entered or imported by a person; others are people of earlier requests. last_used_at: null if never used.
CREATE TABLE people (
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, email TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE,
  kept INTEGER NOT NULL, uses INTEGER NOT NULL, last_used_at TEXT
) STRICT;
CREATE INDEX people_order ON people (last_used_at DESC, name, key);
CREATE INDEX people_kept ON people (kept, last_used_at DESC);

CREATE VIRTUAL TABLE people_search USING fts5 (
  name, email, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
CREATE TRIGGER people_came AFTER INSERT ON people BEGIN
  INSERT INTO people_search (rowid, name, email) VALUES (NEW.seq, NEW.name, NEW.email);
END;
CREATE TRIGGER people_changed AFTER UPDATE OF name, email ON people WHEN OLD.name IS NOT NEW.name COLLATE BINARY OR OLD.email IS NOT NEW.email BEGIN
  DELETE FROM people_search WHERE rowid = OLD.seq;
  INSERT INTO people_search (rowid, name, email) VALUES (NEW.seq, NEW.name, NEW.email);
END;
CREATE TRIGGER people_went AFTER DELETE ON people BEGIN
  DELETE FROM people_search WHERE rowid = OLD.seq;
END;

-- key: the word without outer space, in lower case.
CREATE TABLE answer_words (
  kind TEXT NOT NULL, key TEXT NOT NULL, word TEXT NOT NULL, word_group TEXT NOT NULL, meaning TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer_codes (code TEXT PRIMARY KEY, meaning TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE unsorted_words (
  kind TEXT NOT NULL, key TEXT NOT NULL, word TEXT NOT NULL, connection_id TEXT NOT NULL, seen INTEGER NOT NULL,
  first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE tracked_lists (
  connection_id TEXT NOT NULL, list_type INTEGER NOT NULL,
  total INTEGER NOT NULL, nil_entries INTEGER NOT NULL, as_of TEXT NOT NULL, PRIMARY KEY (connection_id, list_type)
) STRICT, WITHOUT ROWID;
-- Tracked entries for lists of 100,000. The row number of an entry contains its list (a place has 2^32 numbers, a connection 1024 places), so that no index needs a column for
-- it and a search is limited to a list by a range of numbers. fingerprint is a hash of all values: an unchanged entry is not written again.
CREATE TABLE tracked_places (
  place INTEGER PRIMARY KEY, connection_id TEXT NOT NULL, list_type INTEGER NOT NULL, UNIQUE (connection_id, list_type)
) STRICT;
-- Entries as somebody follows them: the same row as long as the entry is in the list, kept as gone for a while after it, to know it again in another list.
-- connection: place >> 10, one byte where an ID has 36. created_at is the moment in created_date, gone_at null while the entry is in its list.
CREATE TABLE tracked (
  seq INTEGER PRIMARY KEY, connection INTEGER NOT NULL, list_type INTEGER NOT NULL, entry_key TEXT NOT NULL, fingerprint TEXT,
  document_name TEXT COLLATE NOCASE, created_date TEXT, created_at TEXT,
  document_id TEXT COLLATE NOCASE, orig_document_id TEXT COLLATE NOCASE,
  email TEXT COLLATE NOCASE, name TEXT COLLATE NOCASE, has_secret_word INTEGER NOT NULL, secret TEXT,
  first_seen_at TEXT NOT NULL, mark TEXT, moved_from INTEGER, gone_at TEXT
) STRICT;
CREATE UNIQUE INDEX tracked_key ON tracked (connection, entry_key, list_type);
CREATE INDEX tracked_document ON tracked (connection, document_id) WHERE gone_at IS NULL;
CREATE INDEX tracked_original ON tracked (connection, orig_document_id, created_at, mark) WHERE gone_at IS NULL;
CREATE INDEX tracked_created ON tracked (connection, created_at) WHERE gone_at IS NULL;
CREATE INDEX tracked_document_name ON tracked (connection, document_name) WHERE gone_at IS NULL;
CREATE INDEX tracked_email ON tracked (connection, email) WHERE gone_at IS NULL;
CREATE INDEX tracked_name ON tracked (connection, name) WHERE gone_at IS NULL;
CREATE INDEX tracked_seen ON tracked (connection, first_seen_at) WHERE gone_at IS NULL;
CREATE INDEX tracked_marked ON tracked (connection, mark) WHERE mark IS NOT NULL AND gone_at IS NULL;
CREATE INDEX tracked_gone ON tracked (gone_at) WHERE gone_at IS NOT NULL;

-- ids: without hyphens, each one word. Written with the entries (list-entries.ts), not by triggers: these would write the index to the disk row by row.
CREATE VIRTUAL TABLE tracked_search USING fts5 (
  name, email, document_name, ids,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

-- What a list brought, beside what is followed. as_of is set when the list has come whole: from then on it is brought in, by a later run where this one is killed.
CREATE TABLE tracked_copies (
  copy_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, connection_id TEXT NOT NULL, list_type INTEGER NOT NULL,
  total INTEGER, nil_entries INTEGER, as_of TEXT
) STRICT;
-- entry: JSON, the values of a row of tracked. gone_seq: an entry that the list no longer has.
CREATE TABLE tracked_arrivals (
  copy_id INTEGER NOT NULL, position INTEGER NOT NULL, gone_seq INTEGER, entry TEXT, PRIMARY KEY (copy_id, position)
) STRICT, WITHOUT ROWID;

-- A status that stayed the same is one row.
CREATE TABLE tracked_statuses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  raw TEXT, answer TEXT NOT NULL, since TEXT NOT NULL, asked_at TEXT NOT NULL, is_last INTEGER NOT NULL
) STRICT;
CREATE INDEX tracked_statuses_of ON tracked_statuses (connection_id, document_id, seq);
CREATE INDEX tracked_statuses_last ON tracked_statuses (connection_id, raw, document_id) WHERE is_last = 1;
CREATE INDEX tracked_statuses_asked ON tracked_statuses (connection_id, asked_at) WHERE is_last = 1;
-- document_key: the original document of an entry.
CREATE TABLE due_dates (
  connection_id TEXT NOT NULL, document_key TEXT NOT NULL COLLATE NOCASE, date TEXT NOT NULL, note TEXT NOT NULL,
  reminded_at TEXT, PRIMARY KEY (connection_id, document_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
  connection_id TEXT NOT NULL, kind TEXT NOT NULL, file_name TEXT NOT NULL, plan TEXT NOT NULL, columns TEXT NOT NULL,
  state TEXT NOT NULL, per_minute INTEGER NOT NULL, include_warnings INTEGER NOT NULL, secret TEXT,
  batch_id TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  -- The draft that the bulk was made of.
  draft_id TEXT
) STRICT;
-- job_id is set in the transaction that writes the job, and never again: no row can become two jobs.
CREATE TABLE bulk_rows (
  bulk_seq INTEGER NOT NULL REFERENCES bulks (seq) ON DELETE CASCADE, row INTEGER NOT NULL,
  cells TEXT NOT NULL, plan TEXT NOT NULL, secret TEXT, problems TEXT NOT NULL, severity TEXT NOT NULL, job_id TEXT UNIQUE,
  -- Cells that a person changed in the window, with the values of the spreadsheet.
  mended TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (bulk_seq, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_rows_next ON bulk_rows (bulk_seq, row) WHERE job_id IS NULL;

-- Runs of ValidateDocument and audits of folders. A scope is one run, or one audit with all of its runs: a row of verify_files
-- is a version of a file, valid from one run (from_run) until before another (to_run, null for the current version). So an unchanged file needs no new
-- row, and every run can be shown as it was. rank is the order of a list and encodes the group (see verify-rows.ts).
CREATE TABLE verify_audits (
  id TEXT PRIMARY KEY, connection_id TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL,
  every_minutes INTEGER, next_at TEXT, UNIQUE (connection_id, path)
) STRICT, WITHOUT ROWID;

-- owner is the running program that works on the run. counts and changes are JSON, written together with the rows they count.
CREATE TABLE verify_runs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, audit_id TEXT,
  connection_id TEXT NOT NULL, title TEXT NOT NULL, ask TEXT NOT NULL,
  state TEXT NOT NULL, owner TEXT NOT NULL, listing INTEGER NOT NULL, trouble TEXT,
  total INTEGER NOT NULL, answered INTEGER NOT NULL, counts TEXT NOT NULL, changes TEXT NOT NULL,
  calls INTEGER NOT NULL, left_out INTEGER NOT NULL, active_ms INTEGER NOT NULL,
  started_at TEXT NOT NULL, ended_at TEXT
) STRICT;
CREATE INDEX verify_runs_scope ON verify_runs (scope, seq);
CREATE INDEX verify_runs_audit ON verify_runs (audit_id, seq);

CREATE TABLE verify_files (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL, idx INTEGER NOT NULL, from_run INTEGER NOT NULL, to_run INTEGER,
  path TEXT NOT NULL, name TEXT NOT NULL, folder TEXT NOT NULL, sort_key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, stamp TEXT, sha256 TEXT,
  rank INTEGER NOT NULL, answer TEXT, raw TEXT, failure TEXT, asked_at TEXT,
  change TEXT, earlier TEXT, comparison TEXT
) STRICT;
CREATE UNIQUE INDEX verify_files_index ON verify_files (scope, idx, from_run);
CREATE INDEX verify_files_list ON verify_files (scope, rank, sort_key, seq, from_run, to_run);
CREATE INDEX verify_files_changed ON verify_files (scope, from_run, change, rank, sort_key);
CREATE INDEX verify_files_todo ON verify_files (scope, seq) WHERE rank = 6;
CREATE INDEX verify_files_open ON verify_files (scope, path) WHERE to_run IS NULL;

CREATE TABLE verify_left_out (
  run_seq INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, folder TEXT NOT NULL,
  reason TEXT NOT NULL, kind TEXT, PRIMARY KEY (run_seq, position)
) STRICT, WITHOUT ROWID;

-- Scopes of which a run was removed: rows that no run sees any more are removed slice by slice.
CREATE TABLE verify_sweeps (scope TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Hashes of downloaded files, by which a verification recognises them.
-- name: of the document, for those that are not in the register.
CREATE TABLE downloads (
  sha256 TEXT NOT NULL, connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  name TEXT NOT NULL, downloaded_at TEXT NOT NULL, PRIMARY KEY (sha256, connection_id, document_id)
) STRICT, WITHOUT ROWID;

-- The claims that this program made in a team register, and what is not reported there yet. The outcome of a claim is the state of its job: the trigger notes
-- every change of it in the same transaction, whichever part of the program makes it, so that none is lost. A claim is reported while version is above
-- reported_version. Claims that were replaced by a new one of the same job (after the job was sent again) stay, for a register that was restored.
CREATE TABLE team_claims (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL, connection_id TEXT NOT NULL, kind TEXT NOT NULL, claim_key TEXT NOT NULL,
  is_current INTEGER NOT NULL, outcome TEXT, second_of TEXT, without_register INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1, reported_version INTEGER NOT NULL DEFAULT 0,
  -- The tokens with which this ledger asked for a claim, a JSON array, the last one last. The register has the token of the last request: one that is not in here was
  -- made by a newer state of this data folder, or by a copy of it.
  asks TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE UNIQUE INDEX team_claims_job ON team_claims (job_id) WHERE is_current = 1;
CREATE INDEX team_claims_connection ON team_claims (connection_id, seq);
CREATE INDEX team_claims_unreported ON team_claims (connection_id) WHERE version > reported_version;
CREATE TRIGGER jobs_team_outcome AFTER UPDATE OF state, document_id ON jobs
WHEN EXISTS (SELECT 1 FROM team_claims WHERE job_id = NEW.id AND is_current = 1) BEGIN
  UPDATE team_claims SET version = version + 1 WHERE job_id = NEW.id AND is_current = 1;
END;

-- Copies of what teams share. The value is kept as it came: a newer version of the program may understand what this one does not.
CREATE TABLE team_items (
  connection_id TEXT NOT NULL, kind TEXT NOT NULL, item_key TEXT NOT NULL, value TEXT NOT NULL,
  by_person TEXT NOT NULL, by_computer TEXT NOT NULL, changed_at TEXT NOT NULL,
  PRIMARY KEY (connection_id, kind, item_key)
) STRICT, WITHOUT ROWID;
`;
