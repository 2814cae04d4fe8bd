import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import { type GivePassword, isLoopback, type TeamDatabase, withTeamDatabase } from './database.ts';
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
    const [server] = await database.query<{
      version: string;
      at: string;
      fsync: string;
      commit: string;
      encrypted: boolean;
    }>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS at, current_setting('fsync') AS fsync,
         current_setting('full_page_writes') AS commit,
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted`,
    );
    const midMs = (askedAtMs + Date.now()) / 2;
    const [schema] = await database.query<{ version: number | null }>(
      'SELECT max(version) AS version FROM sealdesk.schema_versions',
    );
    const version = schema?.version ?? 0;
    if (version < schemaVersion)
      throw appError('not-connected', `the register has schema ${version}`, { detail: 'team-older' });
    const [team] = await database.query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams WHERE name = $1', [
      settings.team,
    ]);
    if (!server || !team) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
    const role = await roleIn(database, team.team_id);
    const people = await readPeople(database.query, team.team_id);
    return {
      teamId: team.team_id,
      services: version === schemaVersion ? await serviceNames(database.query, team.team_id) : [],
      found: {
        role,
        serverVersion: server.version.split(' ')[0] ?? server.version,
        canSend: version === schemaVersion && role !== 'reader',
        isEncrypted: server.encrypted || !isLoopback(settings.host),
        clockOffByMs: Math.round(midMs - Date.parse(server.at)),
        isDurable: server.fsync === 'on' && server.commit === 'on',
        people,
      },
    };
  };
  return await withTeamDatabase(look, settings, password);
}
