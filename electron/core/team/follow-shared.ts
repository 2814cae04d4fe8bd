import { z } from 'zod';
import { sharedKey } from '../../../contract/shared.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { TeamItemTable } from '../../store/team/team-items.ts';
import type { TeamDatabase } from './database.ts';
import { mostItems } from './shared-items.ts';
import { largestItemBytes } from './shared-tables.ts';

const followedRow = z.object({
  kind: z.string().max(20),
  item_key: sharedKey,
  value: z.string().max(largestItemBytes).nullable(),
  person: z.string().max(200),
  computer: z.string().max(300),
  changed_at: z.date(),
});

interface Position {
  readonly change_xid: string;
  readonly kind: string;
  readonly item_key: string;
}

/** Rows in one answer, and in one local transaction: at most six megabytes. */
const pageRows = 100;

interface Needs {
  readonly connectionId: string;
  readonly teamId: string;
  readonly items: Pick<TeamItemTable, 'apply'>;
  readonly settings: SettingTable;
  /** False once the connection has left, or joined another team, while an answer was on its way. */
  readonly isCurrent: () => boolean;
  /** Called after each page that was stored. */
  readonly onStored: () => void;
}

/** The setting that says how far the shared items of a connection's team were followed. */
export const sharedPosition = (connectionId: string): string => `team.${connectionId}.shared`;

/** Forgets how far shared items were followed: they are read from the beginning. */
export function followSharedAnew(settings: SettingTable, connectionId: string): void {
  settings.remove(sharedPosition(connectionId));
}

/** Brings what the team shares here, own changes included, in the same way as documents: by transaction, below `pg_snapshot_xmin` (follow-documents.ts). */
export async function followShared({ query }: Pick<TeamDatabase, 'query'>, needs: Needs): Promise<void> {
  const { settings, connectionId, teamId } = needs;
  const position = () => JSON.parse(settings.get(sharedPosition(connectionId)) ?? '["0", "", ""]') as string[];
  const [snapshot] = await query<{ upto: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS upto');
  if (!snapshot) return;
  // Another server counts its transactions from the beginning: the register was moved or restored.
  if (BigInt(position()[0] ?? '0') > BigInt(snapshot.upto)) followSharedAnew(settings, connectionId);
  for (;;) {
    const [xid = '0', kind = '', key = ''] = position();
    const rows = await query<Position>(
      `SELECT left(s.kind, 20) AS kind, s.item_key, s.value, left(p.person, 200) AS person, left(p.computer, 300) AS computer, s.changed_at, s.change_xid::text AS change_xid
       FROM sealdesk.shared_items AS s JOIN sealdesk.programs AS p ON p.program_id = s.program_id
       WHERE s.team_id = $1::uuid AND (s.change_xid, s.kind, s.item_key) > ($2::text::xid8, $3, $4) AND s.change_xid < $5::text::xid8
       ORDER BY s.change_xid, s.kind, s.item_key LIMIT $6`,
      [teamId, xid, kind, key, snapshot.upto, pageRows],
    );
    const last = rows.at(-1);
    if (!last || !needs.isCurrent()) return;
    const changes = rows.flatMap((row) => {
      const { data } = followedRow.safeParse(row);
      if (!data) return [];
      const { kind: of, item_key, value, person, computer, changed_at } = data;
      return [{ kind: of, key: item_key, value, person, computer, at: changed_at.toISOString() }];
    });
    needs.items.apply(connectionId, changes, mostItems);
    settings.put(sharedPosition(connectionId), JSON.stringify([last.change_xid, last.kind, last.item_key]));
    needs.onStored();
    if (rows.length < pageRows) return;
  }
}
