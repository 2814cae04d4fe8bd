import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../contract/failure.ts';
import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { appError, knownFailure } from '../foundation/app-error.ts';
import { type GivePassword, isPlain, type Query, type TeamDatabase, withTeamDatabase } from './database.ts';
import { changeTeam, otherSchema } from './feed.ts';
import { roleIn } from './rights.ts';
import { schemaVersion } from './schema.ts';
import { shownPerson } from './shown-text.ts';
import { readPeople } from './team-notes.ts';

/** A service as a connection names it. One service may have several names: an alias of its host, or an address inside and one outside. */
export interface ServiceName {
  readonly address: string;
  readonly namespace: string;
}

/** Enters a program and makes a claim, as before an add leaves, and takes both back: why that is refused, such as for a table that is missing; null if it is not. */
async function triedClaim(database: TeamDatabase, teamId: string, person: string): Promise<Failure | null> {
  const undone = appError('cancelled', 'it was only tried');
  const id = randomUUID();
  const tried = database.transaction(async (query) => {
    await query(
      `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, $3, '', '')`,
      [id, teamId, person],
    );
    const claim = `claimed AS (
      INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
      VALUES ($2::uuid, $1::uuid, 'AddNewDocument', $2, $2::uuid, '', 'claimed', 0) RETURNING 'claim' AS kind, claim_id::text AS item)`;
    const joined = { database: { query, tell: () => undefined }, member: { teamId, programId: id } };
    await changeTeam(joined, 'claimed', claim, []);
    throw undone;
  });
  return await tried.catch((error: unknown) => (error === undone ? null : knownFailure(error)));
}

type Found = Pick<TeamCheck, 'serverVersion' | 'isDurable'> &
  Readonly<{ at: string; schema: number | null; teamId: string | null }>;

/** Connects once and says what is there, and whether a claim could be made; nothing of that stays. Rejects with a `team-` failure if the register cannot be used at all. */
export async function checkTeam(
  settings: TeamSettings,
  password: string | GivePassword,
): Promise<{ readonly teamId: string; readonly services: readonly ServiceName[]; readonly found: TeamCheck }> {
  const look = async (database: TeamDatabase) => {
    const askedAtMs = Date.now();
    const [found] = await database.query<Found>(
      `SELECT split_part(current_setting('server_version'), ' ', 1) AS "serverVersion", clock_timestamp() AS at,
         current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS "isDurable",
         (SELECT max(version) FROM sealdesk.schema_versions) AS schema, (SELECT team_id FROM sealdesk.teams WHERE name = $1) AS "teamId"`,
      [settings.team],
    );
    const midMs = (askedAtMs + Date.now()) / 2;
    const version = found?.schema ?? 0;
    if (version < schemaVersion) throw otherSchema(version);
    if (!found?.teamId) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
    const { teamId, serverVersion, isDurable, at } = found;
    const role = await roleIn(database, teamId);
    const people = await readPeople(database.query, teamId, { person: shownPerson() });
    const maySend = version === schemaVersion && role !== 'reader';
    const problem = maySend ? await triedClaim(database, teamId, settings.person) : null;
    return {
      teamId,
      services: version === schemaVersion ? await serviceNames(database.query, teamId) : [],
      found: {
        role,
        serverVersion,
        canSend: maySend && problem === null,
        problem,
        isEncrypted: !isPlain(settings),
        clockOffByMs: Math.round(midMs - Date.parse(at)),
        isDurable,
        people,
      },
    };
  };
  return await withTeamDatabase(look, settings, password);
}

/** The names that the team's service has; none before somebody joined. */
export async function serviceNames(query: Query, teamId: string): Promise<ServiceName[]> {
  const asked = randomUUID();
  const names = await query<ServiceName & { readonly asked: string }>(
    `SELECT $2 AS asked, left(address, 3000) AS address, left(namespace, 500) AS namespace FROM sealdesk.services
     WHERE team_id = $1::uuid ORDER BY same_as IS NOT NULL, added_at LIMIT 100`,
    [teamId, asked],
  );
  // What repeats messages on the way answers with what was said before: then nothing is known of the service.
  if (names.every((name) => name.asked === asked)) return names;
  throw appError('not-connected', 'the answer is one to another question', { detail: 'team-away', retryable: true });
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
