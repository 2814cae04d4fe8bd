import { emailKey } from '../../../contract/email.ts';
import type { Migration } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { signersKey } from '../documents/documents.ts';
import { workKey } from '../jobs/same-work.ts';

const operations = "('AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate')";
const colleagues = "job_id IS NULL AND by_person IS NOT NULL AND signers <> ''";
const isColleagues = `NEW.${colleagues.replaceAll(' AND ', ' AND NEW.')}`;
// What a trigger says about a conflict is overruled by the statement that fires it, as that which puts a document again: it looks itself whether the request is there.
const putRequest = `INSERT INTO requests (connection_id, document_id, sent_at) SELECT NEW.connection_id, NEW.document_id, NEW.registered_at WHERE ${isColleagues} AND NOT EXISTS (SELECT 1 FROM requests WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id AND job_id IS NULL);`;
export const colleaguesRequests = `CREATE TRIGGER requests_of_colleague AFTER INSERT ON documents WHEN ${isColleagues} BEGIN ${putRequest} END;
CREATE TRIGGER requests_document_changed AFTER UPDATE OF job_id, by_person, signers, name ON documents BEGIN
  DELETE FROM requests WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id AND job_id IS NULL AND NOT (${isColleagues});
  ${putRequest}
  UPDATE requests SET is_stale = 1 WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id;
END;`;
const late = (latest: string) => `registered_at < strftime('%Y-%m-%dT%H:%M:%fZ', ${latest}, '-1 minute')`;

