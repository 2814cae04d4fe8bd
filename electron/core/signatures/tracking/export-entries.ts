import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TFunction } from 'i18next';
import type { Connection } from '../../../../contract/connections.ts';
import type { Language } from '../../../../contract/languages.ts';
import { idText } from '../../../../contract/operation.ts';
import type { TrackedEntry, TrackedStatus } from '../../../../contract/tracking.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { RequestQuery, UnlistedSigner } from '../../../store/signatures/requests/find-requests.ts';
import type { StoredSigner } from '../../../store/signatures/requests/request-signers.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import { practiceMarks } from '../../connections/connection-list.ts';
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
  ...(['documentId', 'originalDocumentId', 'reference', 'due', 'note', 'connection'] as const),
] as const;

/** Their texts: looked up for each row, they took a sixth of the time. */
type States = Readonly<Record<StoredSigner['state'], string>>;

/** By column; what is absent or null is an empty cell. */
type Cells = { readonly [C in (typeof columns)[number] | 'secretWord']?: string | null };

/** Rows that are found at once: SQLite counts all before them each time. */
const rowsPerPage = 1_000;
/** Rows written between two turns of the event loop: some milliseconds. */
const rowsPerTurn = 200;

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
  const headings = shown.map((column) => t(column === 'connection' ? 'registered.connection' : `tracking.${column}`));
  const { id: connectionId, lists, separator, name } = given.connection;
  const mark = (await practiceMarks(language))(connectionId);
  const inOrder = (cells: Cells) =>
    shown.map((column) => (column === 'connection' ? `${name}${mark}` : (cells[column] ?? '')));
  const states: States = {
    signed: t('tracking.states.signed'),
    waiting: t('tracking.states.waiting'),
    'not-known': t('tracking.states.not-known'),
  };
  let count = 0;
  async function* rows() {
    for (let offset = 0; ; offset += rowsPerPage) {
      const { rows: page } = context.store.tracked.find({ ...given.query, offset, limit: rowsPerPage });
      for (let from = 0; from < page.length; from += rowsPerTurn) {
        await nextTurn();
        const part = page.slice(from, from + rowsPerTurn);
        const entries = trackedEntries(context, lists, part);
        const known = knownOf(context, connectionId, part.map(documentKeyOf));
        for (const [at, row] of part.entries()) {
          count += 1;
          const cells = await cellsOf(context, given, row, entries[at] as TrackedEntry, states);
          yield inOrder({ ...known(documentKeyOf(row)), ...cells });
        }
      }
      if (page.length < rowsPerPage) break;
    }
    for await (const signers of context.store.requests.unlistedSigners(
      { connectionId, lists, separator },
      given.query,
    )) {
      count += signers.length;
      const known = knownOf(
        context,
        connectionId,
        signers.flatMap(({ documentId }) => documentId ?? []),
      );
      for (const one of signers) yield inOrder({ ...known(one.documentId ?? ''), ...cellsOfUnlisted(one, states, t) });
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
  states: States,
): Promise<Cells> {
  return {
    list: connection.lists.find(({ value }) => value === entry.listType)?.name ?? String(entry.listType),
    document: entry.documentName,
    name: entry.name,
    email: entry.email,
    created: entry.createdAt ?? entry.createdDate,
    signature: entry.state === 'signed' || entry.state === 'waiting' ? states[entry.state] : null,
    seenAt: entry.signedAt,
    ...(entry.status ? statusCells(entry.status) : {}),
    documentId: idText(entry.documentId || entry.origDocumentId || ''),
    originalDocumentId: entry.origDocumentId && idText(entry.origDocumentId),
    secretWord: withSecretWords && row.secret !== null ? await context.vault.open(row.secret) : null,
  };
}

const statusCells = ({ raw, askedAt }: TrackedStatus): Cells => ({ status: raw, statusAsOf: askedAt });

/** What is known of these documents, whether a list has them or not. */
function knownOf({ store }: Context, connectionId: string, documentIds: readonly string[]) {
  const statuses = store.trackedStatuses.lastOf(connectionId, documentIds);
  const dues = store.tracked.dueOf(connectionId, documentIds);
  const sent = store.documents.sentAs(connectionId, documentIds);
  return (documentId: string): Cells => {
    const [status, due] = [statuses.get(documentId.toLowerCase()), dues.get(documentId.toLowerCase())];
    return {
      ...(status ? statusCells(status) : {}),
      reference: sent.get(documentId.toLowerCase())?.clientId ?? null,
      due: due?.date ?? null,
      note: due?.note ?? null,
    };
  };
}

/** Of a signer whom no list has. */
function cellsOfUnlisted(
  { documentName, documentId, lastDocumentId, sentAt, reference, untaken, signer }: UnlistedSigner,
  states: States,
  t: TFunction<'tables'>,
): Cells {
  return {
    document: documentName,
    name: signer.name,
    email: signer.email,
    created: sentAt,
    signature: untaken === null ? states[signer.state] : t(`states.${untaken}`),
    seenAt: signer.state === 'signed' && !signer.isByStatus ? signer.at : null,
    documentId: idText(lastDocumentId || documentId || ''),
    originalDocumentId: documentId && idText(documentId),
    ...(reference === null ? {} : { reference }),
  };
}
