import type { TeamRole } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import type { TeamDatabase } from './database.ts';
import { hasRole, levels } from './rights.ts';

/** The role of the database user in a team, by its ID or its name. */
export async function roleIn({ query }: Pick<TeamDatabase, 'query'>, team: string): Promise<TeamRole> {
  const [may] = await query<Readonly<Record<TeamRole, boolean>>>(
    `SELECT ${levels.map((level) => `${hasRole(level)} AS ${level}`).join(', ')} FROM sealdesk.teams WHERE $1 IN (team_id::text, name)`,
    [team],
  );
  if (!may) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
  return may.lead ? 'lead' : may.member ? 'member' : 'reader';
}
