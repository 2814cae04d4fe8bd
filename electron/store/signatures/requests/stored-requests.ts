import type { JobState } from '../../../../contract/jobs.ts';
import type { RequestProgress, RequestState, TrackedGroup } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import type { StoredJob } from '../../jobs/job-rows.ts';
import { type Shown, shownOf } from '../tracking/partitions.ts';
import type { TrackedRow } from '../tracking/tracked-row.ts';
import { lastStatuses } from '../tracking/tracked-statuses.ts';
import { shownSql } from '../tracking/tracked-where.ts';
import { answered, lookedUntil, type RequestNeeds, readLists, unlistedChanges } from './compute-requests.ts';
import {
  lastOf,
  type ReadLists,
  type SeenEntry,
  type SignerSources,
  type StoredSigner,
  signersOf,
  stateOfSigners,
  unreadOf,
} from './request-signers.ts';

/** A request of the ledger, or an original document (null: all entries that name none) of which only the lists know. */
export type RequestRef = { readonly request: number } | { readonly document: string | null };

/** A request with the rows of its first signers' entries. */
export interface StoredRequest
  extends RequestProgress,
    Pick<TrackedGroup, 'origDocumentId' | 'documentName' | 'state' | 'sentAt' | 'changedCount'> {
  /** Null: nobody sent it from here. */
  readonly seq: number | null;
  readonly signers: readonly (StoredSigner & { readonly row: TrackedRow | null })[];
  readonly job: Pick<StoredJob, 'id' | 'state' | 'failure' | 'raw' | 'answer'> | null;
}

/** Signers that are read with a request: as many as a card of the screen names. */
const mostSigners = 6;

interface RequestRow {
  readonly seq: number;
  readonly document_id: string | null;
  readonly name: string;
  readonly sent_at: string;
  readonly state: RequestState;
  readonly signers: string;
  /** Of signers whom no list has: those of the lists have marks. */
  readonly changed: number;
  readonly job_id: string | null;
  readonly job_state: JobState | null;
  readonly failure: string | null;
  readonly raw: string | null;
  readonly answer: string | null;
}

/** The requests of one page, each as a whole, whatever the filter, with so many of its signers. */
export function requestsOf(
  sql: Sql,
  needs: RequestNeeds,
  page: readonly RequestRef[],
  signerCount = mostSigners,
): StoredRequest[] {
  const shown = shownOf(sql, needs.connectionId, null);
  const lists = readLists(sql, needs);
  const own = ownOf(
    sql,
    needs.connectionId,
    page.flatMap((ref) => ('request' in ref ? ref.request : [])),
  );
  const elsewhere = shown && fromElsewhere(sql, needs.connectionId, lists, shown, documentsOf(page));
  const unread = unreadOf(needs.lists, lists);
  const all = page.flatMap((ref): StoredRequest | StoredRequest[] => {
    if ('request' in ref) return own.get(ref.request) ?? [];
    if (shown === null) return [];
    const listed = ref.document === null ? withoutDocument(sql, lists, shown) : elsewhere?.get(ref.document);
    return listed ? asFarAsRead(listed, unread) : [];
  });
  const found = all.map((request) => ({ ...request, signers: request.signers.slice(0, signerCount) }));
  if (shown === null) return found;
  const rows = rowsOf(
    sql,
    needs.connectionId,
    found.flatMap(({ signers }) => signers.flatMap(({ seq }) => seq ?? [])),
  );
  const changes = changesOf(
    sql,
    shown,
    found.flatMap(({ origDocumentId }) => origDocumentId ?? []),
  );
  return found.map((request) => ({
    ...request,
    // As the lists write it: by this the team knows who takes care of it.
    origDocumentId: fromEntries(request, rows, 'orig_document_id') ?? request.origDocumentId,
    documentName: request.documentName || fromEntries(request, rows, 'document_name'),
    changedCount: request.changedCount + (changes.get(request.origDocumentId?.toLowerCase() ?? '') ?? 0),
    signers: request.signers.map((signer) => ({ ...signer, row: rows.get(signer.seq ?? -1) ?? null })),
  }));
}

