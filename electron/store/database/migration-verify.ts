import type { Migration } from './migration.ts';

/**
 * Runs of ValidateDocument and audits of folders. A scope is one run, or one audit with all of its runs: a row of verify_files
 * is a version of a file, valid from one run (from_run) until before another (to_run, null for the current version). So an unchanged file needs no new
 * row, and every run can be shown as it was. `rank` is the order of a list and encodes the group (see verify-rows.ts).
 */
const schema = `
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
`;

export const verifyMigration: Migration = { version: 4, sql: schema };
