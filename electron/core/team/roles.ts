import type { TeamRole } from '../../../contract/team.ts';
import type { TeamDatabase } from './database.ts';

/** The role of the database user. */
export async function roleIn({ query }: Pick<TeamDatabase, 'query'>): Promise<TeamRole> {
  const [may] = await query<{ decides: boolean; sends: boolean }>(
    `SELECT has_column_privilege('sealdesk.claims', 'declared_by', 'UPDATE') AS decides,
       has_table_privilege('sealdesk.claims', 'INSERT') AND has_column_privilege('sealdesk.claims', 'state', 'UPDATE') AS sends`,
  );
  return may?.decides ? 'lead' : may?.sends ? 'member' : 'reader';
}
