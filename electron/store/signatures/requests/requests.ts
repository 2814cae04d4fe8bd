import type { HomeSummary, SignedRequest } from '../../../../contract/home.ts';
import type { RequestProgress } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import { beginning, matching } from '../tracking/find-tracked.ts';
import { shownOf } from '../tracking/partitions.ts';
import type { TrackedRow } from '../tracking/tracked-row.ts';
import { requestColumns, trackedMatch } from '../tracking/tracked-where.ts';
import { askedFor, computeRequests, lookAtRequests, type RequestNeeds, readLists } from './compute-requests.ts';
import {
  countRequests,
  countUnlistedChanges,
  documentsNamed,
  findRequests,
  foundForDoubts,
  openStates,
  type RequestOrder,
  type RequestQuery,
  wholeRequests,
} from './find-requests.ts';
import { unreadOf } from './request-signers.ts';
import { ofSigners, type RequestRef, requestsOf, type StoredRequest } from './stored-requests.ts';

/** A request that was found: the entry that matched, if one did, and the request as a whole, unless the entry has no document. */
export interface FoundRequest {
  readonly entry: TrackedRow | null;
  readonly request: StoredRequest | null;
}

/**
 * Signature requests: those of the ledger and of colleagues with what the lists of the service add to them, and those that only the lists know. All questions work in
 * slices, so that the event loop is free between them.
 */
export function requestTable(sql: Sql) {
  const order: RequestOrder = { key: '', refs: [] };
  return {
    /** Computes what changed at once; every question does it otherwise. Documents that only the lists name are registered by it. */
    compute: (needs: RequestNeeds) => computeRequests(sql, needs),
    find: (needs: RequestNeeds, query: RequestQuery) => findRequests(sql, needs, query, order),
    counts: countRequests(sql),
    unlistedChanges: (connectionId: string) => countUnlistedChanges(sql, connectionId),
    /** A person has looked at all signatures that are known. */
    look: (connectionId: string) => lookAtRequests(sql, connectionId),
    /** One of them, by its key for the window. */
    byKey: async (needs: RequestNeeds, key: string): Promise<StoredRequest | undefined> => {
      await computeRequests(sql, needs);
      const ref = /^\d{1,15}$/.test(key) ? { request: Number(key) } : { document: key.replace('document ', '') };
      return requestsOf(sql, needs, [ref])[0];
    },
    /** All of a view, each with all its signers. */
    whole: (needs: RequestNeeds, query: Omit<RequestQuery, 'offset' | 'limit'>) => wholeRequests(sql, needs, query),
    documentsNamed: (connectionId: string, documents: readonly string[]) =>
      documentsNamed(sql, connectionId, documents),
    /** For a search while typing: a bounded number of rows is read. */
    findByText: async (needs: RequestNeeds, text: string, limit: number) => {
      await computeRequests(sql, needs);
      return findByText(sql, needs, text, limit);
    },
    /** Who was asked to sign a document, as it was sent; an empty address is the owner of the account. */
    asked: (connectionId: string, documentId: string, separator: string) =>
      askedFor(sql, connectionId, documentId, separator),
    /** The document that the request of a job was last seen to be, which its answer need not name. */
    documentOf: (jobId: string): string | null =>
      sql.get<{ id: string | null }>('SELECT document_id AS id FROM requests WHERE job_id = ?', jobId)?.id ?? null,
    /** What waits and what was signed since, for one look. */
    glance: (needs: RequestNeeds, times: GlanceTimes) => glanceAtRequests(sql, needs, times),
    /** The lists that were read completely. */
    lists: (of: Parameters<typeof readLists>[1]) => readLists(sql, of),
  };
}

