import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { documentIdText } from '../../../contract/text.ts';
import type { DocumentTable, NewDocument } from '../../store/documents/documents.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { Member } from './claims.ts';
import type { TeamDatabase } from './database.ts';

/** A line of at most so many characters; what a colleague's program would not write (another program may) is cut, and characters that control a terminal are left out. */
const line = (most: number) => z.string().transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, most));

const followedRow = z.object({
  document_id: documentIdText,
  name: line(1000),
  description: line(10_000),
  client_id: line(1000),
  signers: line(10_000),
  file_name: line(1000).nullable(),
  size_bytes: z.coerce.number().int().min(0).nullable().catch(null),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .catch(null),
  registered_at: z.date(),
  person: line(200),
  computer: line(300),
});

type Row = z.input<typeof followedRow> & { readonly program_id: string; readonly change_xid: string };

/** Rows in one answer. */
const pageRows = 500;
/** Rows in one local transaction: between two of them the program does something else. Fewer rows cost more commits and merges of the search index. */
const storedAtOnce = 100;

interface Needs {
  readonly connectionId: string;
  readonly member: Member;
  readonly documents: Pick<DocumentTable, 'putAll'>;
  readonly settings: SettingTable;
  /** Called after each page that was stored. */
  readonly onStored: () => void;
}

const positionOf = (connectionId: string) => `team.${connectionId}.followed`;

/** Forgets how far the register was followed: it is read from the beginning. */
export function followAnew(settings: SettingTable, connectionId: string): void {
  settings.remove(positionOf(connectionId));
}

/**
 * Brings colleagues' documents into the local register, where they are searched, listed and kept like own ones, also after leaving the team.
 *
 * Rows are followed by the transaction that wrote them, and only below `pg_snapshot_xmin`: every transaction below it has ended, so no row can appear there later,
 * in whatever order commits overtake each other. The position is stored with each page, so that a first copy of a large register continues after a restart.
 */
export async function followDocuments({ query }: Pick<TeamDatabase, 'query'>, needs: Needs): Promise<void> {
  const { settings, connectionId, member } = needs;
  const [snapshot] = await query<{ upto: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS upto');
  if (!snapshot) return;
  const [known = '0'] = JSON.parse(settings.get(positionOf(connectionId)) ?? '[]') as string[];
  // Another server counts its transactions from the beginning: the register was moved or restored.
  if (BigInt(known) > BigInt(snapshot.upto)) followAnew(settings, connectionId);
  for (;;) {
    const [xid = '0', after = ''] = JSON.parse(settings.get(positionOf(connectionId)) ?? '[]') as string[];
    const rows = await query<Row>(
      `SELECT d.document_id, left(d.name, 1000) AS name, left(d.description, 10000) AS description, left(d.client_id, 1000) AS client_id,
         left(d.signers, 10000) AS signers, left(d.file_name, 1000) AS file_name, d.size_bytes, left(d.sha256, 65) AS sha256, d.registered_at,
         d.program_id, coalesce(left(p.person, 200), '') AS person, coalesce(left(p.computer, 300), '') AS computer, d.change_xid::text AS change_xid
       FROM sealdesk.documents AS d LEFT JOIN sealdesk.programs AS p ON p.program_id = d.program_id
       WHERE d.team_id = $1::uuid AND (d.change_xid, d.document_id) > ($2::text::xid8, $3) AND d.change_xid < $4::text::xid8
       ORDER BY d.change_xid, d.document_id LIMIT $5`,
      [member.teamId, xid, after, snapshot.upto, pageRows],
    );
    const last = rows.at(-1);
    if (!last) return;
    const colleagues = rows.filter(({ program_id }) => program_id !== member.programId);
    for (let from = 0; from < colleagues.length; from += storedAtOnce) {
      if (from > 0) await nextTurn();
      needs.documents.putAll(
        colleagues.slice(from, from + storedAtOnce).flatMap((row) => documentOf(connectionId, row)),
      );
    }
    settings.put(positionOf(connectionId), JSON.stringify([last.change_xid, last.document_id]));
    if (colleagues.length > 0) needs.onStored();
    if (rows.length < pageRows) return;
  }
}

/** The document of a row; none if the row is of no use. Whoever can write to the database writes there: it stops nothing. */
function documentOf(connectionId: string, read: Row): NewDocument[] {
  const { data: row } = followedRow.safeParse(read);
  if (!row) return [];
  return [
    {
      connectionId,
      documentId: row.document_id,
      jobId: null,
      name: row.name,
      description: row.description,
      clientId: row.client_id,
      signers: row.signers,
      fileName: row.file_name,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
      registeredAt: row.registered_at.toISOString(),
      by: { person: row.person, computer: row.computer },
    },
  ];
}
