import { largestItemBytes } from './rights.ts';

/** Version of the schema that this program writes and reads. */
export const schemaVersion = 12;

/** States of claims that hold others back. */
export const liveStates = "('claimed', 'done', 'in-doubt')";

/** A column, with its longest text in characters: what a program reads of it, and no more is taken. */
const text = (column: string, most: number) =>
  `${column} text CONSTRAINT ${column}_length CHECK (char_length(${column}) <= ${most})`;

const tables = `
CREATE TABLE teams (
  team_id uuid PRIMARY KEY, ${text('name', 80)} NOT NULL UNIQUE,
  is_restored boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now(), ${text('role_prefix', 63)} UNIQUE
);
CREATE TABLE programs (
  program_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams,
  ${text('person', 300)} NOT NULL, ${text('computer', 300)} NOT NULL, ${text('version', 100)} NOT NULL, seen_at timestamptz NOT NULL DEFAULT now(),
  ${text('database_user', 63)} DEFAULT session_user
);
CREATE TABLE claims (
  claim_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams,
  ${text('kind', 100)} NOT NULL, ${text('claim_key', 200)} NOT NULL, program_id uuid NOT NULL, ${text('title', 1000)} NOT NULL,
  ${text('state', 20)} NOT NULL CHECK (state IN ('claimed', 'done', 'in-doubt', 'refused', 'released')),
  ${text('document_id', 1000)}, second_of uuid, without_register boolean NOT NULL DEFAULT false, ${text('declared_by', 200)},
  version bigint NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(), changed_at timestamptz NOT NULL DEFAULT now(), ${text('ask', 100)}
);
CREATE UNIQUE INDEX claims_live ON claims (team_id, kind, claim_key) WHERE state IN ${liveStates} AND second_of IS NULL;
CREATE INDEX claims_key ON claims (team_id, kind, claim_key) WHERE state IN ${liveStates};
CREATE INDEX claims_open ON claims (team_id, claimed_at) WHERE state IN ('claimed', 'in-doubt');
CREATE TABLE documents (
  team_id uuid NOT NULL REFERENCES teams, ${text('document_id', 1000)} NOT NULL, program_id uuid NOT NULL,
  ${text('name', 1000)} NOT NULL, ${text('description', 10_000)} NOT NULL, ${text('client_id', 1000)} NOT NULL, ${text('signers', 10_000)} NOT NULL,
  ${text('file_name', 1000)}, size_bytes bigint, ${text('sha256', 64)}, registered_at timestamptz NOT NULL, PRIMARY KEY (team_id, document_id)
);
CREATE TABLE requests (
  team_id uuid NOT NULL REFERENCES teams, ${text('document_id', 1000)} NOT NULL, ${text('assignee', 200)} NOT NULL DEFAULT '', due_on date,
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (team_id, document_id)
);
CREATE TABLE notes (
  note_id uuid PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams, ${text('document_id', 1000)} NOT NULL,
  program_id uuid NOT NULL, ${text('note', 4000)} NOT NULL, written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notes_of ON notes (team_id, document_id, written_at);
CREATE TABLE events (
  ${text('event_id', 100)} PRIMARY KEY, team_id uuid NOT NULL REFERENCES teams, happened_at timestamptz NOT NULL DEFAULT now(),
  program_id uuid NOT NULL, ${text('kind', 40)} NOT NULL, ${text('title', 1000)} NOT NULL, ${text('document_id', 1000)},
  ${text('database_user', 63)} NOT NULL DEFAULT session_user
);
CREATE INDEX events_latest ON events (team_id, happened_at DESC, event_id DESC);
`;

/**
 * Lists that one program reads for the whole team, and the team's calls by the hour of the database. A copy is its pieces in order, each stored under the hash of
 * its entries: a list that hardly changed is hardly written again. It holds no secret word.
 */
const listTables = `
CREATE TABLE lists (
  team_id uuid NOT NULL REFERENCES teams, list_type integer NOT NULL,
  copy_id uuid, ${text('content', 100)}, pieces text[] NOT NULL DEFAULT '{}', total integer NOT NULL DEFAULT 0,
  nil_entries integer NOT NULL DEFAULT 0, read_at timestamptz, read_by uuid, leased_by uuid, leased_until timestamptz, PRIMARY KEY (team_id, list_type),
  CONSTRAINT lists_pieces_length CHECK (cardinality(pieces) <= 20000 AND octet_length(array_to_string(pieces, '')) <= 1000000)
);
CREATE TABLE list_pieces (
  team_id uuid NOT NULL REFERENCES teams, list_type integer NOT NULL, ${text('piece', 100)} NOT NULL, ${text('entries', 8_000_000)} NOT NULL,
  PRIMARY KEY (team_id, list_type, piece),
  CONSTRAINT list_pieces_hash CHECK (piece = translate(rtrim(encode(sha256(convert_to(entries, 'UTF8')), 'base64'), '='), '+/', '-_'))
);
CREATE TABLE service_calls (
  team_id uuid NOT NULL REFERENCES teams, hour timestamptz NOT NULL, used integer NOT NULL, PRIMARY KEY (team_id, hour)
);
`;

/**
 * What a team shares: one row for each thing, its value as JSON, null when it is no longer shared. Each change is also a row of `shared_changes`, which nobody may
 * change: what somebody replaced is still there. Only a lead may decide what an answer means for everybody (rights.ts).
 */
