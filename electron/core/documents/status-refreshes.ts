import type { StatusRefreshTask } from '../../../contract/documents.ts';
import { type FailureCode, isServiceAway } from '../../../contract/failure.ts';
import type { StoredWork } from '../../store/lasting-work/work-runs.ts';
import { askStatus } from '../connections/ask-status.ts';
import { callInTurn } from '../connections/call-budget.ts';
import type { Context } from '../context.ts';
import { createStoredRuns, type StoredRun } from '../lasting-work/stored-runs.ts';

/** Limit of one refresh. Documents that were asked longest ago come first, so the next refresh continues with the others. */
const mostAtOnce = 10_000;
const tries = 3;

/** Failures about one document. All others are about the service and end the refresh: the document stays open, behind the others, should it be about that one. */
const ofDocument: ReadonlySet<FailureCode> = new Set(['service-refused', 'reply-unreadable']);

/** Asks for the status of many documents, one after the other; where the call budget is used up, it waits for the next call that is free. */
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
    /** Adds what is requested to the running refresh of the connection if there is one. Rejects with not-found. */
    start: async (connectionId: string, requestedIds?: readonly string[]): Promise<StatusRefreshTask> => {
      await connections.get(connectionId);
      const current = runs.same({ connectionId });
      if (current && !requestedIds) return current;
      const documentIds = requestedIds ?? store.documents.unfinished(connectionId, mostAtOnce);
      const items = documentIds.map((documentId) => ({ connectionId, documentId }));
      return current ? runs.add(current.taskId, items) : runs.start({ connectionId }, items);
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
    perform: async ({ documentId }, { signal, report }) => {
      const setWaiting = (on: boolean) => {
        isOutOfBudget = on;
        report();
      };
      await callInTurn(context, connectionId, signal, { onAccount: 'person', onWait: () => setWaiting(true) }).finally(
        () => setWaiting(false),
      );
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
