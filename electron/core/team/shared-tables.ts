/** Largest value in bytes of UTF-8. */
export const largestItemBytes = 65_536;

/**
 * What a team shares: one row for each thing, its value as JSON, null when it is no longer shared. Each change is also a row of `shared_changes`, which nobody may
 * change: what somebody replaced is still there. Only a lead may decide what an answer means for everybody (rights.ts).
 */
export const sharedTables = `
CREATE TABLE shared_items (
  team_id uuid NOT NULL REFERENCES teams, kind text NOT NULL, item_key text NOT NULL CHECK (char_length(item_key) BETWEEN 1 AND 1000),
  value text CHECK (octet_length(value) <= ${largestItemBytes}), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (team_id, kind, item_key)
);
CREATE INDEX shared_items_changed ON shared_items (team_id, change_xid, kind, item_key);
CREATE TABLE shared_changes (
  change_id uuid PRIMARY KEY DEFAULT gen_random_uuid(), team_id uuid NOT NULL REFERENCES teams, kind text NOT NULL, item_key text NOT NULL,
  value text CHECK (octet_length(value) <= ${largestItemBytes}), program_id uuid NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  database_user text NOT NULL DEFAULT session_user
);
`;
