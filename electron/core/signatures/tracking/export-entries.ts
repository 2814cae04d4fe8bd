import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TFunction } from 'i18next';
import type { Connection } from '../../../../contract/connections.ts';
import type { Language } from '../../../../contract/languages.ts';
import { idText } from '../../../../contract/operation.ts';
import {
  type TrackedEntry,
  type TrackedGroup,
  type TrackedStatus,
  trackedFilter,
} from '../../../../contract/tracking.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import type { RequestQuery } from '../../../store/signatures/requests/find-requests.ts';
import type { StoredSigner } from '../../../store/signatures/requests/request-signers.ts';
import type { StoredRequest } from '../../../store/signatures/requests/stored-requests.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import { practiceMarks } from '../../connections/connection-list.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/place-file.ts';
import type { TableFormat } from '../../output/tables/table.ts';
import { writeTable } from '../../output/tables/write-table.ts';
import { trackedEntries, trackedGroups } from './entry-view.ts';

export interface Export {
  readonly connection: Connection;
  readonly query: Omit<RequestQuery, 'offset' | 'limit'>;
  readonly grouped: boolean;
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

interface Writing extends Export {
  readonly t: TFunction<'tables'>;
  readonly states: States;
}

/** By column; what is absent or null is an empty cell. */
type Cells = { readonly [C in (typeof columns)[number] | 'secretWord']?: string | null };

/** Rows that are found at once: SQLite counts all before them each time. */
const rowsPerPage = 1_000;
/** Rows written between two turns of the event loop: some milliseconds. */
const rowsPerTurn = 200;

/**
 * Exports what a view shows: its entries, page by page, or all signers of its requests, each with the entry of a list that has one. What has no signer is a row as well. Secret words are exported only on
 * request; one that cannot be decrypted any more is empty. Answers how many rows, and how many requests they are of.
 */
export async function exportEntries(
  context: Context,
  target: Target,
  given: Export,
): Promise<{ readonly path: string; readonly rowCount: number; readonly requestCount: number | null }> {
  const { language, withSecretWords, format } = given;
  const t = await loadTexts(language, 'tables');
  const shown = withSecretWords ? ([...columns, 'secretWord'] as const) : columns;
  const headings = shown.map((column) => t(column === 'connection' ? 'registered.connection' : `tracking.${column}`));
  const { id, name } = given.connection;
  const mark = (await practiceMarks(language))(id);
  const inOrder = (cells: Cells) =>
    shown.map((column) => (column === 'connection' ? `${name}${mark}` : (cells[column] ?? '')));
  const states: States = {
    signed: t('tracking.states.signed'),
    waiting: t('tracking.states.waiting'),
    'not-known': t('tracking.states.not-known'),
  };
  const counts = { rowCount: 0, requestCount: 0 };
  async function* rows() {
    const writing = { ...given, t, states };
    for await (const cells of given.grouped ? requestRows(context, writing, counts) : entryRows(context, writing)) {
      counts.rowCount += 1;
      yield inOrder(cells);
    }
  }
  const path = await writeTable(target, format, { headings, rows: rows(), language });
  return { path, rowCount: counts.rowCount, requestCount: given.grouped ? counts.requestCount : null };
}

async function* entryRows(context: Context, given: Writing): AsyncGenerator<Cells> {
  const { id, lists } = given.connection;
  for (let offset = 0; ; offset += rowsPerPage) {
    const { rows: page } = context.store.tracked.find({ ...given.query, offset, limit: rowsPerPage });
    for (let from = 0; from < page.length; from += rowsPerTurn) {
      await nextTurn();
      const part = page.slice(from, from + rowsPerTurn);
      const entries = trackedEntries(context, lists, part);
      const known = knownOf(context, id, part.map(documentKeyOf));
      for (const [at, row] of part.entries())
        yield { ...known(documentKeyOf(row)), ...(await cellsOf(context, given, row, entries[at] as TrackedEntry)) };
    }
    if (page.length < rowsPerPage) return;
  }
}

async function* requestRows(context: Context, given: Writing, counts: { requestCount: number }): AsyncGenerator<Cells> {
  const { id: connectionId, lists, separator } = given.connection;
  for await (const requests of context.store.requests.whole({ connectionId, lists, separator }, given.query)) {
    counts.requestCount += requests.length;
    const documents = requests.flatMap(({ origDocumentId }) => origDocumentId ?? []);
    const known = knownOf(context, connectionId, documents);
    const named = context.store.requests.documentsNamed(connectionId, documents);
    const groups = trackedGroups(context, given.connection, requests);
    for (const [at, request] of requests.entries()) {
      const { documentName, signers } = groups[at] as TrackedGroup;
      if (request.seq === null && request.origDocumentId === null) {
        const nameless = { connectionId, from: null, to: null, withoutDocument: true } as const;
        yield* entryRows(context, { ...given, query: { ...trackedFilter.parse({}), ...nameless } });
        continue;
      }
      for (const [place, { row, ...signer }] of (request.signers.length > 0 ? request.signers : [nobody]).entries()) {
        const entry = signers[place]?.entry;
        const cells =
          row && entry
            ? await cellsOf(context, given, row, entry)
            : cellsOfUnlisted(context, given, request, signer, named(request.origDocumentId, signer.email));
        yield { ...known(request.origDocumentId ?? ''), ...cells, document: documentName };
      }
    }
  }
}

/** In the row of a request of which nobody is known. */
const nobody = { email: null, name: null, state: 'not-known', at: null, seq: null, row: null } as const;

async function cellsOf(
  context: Context,
  { connection, withSecretWords, states }: Writing,
  row: TrackedRow,
  entry: TrackedEntry,
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

/** Of a signer whom no list has; `lastId`: as the list that had this signer last named the document. */
function cellsOfUnlisted(
  { store }: Context,
  { t, states }: Writing,
  { origDocumentId, sentAt, job, state: stateOfAll }: StoredRequest,
  { name, email, state, at, isByStatus }: StoredSigner,
  lastId: string | null,
): Cells {
  const reference = job && store.jobs.get(job.id)?.args.ClientID;
  const corrected = stateOfAll === 'not-known' ? ` · ${t('registered.corrected')}` : '';
  const isAsking = stateOfAll === 'needs-you' && job?.state === 'waiting';
  return {
    name,
    email,
    created: sentAt,
    signature:
      job === null || job.state === 'done'
        ? states[state]
        : `${t(isAsking ? 'states.asking' : `states.${job.state}`)}${corrected}`,
    seenAt: state === 'signed' && !isByStatus ? at : null,
    documentId: idText(lastId || origDocumentId || ''),
    originalDocumentId: origDocumentId && idText(origDocumentId),
    ...(reference ? { reference: String(reference) } : {}),
  };
}
