import { type TeamRole, teamRoles } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import type { TeamDatabase } from './database.ts';

/** Largest value in bytes of UTF-8 of what is shared. */
export const largestItemBytes = 65_536;

/** SQL: the session's login has this role of the team whose `role_prefix` is given. `SET ROLE` changes nothing about it. */
export const hasRole = (level: TeamRole, prefix = 'role_prefix') =>
  `pg_has_role(session_user, (${prefix} || '_${level}')::name, 'member')`;

/** The role of the database user in a team, by its ID or its name. */
export async function roleIn({ query }: Pick<TeamDatabase, 'query'>, team: string): Promise<TeamRole> {
  const [may] = await query<Readonly<Record<TeamRole, boolean>>>(
    `SELECT ${teamRoles.map((level) => `${hasRole(level)} AS ${level}`).join(', ')} FROM sealdesk.teams WHERE $1 IN (team_id::text, name)`,
    [team],
  );
  if (!may) throw appError('not-connected', 'no such team', { detail: 'team-missing' });
  return may.lead ? 'lead' : may.member ? 'member' : 'reader';
}

const inTeams = (level: TeamRole) =>
  `team_id IN (SELECT t.team_id FROM sealdesk.teams AS t WHERE ${hasRole(level, 't.role_prefix')})`;
const isMember = inTeams('member');
const isLead = inTeams('lead');
/** A program belongs to the login that entered it first, in its team; so does what it writes there. */
const isOwn =
  '(team_id, program_id) IN (SELECT p.team_id, p.program_id FROM sealdesk.programs AS p WHERE p.database_user = session_user)';
/** What answers mean for everybody is for leads. */
const maySharing = `${isMember} AND (kind IN ('template', 'preset', 'view') OR ${isLead})`;

/** The most by which the epoch grows at once, so that no lead uses up its numbers, or takes it back. */
export const epochStep = 100_000;

/** Who may write which rows. `update` is what a row must be afterwards, `of` what it must be before (as for a lock). */
interface Rule {
  readonly insert?: string;
  readonly of?: string;
  readonly update?: string;
}

/** Of what the team has in common. */
const members: Rule = { insert: isMember, of: isMember, update: isMember };

export const rules: Readonly<Record<string, Rule>> = {
  // Every program closes a register that lost something; only a lead opens it again, in another epoch or database. Who leads another team has the columns too, but not this row.
  teams: {
    of: hasRole('member'),
    update: `EXISTS (SELECT 1 FROM sealdesk.teams AS o WHERE o.team_id = teams.team_id AND (
      ${hasRole('lead')} AND teams.epoch BETWEEN o.epoch AND o.epoch + ${epochStep}
      OR teams.is_restored AND (o.epoch, o.database_identity) IS NOT DISTINCT FROM (teams.epoch, teams.database_identity)))`,
  },
  // Those of the first versions whose login is not certain are nobody's: whoever took one over would have all that it wrote.
  programs: {
    insert: `${isMember} AND database_user = session_user AND seen_at <= now()`,
    of: `${isMember} AND database_user = session_user`,
    update: `${isMember} AND database_user = session_user AND seen_at <= now()`,
  },
  // A colleague's claim is locked by who sends beside it, and decided by a lead, whose login then stands in it. Who leads another team has that column too.
  claims: {
    insert: `${isMember} AND ${isOwn} AND declared_by IS NULL`,
    of: isMember,
    update: `${isMember} AND changed_at = now() AND (${isLead} AND declared_by = session_user OR ${isOwn} AND (declared_by IS NULL OR EXISTS (
      SELECT 1 FROM sealdesk.decisions AS d WHERE (d.claim_id, d.team_id, d.database_user) = (claims.claim_id, claims.team_id, declared_by))))`,
  },
  decisions: { insert: isLead },
  documents: { insert: `${isMember} AND ${isOwn} AND registered_at <= now()` },
  requests: { insert: isMember, of: isMember, update: `${isMember} AND changed_at = now()` },
  notes: { insert: `${isMember} AND ${isOwn}` },
  // The ID of an event of a claim begins with the claim's: nobody else may take it first.
  events: {
    insert: `${isMember} AND ${isOwn} AND (kind NOT IN ('declared-in-doubt', 'settled') OR ${isLead}) AND NOT EXISTS (
      SELECT 1 FROM sealdesk.claims AS c WHERE (c.team_id, c.claim_id) = (events.team_id, left(event_id, 36)::uuid) AND c.program_id <> events.program_id)`,
  },
  shared_items: {
    insert: `${maySharing} AND ${isOwn}`,
    of: maySharing,
    update: `${maySharing} AND ${isOwn} AND changed_at = now()`,
  },
  shared_changes: { insert: `${maySharing} AND ${isOwn}` },
  lists: members,
  list_pieces: members,
  service_calls: members,
  // What is in the feed cannot be changed or removed; the database gives the marks. Positions are bounded, so that nobody uses them up: programs read below the next one
  // only, and what was put there before leaves room for what comes (schema.ts).
  feeds: {
    of: isMember,
    update: `${isMember} AND next_position BETWEEN 1 AND 2000000
      + (SELECT coalesce(max(c.position), 0) FROM sealdesk.changes AS c WHERE c.team_id = feeds.team_id)`,
  },
  changes: {
    insert: `${isMember} AND position BETWEEN 1 AND 1000000
      + (SELECT f.next_position FROM sealdesk.feeds AS f WHERE f.team_id = changes.team_id)`,
  },
  // A name of the team's service is added by who joins with it, and never changed.
  services: { insert: isMember },
};

