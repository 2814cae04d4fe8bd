import type { Migration } from './migration.ts';

const operations = "('AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate')";
const colleagues = "job_id IS NULL AND by_person IS NOT NULL AND signers <> ''";

/**
 * One row per signature request that was sent from here (job_id) or by a colleague (a document of the team). It is computed from the job, the document and the entries that
 * the lists had (signatures/requests/compute-requests.ts): is_stale says that one of them changed, is_open that the next reading of a list may change it. The
 * triggers are in the transaction of the change, whichever part of the program makes it. state is null for what was not sent and is dealt with.
 * first_read_at of a list: a signature that was there then has no time.
 */
const sql = `
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, connection_id TEXT NOT NULL, job_id TEXT UNIQUE,
  document_id TEXT COLLATE NOCASE, name TEXT NOT NULL DEFAULT '', sent_at TEXT NOT NULL, state TEXT, signers TEXT NOT NULL DEFAULT '[]',
  is_open INTEGER NOT NULL DEFAULT 1, is_stale INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX requests_of_colleagues ON requests (connection_id, document_id) WHERE job_id IS NULL;
CREATE INDEX requests_document ON requests (connection_id, document_id);
CREATE INDEX requests_state ON requests (connection_id, state);
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
CREATE TRIGGER requests_of_colleague AFTER INSERT ON documents WHEN NEW.${colleagues.replaceAll(' AND ', ' AND NEW.')} BEGIN
  INSERT OR IGNORE INTO requests (connection_id, document_id, sent_at) VALUES (NEW.connection_id, NEW.document_id, NEW.registered_at);
END;
CREATE TRIGGER requests_document_changed AFTER UPDATE OF job_id, by_person, signers, name ON documents BEGIN
  DELETE FROM requests WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id AND job_id IS NULL
    AND NOT (NEW.${colleagues.replaceAll(' AND ', ' AND NEW.')});
  INSERT OR IGNORE INTO requests (connection_id, document_id, sent_at)
    SELECT NEW.connection_id, NEW.document_id, NEW.registered_at WHERE NEW.${colleagues.replaceAll(' AND ', ' AND NEW.')};
  UPDATE requests SET is_stale = 1 WHERE connection_id = NEW.connection_id AND document_id = NEW.document_id;
END;
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
`;

export const requestsMigration: Migration = { version: 21, sql };
