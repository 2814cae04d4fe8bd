import type { StatusRefreshTask } from '../../../contract/documents.ts';
import { type FailureCode, isServiceAway } from '../../../contract/failure.ts';
import type { StoredWork } from '../../store/lasting-work/work-runs.ts';
import { askStatus } from '../connections/ask-status.ts';
import { takeCall } from '../connections/call-budget.ts';
import type { Context } from '../context.ts';
import { createStoredRuns, type StoredRun } from '../lasting-work/stored-runs.ts';

/** Asks for the status of many documents, one after the other, within the call budget. */
export type StatusRefreshes = ReturnType<typeof createStatusRefreshes>;

/** Limit of one refresh. Documents that were asked longest ago come first, so the next refresh continues with the others. */
const mostAtOnce = 10_000;
const tries = 3;

/** Failures about one document. All others are about the service and end the refresh: the document stays open, behind the others, should it be about that one. */
const ofDocument: ReadonlySet<FailureCode> = new Set(['service-refused', 'reply-unreadable']);

export function createStatusRefreshes(context: Context, resumes: boolean) {
  const { connections, store } = context;
  const runs = createStoredRuns<'status-refresh', { readonly connectionId: string }>('status-refresh', context, {
    resumes,
    // What was not asked about comes first in the next refresh.
    isKept: false,
    open: (run, { connectionId }) => refreshOf(context, connectionId, run),
    isSame: (one, other) => one.connectionId === other.connectionId,
  });
  return {
    /** Returns the running refresh of the connection if there is one. Rejects with not-found. */
    start: async (connectionId: string, requestedIds?: readonly string[]): Promise<StatusRefreshTask> => {
      await connections.get(connectionId);
      const current = runs.same({ connectionId });
      if (current) return current;
      const documentIds = requestedIds ?? store.documents.unfinished(connectionId, mostAtOnce);
      return runs.start(
        { connectionId },
        documentIds.map((documentId) => ({ connectionId, documentId })),
      );
    },
  };
}

function refreshOf(context: Context, connectionId: string, stored: StoredWork): StoredRun<'status-refresh'> {
  const { documents, work } = context.store;
  let isOutOfBudget = false;
  return {
    effect: 'read',
    parallel: 1,
    // Each try counts against the budget.
    isPatient: false,
    get isOver() {
      return isOutOfBudget;
    },
    perform: async ({ documentId }, { signal }) => {
      isOutOfBudget = !(await takeCall(context, connectionId, 'person'));
      if (isOutOfBudget) return null;
      const before = documents.byDocumentId(connectionId, documentId)?.status;
      const status = await askStatus(context, connectionId, documentId, { tries, signal });
      return { state: before?.raw === status.raw ? 'done' : 'changed', result: null };
    },
    failed: (_item, failure) => {
      const stops = isServiceAway(failure) || !ofDocument.has(failure.code);
      return { outcome: { state: stops ? 'open' : 'failed', result: null }, stops };
    },
    summary: () => {
      const { total, done, changed, failed } = work.counts(stored);
      const askedCount = done + changed + failed;
      return { connectionId, total, askedCount, changedCount: changed, failedCount: failed, isOutOfBudget };
    },
  };
}
