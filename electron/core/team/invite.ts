import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { TeamInvitation, TeamPlace, TeamRole } from '../../../contract/team.ts';
import type { TeamDatabase } from './database.ts';
import { prefixOf } from './init-team.ts';
import { boundsOf, quoted } from './rights.ts';

/** What a second person needs to join, without any secret. */
export function invitationTo(
  { host, port, database, team, ca }: TeamPlace,
  user?: string,
  connection?: ConnectionSettings,
): TeamInvitation {
  return {
    ...{ sealdeskTeam: 1, host, port, database, team, ca },
    ...(user === undefined ? {} : { user }),
    ...(connection === undefined ? {} : { connection }),
  };
}

/** The statements that let a login into a team, by an account that may make roles. Carries them out, in one transaction, if `isDone`. */
export async function letIn(
  database: TeamDatabase,
  { team, database: place, login, role }: TeamPlace & { readonly login: string; readonly role: TeamRole },
  isDone: boolean,
): Promise<string[]> {
  return await database.transaction(async (query) => {
    const prefix = await prefixOf({ query }, team);
    const [known] = await query<{ most: number }>('SELECT rolconnlimit AS most FROM pg_roles WHERE rolname = $1', [
      login,
    ]);
    const statements = [
      // Without a password: whoever manages the database sets it, or the server asks somebody else (LDAP).
      ...(known ? [] : [`CREATE ROLE ${quoted(login)} LOGIN`]),
      ...((known?.most ?? -1) < 0 ? boundsOf(login, place) : []),
      `GRANT ${prefix}_${role} TO ${quoted(login)}`,
    ];
    for (const statement of isDone ? statements : []) await query(statement);
    return statements;
  });
}