const documentsOf = (page: readonly RequestRef[]) =>
  page.flatMap((ref) => ('document' in ref ? (ref.document ?? []) : []));

function ownOf(sql: Sql, connectionId: string, seqs: readonly number[]): ReadonlyMap<number, StoredRequest> {
  const rows = sql.all<RequestRow>(
    `SELECT r.seq, r.document_id, r.name, r.sent_at, r.state, r.signers, ${unlistedChanges} AS changed, r.job_id, j.state AS job_state, j.failure, j.raw, j.answer
     FROM requests AS r LEFT JOIN jobs AS j ON j.id = r.job_id
     WHERE r.seq IN (SELECT value FROM json_each(?)) AND r.connection_id = ? AND r.state IS NOT NULL`,
    ...[lookedUntil(sql, connectionId), JSON.stringify(seqs), connectionId],
  );
  return new Map(rows.map((row) => [row.seq, ownRequest(row)]));
}

function ownRequest(row: RequestRow): StoredRequest {
  const { job_id: id, job_state: state, raw } = row;
  return {
    seq: row.seq,
    origDocumentId: row.document_id,
    documentName: row.name,
    sentAt: row.sent_at || null,
    ...ofSigners(JSON.parse(row.signers) as StoredSigner[]),
    state: row.state,
    changedCount: row.changed,
    job:
      id !== null && state !== null
        ? { id, state, raw, failure: JSON.parse(row.failure ?? 'null'), answer: JSON.parse(row.answer ?? 'null') }
        : null,
  };
}

/** Of what only the lists know: one that is cut, or was never read, may have others who were asked, and how they answered. That all signed only the service's answer says. */
function asFarAsRead(request: StoredRequest, unread: RequestNeeds['lists']): StoredRequest {
  const isSignedUnread = unread.some(({ meaning }) => meaning === 'signed');
  const isOpen = request.state === 'waiting' ? isSignedUnread : request.state === 'complete' && request.hasUnknown;
  return {
    ...request,
    state: isOpen ? 'not-known' : request.state,
    ...(unread.length > 0 && { mayHaveMore: true }),
  };
}

/** What these say of a request. */
export function ofSigners(signers: readonly StoredSigner[]) {
  return {
    state: stateOfSigners(signers),
    signerCount: signers.length,
    signedCount: signers.filter(({ state }) => state === 'signed').length,
    hasUnknown: signers.length === 0 || signers.some(({ state }) => state === 'not-known'),
    changedCount: 0,
    signers: signers.map((signer) => ({ ...signer, row: null })),
  };
}

interface ElsewhereEntry extends SeenEntry {
  readonly document: string;
  readonly created_at: string | null;
  readonly document_name: string | null;
}

const elsewhereColumns = `d.value AS document, t.seq, t.entry_key, t.list_type, t.email, t.name, t.first_seen_at, t.moved_from, t.gone_at,
  t.created_at, t.document_name`;
/** Entries that are read for one page. */
const mostEntries = 20_000;

/** Requests that only the lists know, also the signers who left them: those of a list that is cut are not forgotten. */
function fromElsewhere(
  sql: Sql,
  connectionId: string,
  lists: ReadLists,
  shown: Shown,
  documents: readonly string[],
): ReadonlyMap<string, StoredRequest> {
  const named = JSON.stringify(documents);
  const here = sql.all<ElsewhereEntry>(
    `SELECT ${elsewhereColumns} FROM json_each(?) AS d CROSS JOIN tracked AS t INDEXED BY tracked_original ON t.orig_document_id = d.value
     WHERE ${shownSql(shown)} ORDER BY t.created_at, t.email, t.seq LIMIT ${mostEntries}`,
    named,
    shown.connection,
  );
  const gone = sql.all<ElsewhereEntry>(
    `SELECT ${elsewhereColumns} FROM json_each(?) AS d CROSS JOIN tracked AS t INDEXED BY tracked_key
       ON t.entry_key >= lower(d.value) || char(10) AND t.entry_key < lower(d.value) || char(11)
     WHERE t.connection = ? AND t.gone_at IS NOT NULL ORDER BY t.seq LIMIT ${mostEntries}`,
    named,
    shown.connection,
  );
  const entries = new Map(documents.map((document) => [document, [] as ElsewhereEntry[]]));
  for (const entry of [...here, ...gone]) entries.get(entry.document)?.push(entry);
  const statuses = lastStatuses(sql, connectionId, documents);
  return new Map(
    documents.map((document) => {
      const seen = entries.get(document) ?? [];
      const answer = answered(statuses.get(document.toLowerCase()), lists, seen);
      return [document, ofEntries({ asked: [], seen, lists, ...answer }, document, seen)];
    }),
  );
}