/** What was added since the first schema. */
const sql = `
-- The end of a job's last attempt, as it was seen: null if the attempt has not ended, or its program was killed meanwhile. at is what a person is shown as the
-- time of a job. The first statement fills in what the history of older jobs says; taking the document that a person chose is not the end of an attempt.
ALTER TABLE jobs ADD COLUMN attempt_ended_at TEXT;
UPDATE jobs SET attempt_ended_at = (
  SELECT iif(e.failure ->> '$.note' LIKE 'the program ended after%' OR e.failure ->> '$.note' LIKE '%the database came back older%', NULL, e.at)
  FROM job_events AS e
  WHERE e.job_seq = jobs.seq AND e.kind IN ('done', 'refused', 'failed', 'in-doubt', 'cancelled')
    AND NOT (e.kind = 'done' AND EXISTS (SELECT 1 FROM job_events AS a WHERE a.job_seq = jobs.seq AND a.kind = 'accepted'))
  ORDER BY e.seq DESC LIMIT 1)
WHERE departed_at IS NOT NULL AND state <> 'sending';
ALTER TABLE jobs ADD COLUMN at TEXT GENERATED ALWAYS AS (coalesce(attempt_ended_at, departed_at, updated_at)) VIRTUAL;

-- One row per signature request that was sent from here (job_id) or by a colleague (a document of the team). It is computed from the job, the document and the entries that
-- the lists had (signatures/requests/compute-requests.ts): is_stale says that one of them changed, is_open that the next reading of a list may change it. The
-- triggers are in the transaction of the change, whichever part of the program makes it. state is null for what was not sent and is dealt with.
-- first_read_at of a list: a signature that was there then has no time.
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, job_id TEXT UNIQUE,
  document_id TEXT COLLATE NOCASE, name TEXT NOT NULL DEFAULT '', sent_at TEXT NOT NULL, state TEXT, signers TEXT NOT NULL DEFAULT '[]',
  is_open INTEGER NOT NULL DEFAULT 1, is_stale INTEGER NOT NULL DEFAULT 1, signed_at TEXT
) STRICT;
CREATE UNIQUE INDEX requests_of_colleagues ON requests (connection_id, document_id) WHERE job_id IS NULL;
CREATE INDEX requests_document ON requests (connection_id, document_id);
CREATE INDEX requests_open ON requests (connection_id) WHERE is_open = 1;
CREATE INDEX requests_stale ON requests (connection_id, seq) WHERE is_stale = 1;
CREATE VIRTUAL TABLE requests_search USING fts5 (
  people, name, ids,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
INSERT INTO requests (connection_id, job_id, document_id, sent_at)
  SELECT connection_id, id, document_id, created_at FROM jobs WHERE operation IN ${operations} ORDER BY seq;
INSERT INTO requests (connection_id, document_id, sent_at)
  SELECT connection_id, document_id, registered_at FROM documents WHERE ${colleagues} ORDER BY seq;

CREATE TRIGGER requests_made AFTER INSERT ON jobs WHEN NEW.operation IN ${operations} BEGIN
  INSERT INTO requests (connection_id, job_id, sent_at) VALUES (NEW.connection_id, NEW.id, NEW.created_at);
END;
CREATE TRIGGER requests_changed AFTER UPDATE OF state, document_id, dismissed, held, departed_at ON jobs WHEN NEW.operation IN ${operations} BEGIN
  UPDATE requests SET is_stale = 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER requests_unmade AFTER DELETE ON jobs WHEN OLD.operation IN ${operations} BEGIN
  DELETE FROM requests WHERE job_id = OLD.id;
END;
CREATE TRIGGER requests_removed AFTER DELETE ON requests BEGIN
  DELETE FROM requests_search WHERE rowid = OLD.seq;
END;
${colleaguesRequests}
CREATE TRIGGER requests_document_gone AFTER DELETE ON documents BEGIN
  DELETE FROM requests WHERE connection_id = OLD.connection_id AND document_id = OLD.document_id AND job_id IS NULL;
END;
CREATE TRIGGER requests_status_new AFTER INSERT ON tracked_statuses BEGIN
  UPDATE requests SET is_stale = 1 WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id;
END;
CREATE TRIGGER requests_status_changed AFTER UPDATE OF answer, asked_at ON tracked_statuses BEGIN
  UPDATE requests SET is_stale = 1 WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id;
END;

ALTER TABLE tracked_lists ADD COLUMN first_read_at TEXT;
UPDATE tracked_lists SET first_read_at = coalesce((SELECT min(t.first_seen_at) FROM tracked_places AS p
  JOIN tracked AS t ON t.seq >= p.place * 4294967296 AND t.seq < (p.place + 1) * 4294967296
  WHERE p.connection_id = tracked_lists.connection_id AND p.list_type = tracked_lists.list_type), as_of);

-- Documents in the order of their registration, where that is not the order in which they came here: what colleagues registered before is copied later. As long as no
-- document is late by more than a minute, both are the same, and the search index is in this order too.
ALTER TABLE documents ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_registered ON documents (registered_at, seq);
CREATE INDEX documents_connection_registered ON documents (connection_id, registered_at, seq);
CREATE INDEX documents_late ON documents (seq) WHERE is_late = 1;
UPDATE documents SET is_late = 1 WHERE seq IN (
  SELECT seq FROM (SELECT seq, registered_at, max(registered_at) OVER (ORDER BY seq) AS latest FROM documents) WHERE ${late('latest')}
);
CREATE TRIGGER documents_come_late AFTER INSERT ON documents
WHEN NEW.${late('(SELECT max(registered_at) FROM documents)')} BEGIN
  UPDATE documents SET is_late = 1 WHERE seq = NEW.seq;
END;
-- How far a team's register was followed before there was a feed.
DELETE FROM settings WHERE key LIKE 'team.%.followed';

-- What Home counts, from indexes alone: requests that wait by when they were sent, signatures by when the last of a request was seen (signed_at), and what left by its
-- departure.
CREATE INDEX requests_state ON requests (connection_id, state, sent_at, document_id);
CREATE INDEX requests_signed ON requests (connection_id, signed_at) WHERE signed_at IS NOT NULL AND state IS NOT NULL;
CREATE INDEX jobs_departed ON jobs (connection_id, departed_at, state) WHERE departed_at IS NOT NULL;

-- gate: what keeps a job from being sent until it may be taken back no longer (store/jobs/job-gates.ts). No time is stored: the program whose job it is counts. The
-- triggers compute a request anew when its gate changes.
ALTER TABLE jobs ADD COLUMN gate INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_gate ON jobs (batch_id, gate, run_id) WHERE gate <> 0;
DROP INDEX jobs_next_small;
DROP INDEX jobs_next_old;
CREATE INDEX jobs_next_small ON jobs (run_id, state, connection_id, held, gate, size_bytes, seq);
CREATE INDEX jobs_next_old ON jobs (run_id, state, connection_id, held, gate, seq);
CREATE TRIGGER requests_gate AFTER UPDATE OF gate ON jobs WHEN NEW.gate <> OLD.gate BEGIN
  UPDATE requests SET is_stale = 1 WHERE job_id = NEW.id;
END;

-- begins: a bulk was sent, and its rows were not all given to the queue with their countdown.
ALTER TABLE bulks ADD COLUMN begins INTEGER NOT NULL DEFAULT 0;

-- As of the document, when the additional image was last changed as it was chosen, and its hash as it was checked: another one may be in its place when it is copied.
ALTER TABLE jobs ADD COLUMN image_modified_ms REAL;
ALTER TABLE jobs ADD COLUMN image_sha256 TEXT;

-- People in the form in which they are compared: SQLite's own functions know neither É as é nor the two ways to write either.
-- signers_key: null where it is as signers.
ALTER TABLE documents ADD COLUMN signers_key TEXT;
ALTER TABLE jobs ADD COLUMN work_key TEXT NOT NULL DEFAULT '';
DROP INDEX jobs_sha256;
CREATE INDEX jobs_sha256 ON jobs (connection_id, sha256, work_key);
DROP INDEX jobs_same_order;
CREATE INDEX jobs_same_order ON jobs (connection_id, operation, work_key) WHERE source_path IS NULL;

-- signatures: what a file itself proves, as JSON with the number of the rules by which it was decided; null until it is looked at. own_verdict: its verdict, null where the
-- file is not signed.
ALTER TABLE verify_files ADD COLUMN signatures TEXT;
ALTER TABLE verify_files ADD COLUMN own_verdict TEXT;
CREATE INDEX verify_files_own ON verify_files (scope, own_verdict, from_run, to_run) WHERE own_verdict IS NOT NULL;
-- A receipt asks what files with its bytes prove.
CREATE INDEX verify_files_bytes ON verify_files (sha256) WHERE signatures IS NOT NULL;

-- Which file it was that was chosen (core/files/file-stamp.ts): another one of its size and time may be in its place when it is copied.
ALTER TABLE jobs ADD COLUMN identity TEXT;
ALTER TABLE jobs ADD COLUMN image_identity TEXT;
`;

