CREATE SCHEMA sealdesk;
CREATE TABLE sealdesk.schema_versions (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE teams (
  team_id uuid PRIMARY KEY, name text NOT NULL UNIQUE,
  is_restored boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE programs (
  program_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams,
  person text NOT NULL, computer text NOT NULL, version text NOT NULL, seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE claims (
  claim_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams,
  kind text NOT NULL, claim_key text NOT NULL, program_id uuid NOT NULL, title text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'done', 'in-doubt', 'refused', 'released')),
  document_id text, second_of uuid, without_register boolean NOT NULL DEFAULT false, declared_by text,
  version bigint NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(), changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX claims_live ON claims (team_id, kind, claim_key) WHERE state IN ('claimed', 'done', 'in-doubt') AND second_of IS NULL;
CREATE INDEX claims_key ON claims (team_id, kind, claim_key) WHERE state IN ('claimed', 'done', 'in-doubt');
CREATE INDEX claims_open ON claims (team_id, claimed_at) WHERE state IN ('claimed', 'in-doubt');
CREATE TABLE documents (
  team_id uuid NOT NULL REFERENCES teams, document_id text NOT NULL, program_id uuid NOT NULL,
  name text NOT NULL, description text NOT NULL, client_id text NOT NULL, signers text NOT NULL, file_name text,
  size_bytes bigint, sha256 text, registered_at timestamptz NOT NULL,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (team_id, document_id)
);
CREATE INDEX documents_changed ON documents (team_id, change_xid, document_id);
CREATE TABLE requests (
  team_id uuid NOT NULL REFERENCES teams, document_id text NOT NULL, assignee text NOT NULL DEFAULT '', due_on date,
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (team_id, document_id)
);
CREATE TABLE notes (
  note_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams, document_id text NOT NULL,
  program_id uuid NOT NULL, note text NOT NULL, written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notes_of ON notes (team_id, document_id, written_at);
CREATE TABLE events (
  event_id text PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams, happened_at timestamptz NOT NULL DEFAULT now(),
  program_id uuid NOT NULL, kind text NOT NULL, title text NOT NULL, document_id text, database_user text NOT NULL DEFAULT session_user
);
CREATE INDEX events_requests ON events (team_id) WHERE kind IN ('assigned', 'note-added', 'due-changed');
CREATE INDEX events_latest ON events (team_id, happened_at DESC, event_id DESC);
CREATE TABLE lists (
  team_id uuid NOT NULL REFERENCES teams, list_type integer NOT NULL,
  copy_id uuid, content text, pieces text[] NOT NULL DEFAULT '{}', total integer NOT NULL DEFAULT 0, nil_entries integer NOT NULL DEFAULT 0,
  read_at timestamptz, read_by uuid, leased_by uuid, leased_until timestamptz, PRIMARY KEY (team_id, list_type)
);
CREATE TABLE list_pieces (
  team_id uuid NOT NULL REFERENCES teams, list_type integer NOT NULL, piece text NOT NULL, entries text NOT NULL,
  PRIMARY KEY (team_id, list_type, piece)
);
CREATE TABLE service_calls (
  team_id uuid NOT NULL REFERENCES teams, hour timestamptz NOT NULL, used integer NOT NULL, PRIMARY KEY (team_id, hour)
);
CREATE TABLE shared_items (
  team_id uuid NOT NULL REFERENCES teams, kind text NOT NULL, item_key text NOT NULL CHECK (char_length(item_key) BETWEEN 1 AND 1000),
  value text CHECK (octet_length(value) <= 65536), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (team_id, kind, item_key)
);
CREATE INDEX shared_items_changed ON shared_items (team_id, change_xid, kind, item_key);
CREATE TABLE shared_changes (
  change_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), team_id uuid NOT NULL REFERENCES teams, kind text NOT NULL, item_key text NOT NULL,
  value text CHECK (octet_length(value) <= 65536), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  database_user text NOT NULL DEFAULT session_user
);
INSERT INTO sealdesk.schema_versions (version) VALUES (1);
ALTER TABLE claims ADD COLUMN ask text;
INSERT INTO sealdesk.schema_versions (version) VALUES (2);
ALTER TABLE teams ADD COLUMN role_prefix text UNIQUE;
ALTER TABLE programs ADD COLUMN database_user text;
ALTER TABLE programs ALTER COLUMN database_user SET DEFAULT session_user;
UPDATE programs SET database_user = (SELECT e.database_user FROM events AS e WHERE e.program_id = programs.program_id
  ORDER BY e.happened_at DESC LIMIT 1);
DROP POLICY IF EXISTS read_all ON shared_items;
DROP POLICY IF EXISTS add_by_member ON shared_items;
DROP POLICY IF EXISTS change_by_member ON shared_items;
DROP POLICY IF EXISTS add_by_lead ON shared_items;
DROP POLICY IF EXISTS change_by_lead ON shared_items;
ALTER TABLE list_pieces ADD CONSTRAINT list_pieces_hash
  CHECK (piece = translate(rtrim(encode(sha256(convert_to(entries, 'UTF8')), 'base64'), '='), '+/', '-_')) NOT VALID;
ALTER TABLE lists ADD CONSTRAINT lists_pieces_length
  CHECK (cardinality(pieces) <= 20000 AND octet_length(array_to_string(pieces, '')) <= 1000000) NOT VALID;
ALTER TABLE teams ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON teams FOR SELECT USING (pg_has_role(session_user, (role_prefix || '_reader')::name, 'member'));
CREATE POLICY change ON teams FOR UPDATE USING (pg_has_role(session_user, (role_prefix || '_member')::name, 'member')) WITH CHECK (is_restored OR pg_has_role(session_user, (role_prefix || '_lead')::name, 'member'));
ALTER TABLE programs ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON programs FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON programs FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND database_user = session_user AND seen_at <= now());
CREATE POLICY change ON programs FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND coalesce(database_user, session_user) = session_user) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND database_user = session_user AND seen_at <= now());
ALTER TABLE claims ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON claims FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON claims FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user) AND declared_by IS NULL);
CREATE POLICY change ON claims FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member'))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND changed_at = now() AND (program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user) OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member')) AND declared_by = session_user));
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON documents FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON documents FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user) AND registered_at <= now());
ALTER TABLE requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON requests FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON requests FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
CREATE POLICY change ON requests FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member'))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND changed_at = now());
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON notes FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON notes FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user));
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON events FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON events FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user) AND (kind NOT IN ('declared-in-doubt', 'settled') OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member'))) AND NOT EXISTS (
      SELECT 1 FROM sealdesk.claims AS c WHERE c.claim_id = left(event_id, 36)::uuid AND c.program_id <> events.program_id));
