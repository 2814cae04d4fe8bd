import { randomUUID } from 'node:crypto';
import { openTeamDatabase, type TeamDatabase } from '../../electron/core/team/database.ts';
import { feedPlace, nowhere, thenFed } from '../../electron/core/team/feed.ts';
import type { Store } from '../../electron/store/store.ts';
import type { TeamRegister } from '../harness/postgres.ts';

/** Puts documents and shared items that a test wrote by hand into the feed, as the statements of a program do. */
export async function tell({ query, tell: toOthers }: TeamDatabase, team = 'team'): Promise<void> {
  const id = await teamId({ query }, team);
  await query(
    `WITH listed AS (
       SELECT 'document' AS kind, document_id AS item FROM sealdesk.documents WHERE team_id = $1::uuid AND char_length(document_id) < 2100
       UNION ALL SELECT 'item', kind || ' ' || item_key FROM sealdesk.shared_items WHERE team_id = $1::uuid
       EXCEPT SELECT kind, item FROM sealdesk.changes WHERE team_id = $1::uuid
     ), ${thenFed('listed')} SELECT 1 FROM changed`,
    [id],
  );
  toOthers(id);
}

export async function teamId({ query }: Pick<TeamDatabase, 'query'>, team = 'team'): Promise<string> {
  const [found] = await query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams WHERE name = $1', [team]);
  return found?.team_id ?? '';
}

/** A program of a member, without its core: `newClaim` writes a claim to the ledger, to be asked for. */
export async function enterBySql(register: TeamRegister, { settings, teamClaims }: Store, user: 'ana' | 'bo') {
  const database = await openTeamDatabase(register.settings(user), '');
  const id = await teamId(database);
  const member = { teamId: id, programId: randomUUID(), place: feedPlace(settings, user, id) };
  member.place.put({ ...nowhere, epoch: 1 });
  await database.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, $3, '', '')",
    [member.programId, id, user],
  );
  const newClaim = async (key: string, title = 'title') => {
    const of = { jobId: randomUUID(), connectionId: user, kind: 'AddNewDocument', key };
    return { claim: await teamClaims.prepare(of), title };
  };
  return { database, member, newClaim };
}
