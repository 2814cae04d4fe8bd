import type { StatusRefresh, StatusRefreshTask } from '../../../contract/documents.ts';
import type { FailureCode } from '../../../contract/failure.ts';
import { takeCall } from '../connections/call-budget.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../foundation/app-error.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import { askStatus } from './ask-document.ts';

/** Asks for the status of many documents, one after the other, within the call budget. */
export interface StatusRefreshes {
  /** Returns the running refresh of the connection if there is one. Rejects with not-found. */
  start(connectionId: string, documentIds?: readonly string[]): Promise<StatusRefreshTask>;
}

/** Limit of one refresh. Documents that were asked longest ago come first, so the next refresh continues with the others. */
const mostAtOnce = 10_000;
const tries = 3;
/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 20;

/** Failures about one document. All others are about the service and end the refresh. */
const ofDocument: ReadonlySet<FailureCode> = new Set(['service-refused', 'reply-unreadable']);

export function createStatusRefreshes(context: Context): StatusRefreshes {
  const refreshes = context.tasks.ofKind('status-refresh', { known });
  return {
    start: async (connectionId, requestedIds) => {
      await context.connections.get(connectionId);
      const current = refreshes.running().find(({ progress }) => progress.connectionId === connectionId);
      if (current) return current;
      const documentIds = requestedIds ?? context.store.documents.unfinished(connectionId, mostAtOnce);
      const total = documentIds.length;
      const progress = { connectionId, total, askedCount: 0, changedCount: 0, failedCount: 0, isOutOfBudget: false };
      return refreshes.start({ progress, data: null }, (running) =>
        refresh(context, connectionId, documentIds, running),
      ).task;
    },
  };
}

async function refresh(
  context: Context,
  connectionId: string,
  documentIds: readonly string[],
  { signal, report }: RunningTask<StatusRefresh>,
): Promise<Partial<StatusRefresh>> {
  const counts = { askedCount: 0, changedCount: 0, failedCount: 0 };
  for (const documentId of documentIds) {
    signal.throwIfAborted();
    if (!(await takeCall(context, connectionId, 'person'))) return { isOutOfBudget: true };
    try {
      const before = context.store.documents.byDocumentId(connectionId, documentId)?.status;
      const status = await askStatus(context, connectionId, documentId, { tries, signal });
      counts.askedCount += 1;
      if (before?.raw !== status.raw) counts.changedCount += 1;
    } catch (error) {
      signal.throwIfAborted();
      counts.askedCount += 1;
      counts.failedCount += 1;
      const failure = failureOf(error);
      if (!failure || !ofDocument.has(failure.code)) {
        report(counts);
        throw error;
      }
    }
    report(counts);
  }
  return {};
}
