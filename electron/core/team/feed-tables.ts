/**
 * The feed: every change of a team has a position in the order of its commit, and a random mark that a restore cannot bring along. Both are given by the database. A
 * row says what changed; what it is now is in its own table. The mark is part of the key: a member who puts a row where the next change is to be stops nobody.
 */
export const feedTables = `
CREATE TABLE feeds (
  team_id uuid PRIMARY KEY REFERENCES teams, epoch integer NOT NULL DEFAULT 1, next_position bigint NOT NULL DEFAULT 1
);
CREATE TABLE changes (
  team_id uuid NOT NULL, position bigint NOT NULL, mark uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (char_length(kind) <= 20 AND kind IN ('claim', 'document', 'item', 'request', 'list')),
  item text NOT NULL CHECK (char_length(item) <= 2100), PRIMARY KEY (team_id, position, mark)
);
INSERT INTO feeds (team_id) SELECT team_id FROM teams;
WITH listed AS (
  SELECT team_id, 'document' AS kind, document_id AS item, registered_at AS at FROM documents
  UNION ALL SELECT team_id, 'item', kind || ' ' || item_key, changed_at FROM shared_items
), numbered AS (
  INSERT INTO changes (team_id, position, kind, item) SELECT team_id, row_number() OVER (PARTITION BY team_id ORDER BY at, item), kind, item FROM listed
  RETURNING team_id
) UPDATE feeds SET next_position = 1 + (SELECT count(*) FROM numbered WHERE numbered.team_id = feeds.team_id);
DROP INDEX documents_changed;
DROP INDEX shared_items_changed;
DROP INDEX events_requests;
ALTER TABLE documents DROP COLUMN change_xid;
ALTER TABLE shared_items DROP COLUMN change_xid;
`;
