import { randomUUID } from 'node:crypto';
import type { ConnectionSettings } from '../../../contract/connections.ts';
import { type TeamInvitation, type TeamPlace, type TeamRole, teamRoles } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import type { Query, TeamDatabase } from './database.ts';
import { closedError, type Joined, otherSchema } from './feed.ts';
import { boundsOf, epochStep, quoted, rightsOf, roleIn, rowSecurity } from './rights.ts';
import { databaseIdentity, firstVersion, foundation, schemaSteps, schemaVersion } from './schema.ts';

/** What setting up a team would do, as SQL statements in order; none if all is there. `byOthers`: what only the owner of the database or of the server may do. Reads only. `lead`: a login that becomes the lead of a new team. */
export async function planTeam({ query }: Pick<TeamDatabase, 'query'>, team: string, lead?: string) {
  const [place] = await query<{ database: string; has_schema: boolean }>(
    "SELECT current_database() AS database, to_regclass('sealdesk.schema_versions') IS NOT NULL AS has_schema",
  );
  const database = place?.database ?? '';
  const found = await query<{ rolname: string }>("SELECT rolname FROM pg_roles WHERE rolname LIKE 'sealdesk\\_%'");
  const roles = new Set(found.map(({ rolname }) => rolname));
  const [applied] = place?.has_schema
    ? await query<{ version: number | null }>('SELECT max(version) AS version FROM sealdesk.schema_versions')
    : [];
  const version = applied?.version ?? 0;
  if (version > schemaVersion || (version > 0 && version < firstVersion)) throw otherSchema(version);
  const known = 'SELECT name, role_prefix AS prefix FROM sealdesk.teams ORDER BY created_at';
  const teams = version === 0 ? [] : await query<{ readonly name: string; readonly prefix: string }>(known);
  const rights = (prefix: string) => {
    const missing = teamRoles.filter((level) => !roles.has(`${prefix}_${level}`));
    return missing.length === 0 && version === schemaVersion
      ? []
      : [...missing.map((level) => `CREATE ROLE ${prefix}_${level} NOLOGIN`), ...rightsOf(prefix)];
  };
  const open = await openToAll(query);
  const openTo = (isOurs: boolean) => open.flatMap((one) => (one.isOurs === isOurs ? one.statement : []));
  const statements = [
    ...(place?.has_schema ? [] : foundation),
    ...schemaSteps
      .filter((step) => step.version > version)
      .flatMap((step) => [
        // No statement of the schema has a semicolon inside.
        ...step.sql.split(';').flatMap((text) => text.trim() || []),
        `INSERT INTO sealdesk.schema_versions (version) VALUES (${step.version})`,
      ]),
    ...(version < schemaVersion ? rowSecurity.filter((text) => version > 0 || !text.startsWith('DROP')) : []),
    ...openTo(true),
    ...teams.flatMap(({ prefix }) => rights(prefix)),
    ...(teams.some(({ name }) => name === team) ? [] : newTeam(rolePrefix(database, team, roles))),
    ...(version === 0 ? [] : await unboundedLogins(query)).flatMap(({ login }) => boundsOf(login, database)),
  ];
  return { isEmpty: !place?.has_schema, statements, byOthers: openTo(false) };

  function newTeam(prefix: string): string[] {
    const row = `WITH made AS (INSERT INTO sealdesk.teams (team_id, name, role_prefix, database_identity)
  VALUES ($1::uuid, $2, '${prefix}', ${databaseIdentity}) RETURNING team_id)
INSERT INTO sealdesk.feeds (team_id) SELECT team_id FROM made`;
    return [row, ...rights(prefix), ...(lead === undefined ? [] : [`GRANT ${prefix}_lead TO ${quoted(lead)}`])];
  }
}

/** Roles belong to the whole server: their names say which database and team they are for, with a number where there are such roles already. */
function rolePrefix(database: string, team: string, roles: ReadonlySet<string>): string {
  const word = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .slice(0, 20);
  const base = `sealdesk_${word(database)}_${word(team)}`;
  const isFree = (prefix: string) => !teamRoles.some((level) => roles.has(`${prefix}_${level}`));
  for (let number = 1; ; number += 1) {
    const prefix = number === 1 ? base : `${base}_${number}`;
    if (isFree(prefix)) return prefix;
  }
}

/** Logins of teams without a limit of connections, that this account may bound: since PostgreSQL 16 only those that it manages. */
async function unboundedLogins(query: Query) {
  return await query<{ readonly login: string }>(
    `SELECT m.rolname AS login FROM pg_roles AS m JOIN pg_roles AS me ON me.rolname = current_user
     WHERE m.rolcanlogin AND NOT m.rolsuper AND m.rolconnlimit < 0 AND m.oid <> me.oid
       AND (me.rolsuper OR me.rolcreaterole AND (current_setting('server_version_num')::int < 160000 OR pg_has_role(m.oid, 'USAGE WITH ADMIN OPTION')))
       AND EXISTS (SELECT 1 FROM sealdesk.teams AS t JOIN pg_roles AS r ON r.rolname = t.role_prefix || '_reader' WHERE pg_has_role(m.oid, r.oid, 'MEMBER'))
     ORDER BY 1`,
  );
}