ALTER TABLE shared_items ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON shared_items FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON shared_items FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND (kind IN ('template', 'preset', 'view') OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member'))) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user));
CREATE POLICY change ON shared_items FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND (kind IN ('template', 'preset', 'view') OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member')))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND (kind IN ('template', 'preset', 'view') OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member'))) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user) AND changed_at = now());
ALTER TABLE shared_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON shared_changes FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON shared_changes FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND (kind IN ('template', 'preset', 'view') OR team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_lead')::name, 'member'))) AND program_id IN (SELECT p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user));
ALTER TABLE lists ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON lists FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON lists FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
CREATE POLICY change ON lists FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member'))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
ALTER TABLE list_pieces ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON list_pieces FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON list_pieces FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
CREATE POLICY remove ON list_pieces FOR DELETE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
ALTER TABLE service_calls ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON service_calls FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON service_calls FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
CREATE POLICY change ON service_calls FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member'))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
CREATE POLICY remove ON service_calls FOR DELETE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND hour < now() - interval '1 day');
ALTER TABLE teams ADD CONSTRAINT teams_name_length CHECK (char_length(name) <= 80) NOT VALID;
ALTER TABLE teams ADD CONSTRAINT teams_role_prefix_length CHECK (char_length(role_prefix) <= 63) NOT VALID;
ALTER TABLE programs ADD CONSTRAINT programs_person_length CHECK (char_length(person) <= 300) NOT VALID;
ALTER TABLE programs ADD CONSTRAINT programs_computer_length CHECK (char_length(computer) <= 300) NOT VALID;
ALTER TABLE programs ADD CONSTRAINT programs_version_length CHECK (char_length(version) <= 100) NOT VALID;
ALTER TABLE programs ADD CONSTRAINT programs_database_user_length CHECK (char_length(database_user) <= 63) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_kind_length CHECK (char_length(kind) <= 100) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_claim_key_length CHECK (char_length(claim_key) <= 200) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_title_length CHECK (char_length(title) <= 1000) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_state_length CHECK (char_length(state) <= 20) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_document_id_length CHECK (char_length(document_id) <= 1000) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_declared_by_length CHECK (char_length(declared_by) <= 200) NOT VALID;
ALTER TABLE claims ADD CONSTRAINT claims_ask_length CHECK (char_length(ask) <= 100) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_document_id_length CHECK (char_length(document_id) <= 1000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_name_length CHECK (char_length(name) <= 1000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_description_length CHECK (char_length(description) <= 10000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_client_id_length CHECK (char_length(client_id) <= 1000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_signers_length CHECK (char_length(signers) <= 10000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_file_name_length CHECK (char_length(file_name) <= 1000) NOT VALID;
ALTER TABLE documents ADD CONSTRAINT documents_sha256_length CHECK (char_length(sha256) <= 64) NOT VALID;
ALTER TABLE requests ADD CONSTRAINT requests_document_id_length CHECK (char_length(document_id) <= 1000) NOT VALID;
ALTER TABLE requests ADD CONSTRAINT requests_assignee_length CHECK (char_length(assignee) <= 200) NOT VALID;
ALTER TABLE notes ADD CONSTRAINT notes_document_id_length CHECK (char_length(document_id) <= 1000) NOT VALID;
ALTER TABLE notes ADD CONSTRAINT notes_note_length CHECK (char_length(note) <= 4000) NOT VALID;
ALTER TABLE events ADD CONSTRAINT events_event_id_length CHECK (char_length(event_id) <= 100) NOT VALID;
ALTER TABLE events ADD CONSTRAINT events_kind_length CHECK (char_length(kind) <= 40) NOT VALID;
ALTER TABLE events ADD CONSTRAINT events_title_length CHECK (char_length(title) <= 1000) NOT VALID;
ALTER TABLE events ADD CONSTRAINT events_document_id_length CHECK (char_length(document_id) <= 1000) NOT VALID;
ALTER TABLE events ADD CONSTRAINT events_database_user_length CHECK (char_length(database_user) <= 63) NOT VALID;
ALTER TABLE shared_items ADD CONSTRAINT shared_items_kind_length CHECK (char_length(kind) <= 20) NOT VALID;
ALTER TABLE shared_items ADD CONSTRAINT shared_items_item_key_length CHECK (char_length(item_key) <= 1000) NOT VALID;
ALTER TABLE shared_items ADD CONSTRAINT shared_items_value_length CHECK (char_length(value) <= 65536) NOT VALID;
ALTER TABLE shared_changes ADD CONSTRAINT shared_changes_kind_length CHECK (char_length(kind) <= 20) NOT VALID;
ALTER TABLE shared_changes ADD CONSTRAINT shared_changes_item_key_length CHECK (char_length(item_key) <= 1000) NOT VALID;
ALTER TABLE shared_changes ADD CONSTRAINT shared_changes_value_length CHECK (char_length(value) <= 65536) NOT VALID;
ALTER TABLE shared_changes ADD CONSTRAINT shared_changes_database_user_length CHECK (char_length(database_user) <= 63) NOT VALID;
ALTER TABLE lists ADD CONSTRAINT lists_content_length CHECK (char_length(content) <= 100) NOT VALID;
ALTER TABLE list_pieces ADD CONSTRAINT list_pieces_piece_length CHECK (char_length(piece) <= 100) NOT VALID;
ALTER TABLE list_pieces ADD CONSTRAINT list_pieces_entries_length CHECK (char_length(entries) <= 8000000) NOT VALID;
INSERT INTO sealdesk.schema_versions (version) VALUES (3);
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
ALTER TABLE feeds ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON feeds FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY change ON feeds FOR UPDATE USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member'))) WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND next_position BETWEEN 1 AND 2000000
      + (SELECT coalesce(max(c.position), 0) FROM sealdesk.changes AS c WHERE c.team_id = feeds.team_id));
ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON changes FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON changes FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')) AND position BETWEEN 1 AND 1000000
      + (SELECT f.next_position FROM sealdesk.feeds AS f WHERE f.team_id = changes.team_id));
INSERT INTO sealdesk.schema_versions (version) VALUES (4);
CREATE TABLE services (
  team_id uuid NOT NULL REFERENCES teams, address text NOT NULL CHECK (char_length(address) <= 3000),
  namespace text NOT NULL CHECK (char_length(namespace) <= 500), same_as text CHECK (char_length(same_as) <= 3000),
  database_user text NOT NULL DEFAULT session_user CHECK (char_length(database_user) <= 63), added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, address, namespace)
);
CREATE UNIQUE INDEX services_first ON services (team_id) WHERE same_as IS NULL;
ALTER TABLE services ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON services FOR SELECT USING (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_reader')::name, 'member')));
CREATE POLICY add ON services FOR INSERT WITH CHECK (team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE pg_has_role(session_user, (t.role_prefix || '_member')::name, 'member')));
INSERT INTO sealdesk.schema_versions (version) VALUES (5);
WITH made AS (INSERT INTO sealdesk.teams (team_id, name, role_prefix) VALUES ($1::uuid, $2, 'sealdesk_database_team') RETURNING team_id)
INSERT INTO sealdesk.feeds (team_id) SELECT team_id FROM made;
CREATE ROLE sealdesk_database_team_reader NOLOGIN;
CREATE ROLE sealdesk_database_team_member NOLOGIN;
CREATE ROLE sealdesk_database_team_lead NOLOGIN;
GRANT sealdesk_database_team_reader TO sealdesk_database_team_member;
GRANT sealdesk_database_team_member TO sealdesk_database_team_lead;
GRANT USAGE ON SCHEMA sealdesk TO sealdesk_database_team_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sealdesk TO sealdesk_database_team_reader;
GRANT UPDATE (is_restored) ON sealdesk.teams TO sealdesk_database_team_member;
GRANT INSERT (program_id, team_id, person, computer, version), UPDATE (person, computer, version, seen_at, database_user) ON sealdesk.programs TO sealdesk_database_team_member;
GRANT INSERT (claim_id, team_id, kind, claim_key, program_id, title, state, document_id, second_of, without_register, version, ask),
  UPDATE (state, document_id, second_of, without_register, version, changed_at, ask) ON sealdesk.claims TO sealdesk_database_team_member;
GRANT UPDATE (declared_by) ON sealdesk.claims TO sealdesk_database_team_lead;
GRANT INSERT (team_id, document_id, program_id, name, description, client_id, signers, file_name, size_bytes, sha256, registered_at) ON sealdesk.documents TO sealdesk_database_team_member;
GRANT INSERT (team_id, document_id, assignee, due_on), UPDATE (assignee, due_on, changed_at) ON sealdesk.requests TO sealdesk_database_team_member;
GRANT INSERT (note_id, team_id, document_id, program_id, note) ON sealdesk.notes TO sealdesk_database_team_member;
GRANT INSERT (event_id, team_id, program_id, kind, title, document_id) ON sealdesk.events TO sealdesk_database_team_member;
GRANT INSERT (team_id, kind, item_key, value, program_id), UPDATE (value, program_id, changed_at) ON sealdesk.shared_items TO sealdesk_database_team_member;
GRANT INSERT (team_id, kind, item_key, value, program_id) ON sealdesk.shared_changes TO sealdesk_database_team_member;
GRANT UPDATE (next_position) ON sealdesk.feeds TO sealdesk_database_team_member;
GRANT UPDATE (epoch) ON sealdesk.feeds TO sealdesk_database_team_lead;
GRANT INSERT (team_id, position, kind, item) ON sealdesk.changes TO sealdesk_database_team_member;
GRANT INSERT (team_id, address, namespace, same_as) ON sealdesk.services TO sealdesk_database_team_member;
GRANT INSERT (team_id, list_type, leased_by, leased_until),
  UPDATE (copy_id, content, pieces, total, nil_entries, read_at, read_by, leased_by, leased_until) ON sealdesk.lists TO sealdesk_database_team_member;
GRANT INSERT, DELETE ON sealdesk.list_pieces TO sealdesk_database_team_member;
GRANT INSERT, UPDATE, DELETE ON sealdesk.service_calls TO sealdesk_database_team_member;
