import {
  type Connection,
  type ConnectionSettings,
  type ListMeaning,
  meaningOfList,
} from '../../../../contract/connections.ts';
import type {
  SignerState,
  TrackedEntry,
  TrackedGroup,
  TrackedStatus,
  UntakenJob,
} from '../../../../contract/tracking.ts';
import { keyOfRequest } from '../../../store/signatures/requests/find-requests.ts';
import { signedAt } from '../../../store/signatures/requests/request-signers.ts';
import type { StoredRequest } from '../../../store/signatures/requests/stored-requests.ts';
import { entryOf } from '../../../store/signatures/tracking/list-entries.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { orNotFound } from '../../foundation/app-error.ts';
import { signingPage } from '../compose/compose-calls.ts';

/** Rows of one connection as the window gets them: without secret words. `lists` are the connection's. */
export function trackedEntries(
  { store, vault }: Pick<Context, 'store' | 'vault'>,
  lists: ConnectionSettings['lists'],
  rows: readonly TrackedRow[],
): TrackedEntry[] {
  const connectionId = rows[0]?.connection_id ?? '';
  const statuses = store.trackedStatuses.lastOf(
    connectionId,
    rows.flatMap(({ document_id }) => document_id || []),
  );
  // The service may list a document without a name; it is then called as it was sent from here.
  const names = store.documents.sentAs(
    connectionId,
    rows.flatMap((row) => (row.document_name ? [] : documentKeyOf(row))),
  );
  const dues = store.tracked.dueOf(connectionId, rows.map(documentKeyOf));
  const read = store.requests.lists({ connectionId, lists });
  return rows.map((row) => {
    const status = statuses.get((row.document_id ?? '').toLowerCase()) ?? null;
    const meaning = meaningOfList(lists, row.list_type);
    const state = stateOf(meaning, row, status, read.get(row.list_type)?.asOf ?? '');
    return {
      ...entryOf(row),
      documentName: row.document_name || names.get(documentKeyOf(row).toLowerCase())?.name || null,
      id: String(row.seq),
      connectionId,
      listType: row.list_type,
      secretWordLost: row.secret !== null && vault.isLost(row.secret),
      mark: row.mark,
      movedFrom: row.mark === 'moved' ? row.moved_from : null,
      firstSeenAt: row.first_seen_at,
      status,
      state,
      signedAt: state === 'signed' ? signedAt(row, read) : null,
      hasSigned: meaning === 'signed' || (state === 'status' && status?.answer.group === 'completed'),
      due: dues.get(documentKeyOf(row).toLowerCase()) ?? null,
    };
  });
}

/** `readAt`: when the entry's list was read. */
function stateOf(meaning: ListMeaning, row: TrackedRow, status: TrackedStatus | null, readAt: string): SignerState {
  if (meaning === 'none') return status === null ? 'listed' : 'status';
  if (status === null) return meaning;
  const { group } = status.answer;
  // A list that was read after the status still has the entry: the document was completed for another reason.
  if (group === 'completed') return meaning === 'waiting' && status.askedAt > readAt ? 'status' : meaning;
  if (status.askedAt < row.first_seen_at || group === 'in-progress') return meaning;
  // A word without a meaning may be a refusal to sign. Of somebody who signed, the list knows more.
  return group === 'not-sorted' && meaning === 'signed' ? meaning : 'status';
}

/** One row as the window gets it. */
export function trackedEntry(
  context: Pick<Context, 'store' | 'vault'>,
  lists: ConnectionSettings['lists'],
  row: TrackedRow,
): TrackedEntry {
  return trackedEntries(context, lists, [row])[0] as TrackedEntry;
}

/** The entry, or the same entry in the list that it moved to. Throws not-found if it is no longer in a list. */
export function rowOf({ store }: Pick<Context, 'store'>, connectionId: string, entryId: string): TrackedRow {
  const seq = /^\d{1,15}$/.test(entryId) ? Number(entryId) : -1;
  return orNotFound(store.tracked.get(connectionId, seq) ?? store.tracked.movedOn(connectionId, seq), 'no such entry');
}

/** A page of requests as the window gets them. */
export function trackedGroups(
  context: Pick<Context, 'store' | 'vault'>,
  { id: connectionId, lists }: Pick<Connection, 'id' | 'lists'>,
  requests: readonly StoredRequest[],
): TrackedGroup[] {
  // All of the page at once: statuses and due dates are a few queries, not as many for each request.
  const rows = requests.flatMap(({ signers }) => signers.flatMap(({ row }) => row ?? []));
  const entries = new Map(trackedEntries(context, lists, rows).map((entry) => [entry.id, entry]));
  const names = context.store.documents.sentAs(
    connectionId,
    requests.flatMap(({ documentName, origDocumentId }) => (documentName ? [] : (origDocumentId ?? []))),
  );
  const ids = requests.flatMap(({ origDocumentId }) => origDocumentId ?? []);
  const dues = context.store.tracked.dueOf(connectionId, ids);
  const statuses = context.store.trackedStatuses.lastOf(connectionId, ids);
  return requests.map(({ seq, job, signers, ...request }) => ({
    ...request,
    id: keyOfRequest(seq ?? request.origDocumentId),
    documentName: request.documentName || names.get(request.origDocumentId?.toLowerCase() ?? '')?.name || null,
    isFromElsewhere: seq === null,
    due: dues.get(request.origDocumentId?.toLowerCase() ?? '') ?? null,
    status: statuses.get(request.origDocumentId?.toLowerCase() ?? '') ?? null,
    signers: signers.map(({ row, name, email, state, at, isByStatus }) => ({
      name,
      email,
      state,
      at,
      ...(isByStatus && { isByStatus }),
      entry: entries.get(String(row?.seq)) ?? null,
    })),
    job: untakenJob(job),
    answer: job?.state === 'done' ? { jobId: job.id, raw: job.raw, link: signingPage(job) } : null,
  }));
}

function untakenJob(job: StoredRequest['job']): UntakenJob | null {
  if (job === null) return null;
  const { id: jobId, state, failure } = job;
  if (state === 'done' || state === 'passed-over' || state === 'cancelled') return null;
  return { jobId, failure, state: state === 'prepared' || state === 'waiting' ? 'queued' : state };
}
