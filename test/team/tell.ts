import type { TeamDatabase } from '../../electron/core/team/database.ts';
import { thenFed } from '../../electron/core/team/feed.ts';

/** Puts documents and shared items that a test wrote by hand into the feed, as the statements of a program do. */
export async function tell({ query }: Pick<TeamDatabase, 'query'>): Promise<void> {
  await query(
    `WITH listed AS (
       SELECT 'document' AS kind, document_id AS item FROM sealdesk.documents WHERE char_length(document_id) < 2100
       UNION ALL SELECT 'item', kind || ' ' || item_key FROM sealdesk.shared_items
       EXCEPT SELECT kind, item FROM sealdesk.changes
     ), ${thenFed('listed')} SELECT pg_notify('sealdesk', $1::text) FROM changed`,
    [await teamId({ query })],
  );
}

export async function teamId({ query }: Pick<TeamDatabase, 'query'>): Promise<string> {
  const [team] = await query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams');
  return team?.team_id ?? '';
}
