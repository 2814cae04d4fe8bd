import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TFunction } from 'i18next';
import type { Connection } from '../../../../contract/connections.ts';
import type { Language } from '../../../../contract/languages.ts';
import type { TrackedEntry } from '../../../../contract/tracking.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { RequestQuery, UnlistedSigner } from '../../../store/signatures/requests/find-requests.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import type { TableFormat } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { trackedEntries } from './entry-view.ts';

export interface Export {
  readonly connection: Connection;
  readonly query: Omit<RequestQuery, 'offset' | 'limit'>;
  readonly format: TableFormat;
  readonly withSecretWords: boolean;
  readonly language: Language;
}

const columns = [
  ...(['list', 'document', 'name', 'email', 'created', 'signature', 'seenAt', 'status', 'statusAsOf'] as const),
  ...(['documentId', 'originalDocumentId', 'due', 'note'] as const),
] as const;

/** By column; what is absent or null is an empty cell. */
type Cells = { readonly [C in (typeof columns)[number] | 'secretWord']?: string | null };

/** Rows read and written between two turns of the event loop: some milliseconds. */
const rowsPerPage = 200;

/**
 * Exports all entries that match, page by page, then the signers of matching requests whom no list has any more. Secret words are exported only on request; one that cannot be
 * decrypted any more is empty. Returns the number of rows.
 */
export async function exportEntries(
  context: Context,
  target: Target,
  given: Export,
): Promise<{ readonly path: string; readonly rowCount: number }> {
  const { language, withSecretWords, format } = given;
  const t = await loadTexts(language, 'tables');
  const shown = withSecretWords ? ([...columns, 'secretWord'] as const) : columns;
  const headings = shown.map((column) => t(`tracking.${column}`));
  const inOrder = (cells: Cells) => shown.map((column) => cells[column] ?? '');
  let count = 0;
  async function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = context.store.tracked.find({ ...given.query, offset, limit: rowsPerPage });
      const entries = trackedEntries(context, given.connection.lists, page);
      for (const [at, row] of page.entries()) {
        count += 1;
        yield inOrder(await cellsOf(context, given, row, entries[at] as TrackedEntry, t));
      }
      if (page.length < rowsPerPage) break;
      await nextTurn();
    }
    const { id: connectionId, lists, separator } = given.connection;
    for await (const signers of context.store.requests.unlistedSigners(
      { connectionId, lists, separator },
      given.query,
    )) {
      count += signers.length;
      for (const unlisted of signers) yield inOrder(cellsOfUnlisted(unlisted, t));
    }
  }
  const path = await writeTable(target, format, { headings, rows: rows(), language });
  return { path, rowCount: count };
}

async function cellsOf(
  context: Context,
  { connection, withSecretWords }: Export,
  row: TrackedRow,
  entry: TrackedEntry,
  t: TFunction<'tables'>,
): Promise<Cells> {
  return {
    list: connection.lists.find(({ value }) => value === entry.listType)?.name ?? String(entry.listType),
    document: entry.documentName,
    name: entry.name,
    email: entry.email,
    created: entry.createdAt ?? entry.createdDate,
    signature: entry.state === 'signed' || entry.state === 'waiting' ? t(`tracking.states.${entry.state}`) : null,
    seenAt: entry.signedAt,
    status: entry.status?.raw ?? null,
    statusAsOf: entry.status?.askedAt ?? null,
    documentId: entry.documentId,
    originalDocumentId: entry.origDocumentId,
    due: entry.due?.date ?? null,
    note: entry.due?.note ?? null,
    secretWord: withSecretWords && row.secret !== null ? await context.vault.open(row.secret) : null,
  };
}

/** Of a signer whom no list has. */
function cellsOfUnlisted({ documentName, documentId, sentAt, signer }: UnlistedSigner, t: TFunction<'tables'>): Cells {
  return {
    document: documentName,
    name: signer.name,
    email: signer.email,
    created: sentAt,
    signature: t(`tracking.states.${signer.state}`),
    seenAt: signer.state === 'signed' ? signer.at : null,
    originalDocumentId: documentId,
  };
}