/** Row security of all tables, in place of what they had: nobody sees or writes a row of another team, or one in another's name. */
export const rowSecurity: readonly string[] = Object.entries(rules).flatMap(([table, { insert, of, update }]) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  ...['see', 'add', 'change', 'remove'].map((policy) => `DROP POLICY IF EXISTS ${policy} ON ${table}`),
  `CREATE POLICY see ON ${table} FOR SELECT USING (${table === 'teams' ? hasRole('reader') : inTeams('reader')})`,
  ...(insert ? [`CREATE POLICY add ON ${table} FOR INSERT WITH CHECK (${insert})`] : []),
  ...(update ? [`CREATE POLICY change ON ${table} FOR UPDATE USING (${of}) WITH CHECK (${update})`] : []),
]);

/**
 * What the roles of a team may do, in place of what they might before. Who and when are defaults of the database: no role may write these columns. By column wherever it can
 * be, and no rows are removed: who may write or remove rows of a whole table may lock it, and keep it from everybody.
 */
export function rightsOf(prefix: string): string[] {
  const to = (level: TeamRole) => `TO ${prefix}_${level}`;
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA sealdesk FROM ${teamRoles.map((level) => `${prefix}_${level}`).join(', ')}`,
    `GRANT ${prefix}_reader ${to('member')}`,
    `GRANT ${prefix}_member ${to('lead')}`,
    `GRANT USAGE ON SCHEMA sealdesk ${to('reader')}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA sealdesk ${to('reader')}`,
    `GRANT UPDATE (is_restored) ON sealdesk.teams ${to('member')}`,
    `GRANT UPDATE (database_identity, epoch) ON sealdesk.teams ${to('lead')}`,
    `GRANT INSERT (program_id, team_id, person, computer, version), UPDATE (person, computer, version, seen_at) ON sealdesk.programs ${to('member')}`,
    `GRANT INSERT (claim_id, team_id, kind, claim_key, program_id, title, state, document_id, second_of, without_register, version, ask),
  UPDATE (state, document_id, claim_key, second_of, without_register, version, changed_at, ask) ON sealdesk.claims ${to('member')}`,
    `GRANT UPDATE (declared_by) ON sealdesk.claims ${to('lead')}`,
    `GRANT INSERT (claim_id, team_id) ON sealdesk.decisions ${to('lead')}`,
    `GRANT INSERT (team_id, document_id, program_id, name, description, client_id, signers, file_name, size_bytes, sha256, registered_at) ON sealdesk.documents ${to('member')}`,
    `GRANT INSERT (team_id, document_id, assignee, due_on), UPDATE (assignee, due_on, changed_at) ON sealdesk.requests ${to('member')}`,
    `GRANT INSERT (note_id, team_id, document_id, program_id, note) ON sealdesk.notes ${to('member')}`,
    `GRANT INSERT (event_id, team_id, program_id, kind, title, document_id) ON sealdesk.events ${to('member')}`,
    `GRANT INSERT (team_id, kind, item_key, value, program_id), UPDATE (value, program_id, changed_at) ON sealdesk.shared_items ${to('member')}`,
    `GRANT INSERT (team_id, kind, item_key, value, program_id) ON sealdesk.shared_changes ${to('member')}`,
    `GRANT UPDATE (next_position) ON sealdesk.feeds ${to('member')}`,
    `GRANT INSERT (team_id, position, kind, item) ON sealdesk.changes ${to('member')}`,
    `GRANT INSERT (team_id, address, namespace, same_as) ON sealdesk.services ${to('member')}`,
    `GRANT INSERT (team_id, list_type, leased_by, leased_until),
  UPDATE (copy_id, content, pieces, total, nil_entries, read_at, read_by, leased_by, leased_until) ON sealdesk.lists ${to('member')}`,
    `GRANT INSERT (team_id, list_type, piece, entries), UPDATE (piece, entries) ON sealdesk.list_pieces ${to('member')}`,
    `GRANT INSERT (team_id, hour, used), UPDATE (used) ON sealdesk.service_calls ${to('member')}`,
  ];
}

/** A name as SQL writes it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Connections of one login, in all programs of its person: each has at most five for a team. */
const mostConnections = 20;

/** So that no member takes all connections of the server, and no session holds the others for long because it was forgotten. The times a session may set otherwise. */
export const boundsOf = (login: string, database: string): string[] => [
  `ALTER ROLE ${quoted(login)} CONNECTION LIMIT ${mostConnections}`,
  ...['idle_in_transaction_session_timeout', 'statement_timeout'].map(
    (name) => `ALTER ROLE ${quoted(login)} IN DATABASE ${quoted(database)} SET ${name} = '60s'`,
  ),
];
