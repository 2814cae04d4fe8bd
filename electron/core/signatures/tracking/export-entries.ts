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
  let count = 0;
  async function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = context.store.tracked.find({ ...given.query, offset, limit: rowsPerPage });
      const entries = trackedEntries(context, given.connection.lists, page);
      for (const [at, row] of page.entries()) {
        count += 1;
        yield await cellsOf(context, given, row, entries[at] as TrackedEntry, t);
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
      for (const unlisted of signers) yield cellsOfUnlisted(unlisted, withSecretWords, t);
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
): Promise<string[]> {
  const cells = [
    connection.lists.find(({ value }) => value === entry.listType)?.name ?? String(entry.listType),
    entry.documentName,
    entry.name,
    entry.email,
    entry.createdAt ?? entry.createdDate,
    entry.state === 'signed' || entry.state === 'waiting' ? t(`tracking.states.${entry.state}`) : null,
    entry.signedAt,
    entry.status?.raw ?? null,
    entry.status?.askedAt ?? null,
    entry.documentId,
    entry.origDocumentId,
    entry.due?.date ?? null,
    entry.due?.note ?? null,
  ].map((cell) => cell ?? '');
  if (!withSecretWords) return cells;
  return [...cells, row.secret === null ? '' : ((await context.vault.open(row.secret)) ?? '')];
}

/** As `cellsOf`, of a signer whom no list has: in the same columns. */
function cellsOfUnlisted(
  { documentName, documentId, sentAt, signer }: UnlistedSigner,
  withSecretWords: boolean,
  t: TFunction<'tables'>,
): string[] {
  const { name, email, state, at } = signer;
  const cells = [
    null,
    documentName,
    name,
    email,
    sentAt,
    t(`tracking.states.${state}`),
    at,
    null,
    null,
    null,
    documentId,
  ];
  return [...cells, null, null, ...(withSecretWords ? [null] : [])].map((cell) => cell ?? '');
}
