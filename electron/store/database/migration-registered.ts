import type { Migration } from './migration.ts';

/**
 * Documents in the order of their registration, where that is not the order in which they came here: what colleagues registered before is copied later. As long as no
 * document is late by more than a minute, both are the same, and the search index is in this order too.
 */
const late = (latest: string) => `registered_at < strftime('%Y-%m-%dT%H:%M:%fZ', ${latest}, '-1 minute')`;
const sql = `
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
`;

export const registeredMigration: Migration = { version: 22, sql };
