import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import { type GivePassword, isLoopback, type TeamDatabase, withTeamDatabase } from './database.ts';
import { otherSchema } from './feed.ts';
import { roleIn } from './rights.ts';
import { schemaVersion } from './schema.ts';
import { type ServiceName, serviceNames } from './services.ts';
import { readPeople } from './team-notes.ts';

/** Connects once and says what is there; changes nothing. Rejects with a `team-` failure if the register cannot be used at all. */
export async function checkTeam(
  settings: TeamSettings,
  password: string | GivePassword,
): Promise<{ readonly teamId: string; readonly services: readonly ServiceName[]; readonly found: TeamCheck }> {
  const look = async (database: TeamDatabase) => {
    const askedAtMs = Date.now();
    const [found] = await database.query<{
      server: string;
      at: string;
      isDurable: boolean;
      isEncrypted: boolean;
      schema: number | null;
      teamId: string | null;
    }>(
      `SELECT split_part(current_setting('server_version'), ' ', 1) AS server, clock_timestamp() AS at,
         current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS "isDurable",
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
         (SELECT max(version) FROM sealdesk.schema_versions) AS schema, (SELECT team_id FROM sealdesk.teams WHERE name = $1) AS "teamId"`,
      [settings.team],
    );
    const midMs = (askedAtMs + Date.now()) / 2;
    const version = found?.schema ?? 0;
    if (version < schemaVersion) throw otherSchema(version);
    if (!found?.teamId) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
    const { teamId, server: serverVersion, isDurable, isEncrypted, at } = found;
    const role = await roleIn(database, teamId);
    const people = await readPeople(database.query, teamId);
    return {
      teamId,
      services: version === schemaVersion ? await serviceNames(database.query, teamId) : [],
      found: {
        role,
        serverVersion,
        canSend: version === schemaVersion && role !== 'reader',
        isEncrypted: isEncrypted || !isLoopback(settings.host),
        clockOffByMs: Math.round(midMs - Date.parse(at)),
        isDurable,
        people,
      },
    };
  };
  return await withTeamDatabase(look, settings, password);
}
