import { z } from 'zod';
import { sharedKey } from '../../../contract/shared.ts';
import { documentIdText } from '../../../contract/text.ts';
import type { NewDocument } from '../../store/documents/documents.ts';
import type { TeamItemChange } from '../../store/team/team-items.ts';
import { largestItemBytes } from './shared-tables.ts';
import { shownPerson } from './shown-text.ts';

/** A line of at most so many characters; what a colleague's program would not write (another program may) is cut, and characters that control a terminal are left out. */
const line = (most: number) => z.string().transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, most));

const documentRow = z.object({
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
  registered_at: z.string(),
  person: line(200),
  computer: line(300),
});

const itemRow = z.object({
  item_kind: z.string().max(20),
  item_key: sharedKey,
  value: z.string().max(largestItemBytes).nullable(),
  person: z.string().max(200),
  computer: z.string().max(300),
  changed_at: z.string(),
});

/** What changed, beside the change itself: the columns of its kind, cut to what is shown. */
export const feedColumns = `d.document_id, left(d.name, 1000) AS name, left(d.description, 10000) AS description, left(d.client_id, 1000) AS client_id,
  left(d.signers, 10000) AS signers, left(d.file_name, 1000) AS file_name, d.size_bytes, left(d.sha256, 65) AS sha256, d.registered_at,
  s.kind AS item_kind, s.item_key, s.value, s.changed_at,
  d.program_id, coalesce(${shownPerson()}, '') AS person, coalesce(left(p.computer, 300), '') AS computer`;

/** The tables of `feedColumns`, beside `page`: one look into an index for each change. */
export const feedJoins = `
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.documents WHERE page.kind = 'document' AND team_id = $1::uuid AND document_id = page.item LIMIT 1) AS d ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.shared_items WHERE page.kind = 'item' AND team_id = $1::uuid AND kind = page.item_kind
    AND item_key = page.item_key LIMIT 1) AS s ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.programs WHERE program_id = coalesce(d.program_id, s.program_id) LIMIT 1) AS p ON true`;

/** The document of a row; none if the row is of no use. Whoever can write to the database writes there: it stops nothing. */
export function documentOf(connectionId: string, read: unknown): NewDocument[] {
  const { data: row } = documentRow.safeParse(read);
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
      registeredAt: row.registered_at,
      by: { person: row.person, computer: row.computer },
    },
  ];
}

/** The same for an item that is shared, or is no longer. */
export function itemOf(read: unknown): TeamItemChange[] {
  const { data: row } = itemRow.safeParse(read);
  if (!row) return [];
  const { item_kind: kind, item_key: key, value, person, computer, changed_at } = row;
  return [{ kind, key, value, person, computer, at: changed_at }];
}