/** What everybody may do in a database, readers and other teams too, and no program of ours needs: each fills the disk, or, by locks of nothing, the memory for the locks of the whole server. */
async function openToAll(query: Query) {
  return await query<{ readonly statement: string; readonly isOurs: boolean }>(
    `SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', datname) AS statement, pg_has_role(current_user, datdba, 'USAGE') AS "isOurs"
     FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) AS a
     WHERE datname = current_database() AND a.grantee = 0 AND a.privilege_type = 'TEMPORARY'
     UNION ALL SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', string_agg('pg_catalog.' || p.oid::regprocedure, ', ' ORDER BY p.oid)),
       pg_has_role(current_user, proowner, 'USAGE') FROM pg_proc AS p, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a
     WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_creat|lo_create|lo_from_bytea|pg_(try_)?advisory_(xact_)?lock(_shared)?)$'
       AND a.grantee = 0 GROUP BY 2 ORDER BY 1`,
  );
}

/**
 * Sets a team up, all in one transaction: nothing is changed if a step fails. Answers the statements that were run. `lead`: sets it up in an empty database only, with
 * this login as its lead.
 */
export async function initTeam(database: TeamDatabase, team: string, lead?: string): Promise<string[]> {
  const before = await planTeam(database, team, lead);
  return await database.transaction(async (query: Query) => {
    // One after the other, by a lock that nobody but the owner may take. In an empty database the schema itself is made once.
    if (!before.isEmpty && before.statements.length > 0)
      await query('LOCK TABLE sealdesk.schema_versions IN SHARE ROW EXCLUSIVE MODE');
    const { isEmpty, statements } = await planTeam({ query }, team, lead);
    if (lead !== undefined && !isEmpty) throw appError('bad-input', 'the database has a register already');
    await query('SET LOCAL search_path = sealdesk');
    for (const statement of statements) await query(statement, statement.includes('$2') ? [randomUUID(), team] : []);
    return statements;
  });
}

/**
 * Asks every program of a team to report again all that it knows: in a new epoch, which it answers. By chance, so that no backup that is put back has an answer to it, and no
 * program takes it for one that it was in. The register is closed meanwhile, as nobody may have noticed that its files were put back.
 */
export async function askTeam(database: Joined['database'], team: string): Promise<number> {
  if ((await roleIn(database, team)) !== 'lead')
    throw appError('not-connected', 'only a lead lets a team go on', { detail: 'team-rights' });
  const [asked] = await database.query<{ epoch: number; team_id: string }>(
    `UPDATE sealdesk.teams SET is_restored = true, epoch = epoch + 1 + floor(random() * ${epochStep})::integer WHERE name = $1 RETURNING epoch::float8, team_id`,
    [team],
  );
  if (asked) database.tell(asked.team_id);
  return asked?.epoch ?? 0;
}

/** Lets the team go on after a restore, in the epoch in which it was asked: who has not answered by then reports and reads everything again. Throws where it is in another one by now. */
export async function resumeTeam(database: Joined['database'], team: string, asked?: number): Promise<void> {
  const [resumed] = await database.query<{ team_id: string }>(
    `WITH resumed AS (
       UPDATE sealdesk.teams SET is_restored = false, database_identity = ${databaseIdentity} WHERE name = $1 AND epoch = $2 RETURNING team_id
     ), renewed AS (
       UPDATE sealdesk.feeds AS f SET next_position = greatest(next_position,
         (SELECT coalesce(max(c.position), 0) + 1 FROM sealdesk.changes AS c WHERE c.team_id = f.team_id))
       FROM resumed WHERE f.team_id = resumed.team_id
     ) SELECT team_id FROM resumed`,
    [team, asked ?? (await askTeam(database, team))],
  );
  if (!resumed) throw closedError();
  database.tell(resumed.team_id);
}

/** What a second person needs to join, without any secret. */
export const invitationTo = (
  { host, port, database, team, ca }: TeamPlace,
  user?: string,
  connection?: ConnectionSettings,
): TeamInvitation => ({ sealdeskTeam: 1, host, port, database, team, ca, user, connection });

/** The statements that let a login into a team, by an account that may make roles. Carries them out, in one transaction, if `isDone`. */
export async function letIn(
  database: TeamDatabase,
  { team, database: place, login, role }: TeamPlace & { readonly login: string; readonly role: TeamRole },
  isDone: boolean,
): Promise<string[]> {
  const refused = (why: string) => appError('bad-input', `the login ${why}`, { fields: { login: why } });
  // PostgreSQL cuts what is longer: another login would be let in.
  if (!/^[^\s\p{C}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\s\p{C}])?$/u.test(login) || Buffer.byteLength(login) > 63)
    throw refused('must be 1 to 63 bytes in one line, without signs that nobody sees');
  return await database.transaction(async (query) => {
    const [found] = await query<{ prefix: string; most: number | null; isOwner: boolean }>(
      `SELECT role_prefix AS prefix, r.rolconnlimit AS most, coalesce(r.rolsuper OR r.oid = c.relowner, false) AS "isOwner"
       FROM sealdesk.teams JOIN pg_class AS c ON c.oid = 'sealdesk.teams'::regclass LEFT JOIN pg_roles AS r ON r.rolname = $2 WHERE name = $1`,
      [team, login],
    );
    if (!found) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
    if (found.isOwner) throw refused('owns the register, or its server: no role bounds what it may do');
    const statements = [
      // Without a password: whoever manages the database sets it, or the server asks somebody else (LDAP).
      ...(found.most === null ? [`CREATE ROLE ${quoted(login)} LOGIN`] : []),
      ...((found.most ?? -1) < 0 ? boundsOf(login, place) : []),
      `GRANT ${found.prefix}_${role} TO ${quoted(login)}`,
    ];
    for (const statement of isDone ? statements : []) await query(statement);
    return statements;
  });
}