/** Rows that are read at once: a ledger may have a hundred thousand. */
const slice = 2_000;

/** People in the form in which they are compared now. */
export function keyPeopleAnew(sql: Sql): void {
  eachRow<{ seq: number; signers: string }>(sql, "documents WHERE signers <> ''", 'seq, signers', (row) => {
    sql.run('UPDATE documents SET signers_key = ? WHERE seq = ?', signersKey(row.signers), row.seq);
  });
  const jobs = "jobs WHERE (source_path IS NULL OR json_extract(record, '$.signers') <> '')";
  type Row = {
    readonly seq: number;
    readonly source_path: string | null;
    readonly record: string;
    readonly args: string;
  };
  eachRow<Row>(sql, jobs, 'seq, source_path, record, args', ({ seq, source_path, record, args }) => {
    const job = { sourcePath: source_path, record: JSON.parse(record), args: JSON.parse(args) };
    sql.run('UPDATE jobs SET work_key = ? WHERE seq = ?', workKey(job), seq);
  });
}

function finish(sql: Sql): void {
  keyPeopleAnew(sql);
  eachRow<PersonRow>(sql, 'people WHERE true', '*', (row) => keyAnew(sql, row));
}

function eachRow<Row extends { readonly seq: number }>(
  sql: Sql,
  from: string,
  columns: string,
  change: (row: Row) => void,
): void {
  let last = -1;
  for (;;) {
    const rows = sql.all<Row>(`SELECT ${columns} FROM ${from} AND seq > ? ORDER BY seq LIMIT ${slice}`, last);
    for (const row of rows) change(row);
    if (rows.length < slice) return;
    last = rows.at(-1)?.seq ?? last;
  }
}

interface PersonRow {
  readonly seq: number;
  readonly key: string;
  readonly email: string;
  readonly name: string;
  readonly kept: number;
  readonly uses: number;
  readonly last_used_at: string | null;
}

/** Who was kept as two people becomes one, as last used. */
function keyAnew(sql: Sql, { seq, key: before, email, name, kept, uses, last_used_at }: PersonRow): void {
  const key = emailKey(email);
  if (key === before) return;
  const known = sql.get<PersonRow>('SELECT * FROM people WHERE key = ?', key);
  if (known) sql.run('DELETE FROM people WHERE seq = ?', known.seq);
  const isLater = !known || (last_used_at ?? '') >= (known.last_used_at ?? '');
  sql.run(
    'UPDATE people SET key = ?, email = ?, name = ?, kept = ?, uses = ?, last_used_at = ? WHERE seq = ?',
    key,
    isLater ? email : known.email,
    (isLater ? name || known?.name : known.name || name) ?? '',
    Math.max(kept, known?.kept ?? 0),
    uses + (known?.uses ?? 0),
    isLater ? last_used_at : known.last_used_at,
    seq,
  );
}

export const sinceFirstSchema: Migration = { version: 31, sql, finish };