const sharedTables = `
CREATE TABLE shared_items (
  team_id uuid NOT NULL REFERENCES teams, ${text('kind', 20)} NOT NULL, item_key text NOT NULL CHECK (char_length(item_key) BETWEEN 1 AND 1000),
  value text CHECK (octet_length(value) <= ${largestItemBytes}), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, kind, item_key)
);
CREATE TABLE shared_changes (
  change_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), team_id uuid NOT NULL REFERENCES teams, ${text('kind', 20)} NOT NULL,
  ${text('item_key', 1000)} NOT NULL, value text CHECK (octet_length(value) <= ${largestItemBytes}), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  ${text('database_user', 63)} NOT NULL DEFAULT session_user
);
`;

/**
 * The feed: every change of a team has a position in the order of its commit, and a random mark that a restore cannot bring along. Both are given by the database. A
 * row says what changed; what it is now is in its own table. The mark is part of the key: a member who puts a row where the next change is to be stops nobody.
 */
const feedTables = `
CREATE TABLE feeds (
  team_id uuid PRIMARY KEY REFERENCES teams, epoch integer NOT NULL DEFAULT 1, next_position bigint NOT NULL DEFAULT 1
);
CREATE TABLE changes (
  team_id uuid NOT NULL, position bigint NOT NULL, mark uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (char_length(kind) <= 20 AND kind IN ('claim', 'document', 'item', 'request', 'list')),
  item text NOT NULL CHECK (char_length(item) <= 2100), PRIMARY KEY (team_id, position, mark)
);
`;

/** The names that the service of a team has. The first one is of who joined first; others are `same_as` it by a person's word. */
const serviceTables = `
CREATE TABLE services (
  team_id uuid NOT NULL REFERENCES teams, address text NOT NULL CHECK (char_length(address) <= 3000),
  namespace text NOT NULL CHECK (char_length(namespace) <= 500), same_as text CHECK (char_length(same_as) <= 3000),
  database_user text NOT NULL DEFAULT session_user CHECK (char_length(database_user) <= 63), added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, address, namespace)
);
CREATE UNIQUE INDEX services_first ON services (team_id) WHERE same_as IS NULL;
`;

/** Anybody could write events in a colleague's name before: a program whose events name several logins is nobody's. It goes on as another one (teams.ts). */
const disputed = `
UPDATE programs SET database_user = NULL WHERE EXISTS (SELECT 1 FROM events AS e WHERE e.program_id = programs.program_id
  AND e.database_user <> programs.database_user);
ALTER TABLE service_calls ADD CHECK (used >= 0) NOT VALID;
`;

/** The oldest schema that is brought forward. */
export const firstVersion = 5;

/**
 * SQL: which database this is. A dump that is read back makes the database or its tables anew, with other numbers; a standby that takes over, and a restore to a point in time, begin another timeline.
 * A standby that has not taken over is the same database.
 */
export const databaseIdentity = `(SELECT d.oid || ' ' || 'sealdesk.feeds'::regclass::oid || ' ' || CASE WHEN pg_is_in_recovery()
  THEN (SELECT upper(lpad(to_hex(timeline_id), 8, '0')) FROM pg_control_checkpoint()) ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END
  FROM pg_database AS d WHERE d.datname = current_database())`;

/**
 * The steps of the schema, by the version that each leads to. A released step is never changed: a new one is added. What roles may do is no step: it is written anew with
 * each (rights.ts).
 */
export const schemaSteps: readonly { readonly version: number; readonly sql: string }[] = [
  { version: firstVersion, sql: tables + listTables + sharedTables + feedTables + serviceTables },
  { version: 6, sql: disputed },
  // Rights alone (rights.ts).
  { version: 7, sql: '' },
  // Of the database in which each team was set up, or let go on.
  {
    version: 8,
    sql: `ALTER TABLE teams ADD COLUMN database_identity text CHECK (char_length(database_identity) <= 100); UPDATE teams SET database_identity = ${databaseIdentity}`,
  },
  // The epoch stands with the database, in the one row of which the policy can tell who changes what (rights.ts).
  {
    version: 9,
    sql: `ALTER TABLE teams ADD COLUMN epoch integer NOT NULL DEFAULT 1; UPDATE teams SET epoch = f.epoch FROM feeds AS f WHERE f.team_id = teams.team_id;
      ALTER TABLE feeds DROP COLUMN epoch; CREATE INDEX events_told ON events (program_id) WHERE kind = 'told-all'`,
  },
  // Who decided about a claim, by the database's word: the column of the claim can be written by who leads another team.
  {
    version: 10,
    sql: `CREATE TABLE decisions (claim_id uuid, team_id uuid NOT NULL REFERENCES teams,
        database_user text DEFAULT session_user CHECK (char_length(database_user) <= 200), PRIMARY KEY (claim_id, database_user));
      INSERT INTO decisions SELECT claim_id, team_id, declared_by FROM claims WHERE declared_by IS NOT NULL`,
  },
  // The policy that names the column is made anew after it, as all are (rights.ts).
  { version: 11, sql: 'DROP POLICY IF EXISTS change ON teams; ALTER TABLE teams ALTER COLUMN epoch TYPE bigint' },
  // A row of another team, which nobody of this one sees, is in nobody's way.
  {
    version: 12,
    sql: `ALTER TABLE programs DROP CONSTRAINT programs_pkey, ADD PRIMARY KEY (team_id, program_id);
      ALTER TABLE claims DROP CONSTRAINT claims_pkey, ADD PRIMARY KEY (team_id, claim_id);
      ALTER TABLE decisions DROP CONSTRAINT decisions_pkey, ADD PRIMARY KEY (team_id, claim_id, database_user);
      ALTER TABLE events DROP CONSTRAINT events_pkey, ADD PRIMARY KEY (team_id, event_id)`,
  },
];

/** Statements that create the schema before the steps. */
export const foundation: readonly string[] = [
  'CREATE SCHEMA sealdesk',
  'CREATE TABLE sealdesk.schema_versions (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
];
