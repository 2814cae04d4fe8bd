import type { TeamDatabase } from '../../electron/core/team/database.ts';
import { thenFed } from '../../electron/core/team/feed.ts';

/** Puts documents and shared items that a test wrote by hand into the feed, as the statements of a program do. */
export async function tell({ query }: Pick<TeamDatabase, 'query'>, team = 'team'): Promise<void> {
  await query(
    `WITH listed AS (
       SELECT 'document' AS kind, document_id AS item FROM sealdesk.documents WHERE team_id = $1::uuid AND char_length(document_id) < 2100
       UNION ALL SELECT 'item', kind || ' ' || item_key FROM sealdesk.shared_items WHERE team_id = $1::uuid
       EXCEPT SELECT kind, item FROM sealdesk.changes WHERE team_id = $1::uuid
     ), ${thenFed('listed')} SELECT pg_notify('sealdesk', $1::text) FROM changed`,
    [await teamId({ query }, team)],
  );
}

export async function teamId({ query }: Pick<TeamDatabase, 'query'>, team = 'team'): Promise<string> {
  const [found] = await query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams WHERE name = $1', [team]);
  return found?.team_id ?? '';
}
