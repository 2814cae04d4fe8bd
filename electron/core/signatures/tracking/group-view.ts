import type { Connection } from '../../../../contract/connections.ts';
import type { TakenAnswer, TrackedGroup, UntakenJob } from '../../../../contract/tracking.ts';
import { keyOfRequest } from '../../../store/signatures/requests/find-requests.ts';
import type { StoredRequest } from '../../../store/signatures/requests/stored-requests.ts';
import type { Context } from '../../context.ts';
import { signingPage } from '../compose/compose-calls.ts';
import { trackedEntries } from './entry-view.ts';

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
    signers: signers.map(({ row, name, email, state, at }) => ({
      ...{ name, email, state, at },
      entry: entries.get(String(row?.seq)) ?? null,
    })),
    job: untakenJob(job),
    answer: takenAnswer(job),
  }));
}

function takenAnswer(job: StoredRequest['job']): TakenAnswer | null {
  return job?.state === 'done' ? { jobId: job.id, raw: job.raw, link: signingPage(job) } : null;
}

function untakenJob(job: StoredRequest['job']): UntakenJob | null {
  if (job === null || job.state === 'done' || job.state === 'cancelled') return null;
  const { id: jobId, state, failure, at } = job;
  return { jobId, failure, at, state: state === 'prepared' || state === 'waiting' ? 'queued' : state };
}