function ofEntries(sources: SignerSources, document: string, seen: readonly ElsewhereEntry[]): StoredRequest {
  return {
    ...ofSigners(signersOf(sources)),
    hasUnknown: sources.completedAt === null,
    seq: null,
    origDocumentId: document,
    job: null,
    documentName: seen.find(({ document_name }) => document_name)?.document_name ?? null,
    sentAt: lastOf(seen.map(({ created_at }) => created_at)),
  };
}

/** All entries that name no document are shown as one. */
function withoutDocument(sql: Sql, lists: ReadLists, shown: Shown): StoredRequest {
  const parts = sql.all<{ list_type: number; entries: number; newest: string | null; changed: number }>(
    `SELECT t.list_type, count(*) AS entries, max(t.created_at) AS newest, count(t.mark) AS changed
     FROM tracked AS t INDEXED BY tracked_original WHERE ${shownSql(shown)} AND t.orig_document_id IS NULL GROUP BY t.list_type`,
    shown.connection,
  );
  const states = parts.map(({ list_type }) => {
    const meaning = lists.get(list_type)?.meaning ?? 'none';
    return { state: meaning === 'none' ? ('not-known' as const) : meaning };
  });
  const count = (which: typeof parts) => which.reduce((sum, { entries }) => sum + entries, 0);
  return {
    seq: null,
    origDocumentId: null,
    documentName: null,
    job: null,
    signers: [],
    changedCount: 0,
    signerCount: count(parts),
    signedCount: count(parts.filter((_part, at) => states[at]?.state === 'signed')),
    state: stateOfSigners(states),
    hasUnknown: true,
    sentAt: lastOf(parts.map(({ newest }) => newest)),
  };
}

function rowsOf(sql: Sql, connectionId: string, seqs: readonly number[]): ReadonlyMap<number, TrackedRow> {
  const rows = sql.all<TrackedRow>(
    'SELECT t.*, ? AS connection_id FROM tracked AS t WHERE t.seq IN (SELECT value FROM json_each(?)) AND t.gone_at IS NULL',
    connectionId,
    JSON.stringify(seqs),
  );
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Numbers of changed entries by document in lower case. */
function changesOf(sql: Sql, shown: Shown, documents: readonly string[]): ReadonlyMap<string, number> {
  const rows = sql.all<{ document: string; n: number }>(
    `SELECT t.orig_document_id AS document, count(t.mark) AS n FROM tracked AS t INDEXED BY tracked_original
     WHERE ${shownSql(shown)} AND t.orig_document_id IN (SELECT value FROM json_each(?)) GROUP BY t.orig_document_id`,
    shown.connection,
    JSON.stringify(documents),
  );
  return new Map(rows.map(({ document, n }) => [document.toLowerCase(), n]));
}

/** What the first of a request's entries says that says it. */
function fromEntries(
  { signers }: StoredRequest,
  rows: ReadonlyMap<number, TrackedRow>,
  column: 'orig_document_id' | 'document_name',
): string | null {
  return signers.flatMap(({ seq }) => rows.get(seq ?? -1)?.[column] || []).at(0) ?? null;
}
