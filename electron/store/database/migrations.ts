import { appError, failureOf } from '../../core/foundation/app-error.ts';
import type { Migration } from './migration.ts';
import { attemptsMigration } from './migration-attempts.ts';
import { bulkBeginsMigration } from './migration-bulk-begins.ts';
import { bulkDraftsMigration } from './migration-bulk-drafts.ts';
import { bulkMendedMigration } from './migration-bulk-mended.ts';
import { chosenIdentityMigration } from './migration-chosen-identity.ts';
import { chosenImageMigration } from './migration-chosen-image.ts';
import { chosenTimeMigration } from './migration-chosen-time.ts';
import { comparedMigration, domainsMigration } from './migration-compared.ts';
import { correctionsMigration } from './migration-corrections.ts';
import { countdownMigration } from './migration-countdown.ts';
import { downloadsMigration } from './migration-downloads.ts';
import { fileNamesMigration } from './migration-file-names.ts';
import { examinedBytesMigration, fileSignaturesMigration } from './migration-file-signatures.ts';
import { homeMigration } from './migration-home.ts';
import { peopleMigration } from './migration-people.ts';
import { queueMigration } from './migration-queue.ts';
import { registeredMigration } from './migration-registered.ts';
import { requestsMigration } from './migration-requests.ts';
import { samePeopleMigration } from './migration-same-people.ts';
import { sendingMigration } from './migration-sending.ts';
import { signaturesMigration } from './migration-signatures.ts';
import { teamMigration } from './migration-team.ts';
import { teamAsksMigration } from './migration-team-asks.ts';
import { teamItemsMigration } from './migration-team-items.ts';
import { trackingMigration } from './migration-tracking.ts';
import { verifyMigration } from './migration-verify.ts';
import { viewsMigration } from './migration-views.ts';
import { workMigration } from './migration-work.ts';
import type { Sql } from './sql.ts';

/** Name, order and meaning of the job states are in contract/jobs.ts. */
const first = `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A batch whose jobs are not all written yet is not complete; what a crash leaves of it is removed at the next start.
CREATE TABLE batches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
  complete INTEGER NOT NULL, created_at TEXT NOT NULL
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
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_list ON jobs (dismissed, batch_seq DESC, seq, state);
CREATE INDEX jobs_batch ON jobs (batch_id, dismissed, seq, state);
CREATE INDEX jobs_by_batch_seq ON jobs (batch_seq);
CREATE INDEX jobs_next_small ON jobs (run_id, state, connection_id, size_bytes, seq);
CREATE INDEX jobs_next_old ON jobs (run_id, state, connection_id, seq);
CREATE INDEX jobs_sha256 ON jobs (connection_id, sha256);

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

-- seq grows with time: as long as no document comes late (migration-registered.ts), sorting by it is sorting by registration.
CREATE TABLE documents (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  connection_id TEXT NOT NULL,
  document_id TEXT NOT NULL COLLATE NOCASE,
  job_id TEXT,
  name TEXT NOT NULL, description TEXT NOT NULL, client_id TEXT NOT NULL, signers TEXT NOT NULL,
  file_name TEXT, size_bytes INTEGER, sha256 TEXT,
  registered_at TEXT NOT NULL,
  status_raw TEXT, status_answer TEXT, status_asked_at TEXT
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

CREATE TABLE statuses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  document_seq INTEGER NOT NULL REFERENCES documents (seq) ON DELETE CASCADE,
  raw TEXT, answer TEXT NOT NULL, first_asked_at TEXT NOT NULL, last_asked_at TEXT NOT NULL
) STRICT;
CREATE INDEX statuses_of ON statuses (document_seq, seq);

-- The connection is a column of the index too: a search within one connection never leaves the index.
CREATE VIRTUAL TABLE documents_search USING fts5 (
  connection, name, description, client_id, document_id, signers, file_name,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

-- A list is replaced by writing a new copy and then pointing to it; secret words are not in here.
CREATE TABLE lists (
  connection_id TEXT NOT NULL, list_type INTEGER NOT NULL, copy_id INTEGER NOT NULL,
  total INTEGER NOT NULL, nil_entries INTEGER NOT NULL, as_of TEXT NOT NULL,
  PRIMARY KEY (connection_id, list_type)
) STRICT, WITHOUT ROWID;
-- finished: published, or given up. What is finished and not pointed to is swept.
CREATE TABLE list_copies (
  copy_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE list_entries (
  copy_id INTEGER NOT NULL, position INTEGER NOT NULL,
  document_name TEXT, created_date TEXT, created_at TEXT, document_id TEXT, orig_document_id TEXT,
  email TEXT, name TEXT, has_secret_word INTEGER NOT NULL,
  PRIMARY KEY (copy_id, position)
) STRICT, WITHOUT ROWID;
`;

const restoredIndex = 'CREATE INDEX jobs_restored ON jobs (state, dismissed) WHERE held >= 100';

export const migrations: readonly Migration[] = [
  { version: 1, sql: first },
  queueMigration,
  signaturesMigration,
  verifyMigration,
  trackingMigration,
  sendingMigration,
  correctionsMigration,
  viewsMigration,
  { version: 9, sql: restoredIndex },
  downloadsMigration,
  bulkMendedMigration,
  peopleMigration,
  chosenTimeMigration,
  fileNamesMigration,
  bulkDraftsMigration,
  teamMigration,
  teamItemsMigration,
  teamAsksMigration,
  attemptsMigration,
  samePeopleMigration,
  requestsMigration,
  registeredMigration,
  homeMigration,
  countdownMigration,
  bulkBeginsMigration,
  chosenImageMigration,
  comparedMigration,
  fileSignaturesMigration,
  chosenIdentityMigration,
  domainsMigration,
  examinedBytesMigration,
  workMigration,
];

export function versionOf(sql: Sql): number {
  return sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Updates the schema to the last version, all steps in one transaction. If one fails, nothing has changed. */
export function migrate(sql: Sql, steps: readonly Migration[]): void {
  sql.transaction(() => {
    const from = versionOf(sql);
    for (const step of steps) {
      if (step.version <= from) continue;
      try {
        sql.exec(step.sql);
        step.finish?.(sql);
      } catch (error) {
        // With room, or without the other program, the same step succeeds.
        if (failureOf(error)?.retryable) throw error;
        const failure = appError('storage-unusable', `migration ${step.version} of the database failed`);
        failure.cause = error;
        throw failure;
      }
      sql.exec(`PRAGMA user_version = ${step.version}`);
    }
  });
}
