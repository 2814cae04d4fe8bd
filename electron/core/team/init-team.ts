import { randomUUID } from 'node:crypto';
import { appError } from '../foundation/app-error.ts';
import type { Query, TeamDatabase } from './database.ts';
import { foundationOf, schemaSteps, schemaVersion } from './schema.ts';

/** What setting up a team would do, as SQL statements in order; empty if all is there. Reads only. */
export async function planTeam({ query }: Pick<TeamDatabase, 'query'>, team: string): Promise<string[]> {
  const known = await query<{ rolname: string }>("SELECT rolname FROM pg_roles WHERE rolname LIKE 'sealdesk\\_%'");
  const [schema] = await query<{ there: boolean }>(
    "SELECT to_regclass('sealdesk.schema_versions') IS NOT NULL AS there",
  );
  const hasSchema = schema?.there === true;
  const [applied] = hasSchema
    ? await query<{ version: number | null }>('SELECT max(version) AS version FROM sealdesk.schema_versions')
    : [];
  const version = applied?.version ?? 0;
  if (version > schemaVersion)
    throw appError('not-connected', `the register has schema ${version}, this program ${schemaVersion}`, {
      detail: 'team-newer',
    });
  const teams = version > 0 ? await query('SELECT 1 FROM sealdesk.teams WHERE name = $1', [team]) : [];
  return [
    ...foundationOf({ roles: known.map(({ rolname }) => rolname), hasSchema }),
    ...schemaSteps
      .filter((step) => step.version > version)
      .flatMap((step) => [
        ...statementsOf(step.sql),
        `INSERT INTO sealdesk.schema_versions (version) VALUES (${step.version})`,
      ]),
    ...(teams.length > 0 ? [] : ['INSERT INTO sealdesk.teams (team_id, name) VALUES ($1::uuid, $2)']),
  ];
}

/** No statement of the schema has a semicolon inside. */
function statementsOf(sql: string): string[] {
  return sql
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Number of the advisory lock that keeps two set-ups apart. */
const setupLock = 5_347_201;

/** Sets a team up, all in one transaction: nothing is changed if a step fails. Answers the statements that were run. */
export async function initTeam(database: TeamDatabase, team: string): Promise<string[]> {
  return await database.transaction(async (query: Query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [setupLock]);
    const plan = await planTeam({ query }, team);
    await query('SET LOCAL search_path = sealdesk');
    for (const statement of plan) await query(statement, statement.includes('$2') ? [randomUUID(), team] : []);
    return plan;
  });
}

/** Lets the team go on after a restore. All documents and shared items are followed anew, because numbers of transactions may have begun again. */
export async function resumeTeam(database: TeamDatabase, team: string): Promise<void> {
  const rows = await database.query(
    `WITH stamped AS (
       UPDATE sealdesk.documents SET change_xid = pg_current_xact_id() WHERE team_id = (SELECT team_id FROM sealdesk.teams WHERE name = $1)
     ), shared AS (
       UPDATE sealdesk.shared_items SET change_xid = pg_current_xact_id() WHERE team_id = (SELECT team_id FROM sealdesk.teams WHERE name = $1)
     ) UPDATE sealdesk.teams SET is_restored = false WHERE name = $1 RETURNING 1`,
    [team],
  );
  if (rows.length === 0) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
}
