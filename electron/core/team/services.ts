import { appError } from '../foundation/app-error.ts';
import type { Query } from './database.ts';

/** A service as a connection names it. One service may have several names: an alias of its host, or an address inside and one outside. */
export interface ServiceName {
  readonly address: string;
  readonly namespace: string;
}

/** The names that the service of a team has. The first one is of who joined first; others are `same_as` it by a person's word. */
export const serviceTables = `
CREATE TABLE services (
  team_id uuid NOT NULL REFERENCES teams, address text NOT NULL CHECK (char_length(address) <= 3000),
  namespace text NOT NULL CHECK (char_length(namespace) <= 500), same_as text CHECK (char_length(same_as) <= 3000),
  database_user text NOT NULL DEFAULT session_user CHECK (char_length(database_user) <= 63), added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, address, namespace)
);
CREATE UNIQUE INDEX services_first ON services (team_id) WHERE same_as IS NULL;
`;

/** The names that the team's service has; none before somebody joined. */
export async function serviceNames(query: Query, teamId: string): Promise<ServiceName[]> {
  return await query<ServiceName>(
    `SELECT left(address, 3000) AS address, left(namespace, 500) AS namespace FROM sealdesk.services
     WHERE team_id = $1::uuid ORDER BY same_as IS NOT NULL, added_at LIMIT 100`,
    [teamId],
  );
}

/** Throws if the team's service has other names: documents that one service has are not known to another. */
export function assertService(names: readonly ServiceName[], own: ServiceName): void {
  if (names.length === 0) return;
  if (names.some(({ address, namespace }) => address === own.address && namespace === own.namespace)) return;
  throw appError('not-connected', 'the team has another service', { detail: 'team-other-service' });
}

/** Adds a name of the team's service: the first one, or, by a person's word (`isSame`), another one. */
export async function addService(query: Query, teamId: string, own: ServiceName, isSame: boolean): Promise<void> {
  await query(
    `INSERT INTO sealdesk.services (team_id, address, namespace, same_as)
     SELECT $1::uuid, $2, $3, (SELECT address FROM sealdesk.services WHERE team_id = $1::uuid AND same_as IS NULL)
     WHERE $4 OR NOT EXISTS (SELECT 1 FROM sealdesk.services WHERE team_id = $1::uuid) ON CONFLICT DO NOTHING`,
    [teamId, own.address, own.namespace, isSame],
  );
}
