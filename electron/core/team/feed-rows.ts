import { z } from 'zod';
import { sharedKey } from '../../../contract/shared.ts';
import { documentIdText } from '../../../contract/text.ts';
import type { NewDocument } from '../../store/documents/documents.ts';
import type { TeamItemChange } from '../../store/team/team-items.ts';
import { largestItemBytes } from './rights.ts';
import { shownBy } from './shown-text.ts';

/** A line of at most so many characters; what a colleague's program would not write (another program may) is cut, and characters that control a terminal are left out. */
const line = (most: number) => z.string().transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, most));

const by = z.object({ person: line(200), computer: line(300) });

const documentRow = z.object({
  documentId: documentIdText,
  name: line(1000),
  description: line(10_000),
  clientId: line(1000),
  signers: line(10_000),
  fileName: line(1000).nullable(),
  sizeBytes: z.coerce.number().int().min(0).nullable().catch(null),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .catch(null),
  registeredAt: z.string(),
  by,
});

const itemRow = z.object({
  itemKind: z.string().max(20),
  itemKey: sharedKey,
  value: z.string().max(largestItemBytes).nullable(),
  by,
  changedAt: z.string(),
});

/** What changed, beside the change itself: the columns of its kind, cut to what is shown. */
export const feedColumns = `d.document_id AS "documentId", left(d.name, 1000) AS name, left(d.description, 10000) AS description,
  left(d.client_id, 1000) AS "clientId", left(d.signers, 10000) AS signers, left(d.file_name, 1000) AS "fileName", d.size_bytes AS "sizeBytes",
  left(d.sha256, 65) AS sha256, d.registered_at AS "registeredAt", s.kind AS "itemKind", s.item_key AS "itemKey", s.value, s.changed_at AS "changedAt",
  d.program_id, ${shownBy()} AS by`;

/** The tables of `feedColumns`, beside `page`: one look into an index for each change. */
export const feedJoins = `
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.documents WHERE page.kind = 'document' AND team_id = $1::uuid AND document_id = page.item LIMIT 1) AS d ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.shared_items WHERE page.kind = 'item' AND team_id = $1::uuid AND kind = page.item_kind
    AND item_key = page.item_key LIMIT 1) AS s ON true
  LEFT JOIN LATERAL (SELECT * FROM sealdesk.programs WHERE program_id = coalesce(d.program_id, s.program_id) LIMIT 1) AS p ON true`;

/** The document of a row; none if the row is of no use. Whoever can write to the database writes there: it stops nothing. */
export function documentOf(connectionId: string, read: unknown): NewDocument[] {
  const { data } = documentRow.safeParse(read);
  return data ? [{ connectionId, jobId: null, ...data }] : [];
}

/** The same for an item that is shared, or is no longer. */
export function itemOf(read: unknown): TeamItemChange[] {
  const { data } = itemRow.safeParse(read);
  if (!data) return [];
  const { itemKind: kind, itemKey: key, value, by, changedAt: at } = data;
  return [{ kind, key, value, ...by, at }];
}
