/**
 * Lists that one program reads for the whole team, and the team's calls by the hour of the database. A copy is its pieces in order, each stored under the hash of
 * its entries: a list that hardly changed is hardly written again. It holds no secret word.
 */
export const listTables = `
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
`;