/** Those whose document's name begins with the text first, then the newest. */
function findByText(sql: Sql, needs: RequestNeeds, text: string, limit: number): FoundRequest[] {
  const { connectionId } = needs;
  const asked = { search: text, person: '', document: '' };
  const match = trackedMatch(asked);
  if (!match) return [];
  const shown = shownOf(sql, connectionId, null);
  const rows = shown
    ? [...beginning(sql, shown, 'document_name', text.trim(), limit), ...matching(sql, shown, match)]
    : [];
  const own = sql.all<{ seq: number }>(
    `SELECT r.seq FROM requests_search AS s CROSS JOIN requests AS r ON r.seq = s.rowid
     WHERE requests_search MATCH ? AND r.connection_id = ? AND r.state IS NOT NULL ORDER BY s.rowid DESC LIMIT ?`,
    ...[trackedMatch(asked, requestColumns), connectionId, limit],
  );
  const ofDocuments = sql.all<{ document_id: string; seq: number }>(
    `SELECT document_id, seq FROM requests INDEXED BY requests_document WHERE connection_id = ? AND document_id IN (SELECT value FROM json_each(?)) AND state IS NOT NULL ORDER BY seq`,
    connectionId,
    JSON.stringify(rows.flatMap(({ orig_document_id }) => orig_document_id ?? [])),
  );
  const known = [...foundForDoubts(sql, connectionId), ...ofDocuments];
  const ofDocument = new Map(known.map(({ document_id, seq }) => [document_id?.toLowerCase(), seq]));
  const found = new Map<string, { readonly entry: TrackedRow | null; readonly ref: RequestRef | null }>();
  const add = (key: string, entry: TrackedRow | null, ref: RequestRef | null) => {
    if (!found.has(key) && found.size < limit) found.set(key, { entry, ref });
  };
  for (const entry of rows) {
    const document = entry.orig_document_id;
    const seq = ofDocument.get(document?.toLowerCase() ?? '');
    if (seq !== undefined) add(`request ${seq}`, entry, { request: seq });
    else if (document === null) add(`entry ${entry.seq}`, entry, null);
    else add(document.toLowerCase(), entry, { document });
  }
  for (const { seq } of own) add(`request ${seq}`, null, { request: seq });
  const page = requestsOf(
    sql,
    needs,
    [...found.values()].flatMap(({ ref }) => ref ?? []),
  );
  const requestOf = (ref: RequestRef) =>
    page.find(({ seq, origDocumentId }) => ('request' in ref ? ref.request === seq : ref.document === origDocumentId));
  return [...found.values()].map(({ entry, ref }) => ({ entry, request: (ref && requestOf(ref)) ?? null }));
}

export interface Glance {
  readonly waiting: Omit<HomeSummary['waiting'], 'longUntil'>;
  readonly signed: Pick<HomeSummary['signed'], 'count' | 'requests'>;
}

export interface GlanceTimes {
  readonly longBefore: string;
  readonly signedSince: string;
  /** Of the signed ones that are answered. */
  readonly limit: number;
}

const none = { count: 0, longCount: 0, unknownLongCount: 0 };

/** The requests that wait, those of them that were sent before a time, and those of which a signature was seen since another. Read from two indexes. */
async function glanceAtRequests(
  sql: Sql,
  needs: RequestNeeds,
  { longBefore, signedSince, limit }: GlanceTimes,
): Promise<Glance> {
  await computeRequests(sql, needs);
  const { connectionId } = needs;
  const unread = unreadOf(needs.lists, readLists(sql, needs)).map(({ meaning }) => meaning);
  const waiting = sql.get<Glance['waiting']>(
    `SELECT iif(?4 AND NOT max(state <> 'not-known'), NULL, count(*) FILTER (WHERE state <> 'not-known')) AS count,
       count(*) FILTER (WHERE state <> 'not-known' AND sent_at < ?1) AS longCount,
       count(*) FILTER (WHERE state = 'not-known' AND sent_at < ?1) AS unknownLongCount
     FROM requests INDEXED BY requests_state WHERE connection_id = ?2 AND state IN (SELECT value FROM json_each(?3))`,
    // Where a list was never read, those of whom it is not known may be waited for: with nobody else there is no number.
    ...[longBefore, connectionId, JSON.stringify([...openStates, 'not-known']), Number(unread.length > 0)],
  );
  const since = 'requests INDEXED BY requests_signed WHERE connection_id = ? AND signed_at > ? AND state IS NOT NULL';
  const signed = sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${since}`, connectionId, signedSince);
  const rows = sql.all<SignedRow>(
    `SELECT document_id AS origDocumentId, name AS documentName, signed_at AS at, signers FROM ${since} ORDER BY signed_at DESC LIMIT ?`,
    ...[connectionId, signedSince, limit],
  );
  return {
    waiting: { ...(waiting ?? none), ...(unread.includes('waiting') && { count: null }) },
    signed: { count: unread.includes('signed') ? null : (signed?.count ?? 0), requests: rows.map(signedRequest) },
  };
}

type SignedRow = Omit<SignedRequest, keyof RequestProgress> & { readonly signers: string };

function signedRequest({ signers, ...row }: SignedRow): SignedRequest {
  const { signerCount, signedCount, hasUnknown } = ofSigners(JSON.parse(signers));
  return { ...row, signerCount, signedCount, hasUnknown };
}
