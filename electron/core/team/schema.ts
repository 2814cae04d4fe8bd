import { listTables } from './list-tables.ts';
import { sharedTables } from './shared-tables.ts';

/** Version of the schema that this program writes and reads. */
export const schemaVersion = 2;

/** States of claims that hold others back. */
export const liveStates = "('claimed', 'done', 'in-doubt')";

const roles = ['sealdesk_reader', 'sealdesk_member', 'sealdesk_lead'] as const;

/**
 * `change_xid` is the transaction that wrote a row last. Changes are followed by it (follow-documents.ts), never by a sequence or a clock: those are given out
 * before the commit, and commits overtake each other.
 */
const tables = `
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
CREATE UNIQUE INDEX claims_live ON claims (team_id, kind, claim_key) WHERE state IN ${liveStates} AND second_of IS NULL;
CREATE INDEX claims_key ON claims (team_id, kind, claim_key) WHERE state IN ${liveStates};
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
`;

/** Nobody but the owner of the tables may change or remove an event or a note; only a lead may decide in place of another program. */
const rights = `
GRANT USAGE ON SCHEMA sealdesk TO sealdesk_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sealdesk TO sealdesk_reader;
GRANT sealdesk_reader TO sealdesk_member;
GRANT sealdesk_member TO sealdesk_lead;
GRANT INSERT ON programs, claims, documents, requests, notes, events TO sealdesk_member;
GRANT UPDATE ON programs, documents, requests TO sealdesk_member;
GRANT UPDATE (state, document_id, second_of, without_register, version, changed_at) ON claims TO sealdesk_member;
GRANT UPDATE (is_restored) ON teams TO sealdesk_member;
GRANT UPDATE (declared_by) ON claims TO sealdesk_lead;
`;

/** A claim is asked for again only by who knows the token of the last request. */
const tokens = `
ALTER TABLE claims ADD COLUMN ask text;
GRANT UPDATE (ask) ON claims TO sealdesk_member;
`;

/** The steps of the schema, by the version that each leads to. A released step is never changed: a new one is added. */
export const schemaSteps: readonly { readonly version: number; readonly sql: string }[] = [
  { version: 1, sql: tables + listTables + rights + sharedTables },
  { version: 2, sql: tokens },
];

/** Statements that create what is missing before the steps. Roles belong to the whole server, so they may be there already. */
export function foundationOf(known: { readonly roles: readonly string[]; readonly hasSchema: boolean }): string[] {
  return [
    ...roles.filter((role) => !known.roles.includes(role)).map((role) => `CREATE ROLE ${role} NOLOGIN`),
    ...(known.hasSchema
      ? []
      : [
          'CREATE SCHEMA sealdesk',
          'CREATE TABLE sealdesk.schema_versions (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
        ]),
  ];
}
