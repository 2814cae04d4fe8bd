import { randomUUID } from 'node:crypto';
import type { StatusRefresh } from '../../../contract/documents.ts';
import type { FailureCode } from '../../../contract/failure.ts';
import type { Context } from '../context.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { throttled } from '../foundation/throttled.ts';
import { askStatus } from './ask-document.ts';

/** Asks the status of many documents, one after the other, within the call budget. */
export interface StatusRefreshes {
  /** Answers at once; told in `documents.statusesRefreshed`. The connection's running one is answered where there is one. */
  start(connectionId: string, documentIds?: readonly string[]): Promise<StatusRefresh>;
  /** Rejects with not-found. */
  stop(refreshId: string): void;
  close(): Promise<void>;
}

interface Refreshing {
  view: StatusRefresh;
  readonly controller: AbortController;
  ended: Promise<void>;
}

const progressEveryMs = 100;
/** In one go; the longest unasked first, so the next go continues. */
const mostAtOnce = 10_000;
const tries = 3;

/** What concerns one document; everything else concerns the service and ends the run. */
const ofDocument: ReadonlySet<FailureCode> = new Set(['service-refused', 'reply-unreadable']);

export function createStatusRefreshes(context: Context): StatusRefreshes {
  const running = new Map<string, Refreshing>();
  return {
    start: async (connectionId, given) => {
      await context.connections.get(connectionId);
      const current = running.get(connectionId);
      if (current) return current.view;
      const documentIds = given ?? context.store.documents.unfinished(connectionId, mostAtOnce);
      const refreshing: Refreshing = {
        view: begun(connectionId, documentIds.length),
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
      running.set(connectionId, refreshing);
      refreshing.ended = run(context, refreshing, documentIds).finally(() => running.delete(connectionId));
      return refreshing.view;
    },
    stop: (refreshId) => {
      const found = [...running.values()].find(({ view }) => view.refreshId === refreshId);
      if (!found) throw appError('not-found', 'no such refresh');
      found.controller.abort();
    },
    close: async () => {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

function begun(connectionId: string, total: number): StatusRefresh {
  return {
    refreshId: randomUUID(),
    connectionId,
    state: 'running',
    total,
    askedCount: 0,
    changedCount: 0,
    failedCount: 0,
    failure: null,
  };
}

async function run(context: Context, refreshing: Refreshing, documentIds: readonly string[]): Promise<void> {
  const { connectionId } = refreshing.view;
  const { signal } = refreshing.controller;
  const tell = throttled(progressEveryMs, () => context.emit('documents.statusesRefreshed', refreshing.view));
  const change = (next: Partial<StatusRefresh>) => {
    refreshing.view = { ...refreshing.view, ...next };
    tell.request();
  };
  for (const documentId of documentIds) {
    if (signal.aborted) break;
    if (!context.budget.take('person')) {
      change({ state: 'out-of-budget' });
      break;
    }
    const { askedCount, changedCount, failedCount } = refreshing.view;
    try {
      const before = context.store.documents.byDocumentId(connectionId, documentId)?.status;
      const status = await askStatus(context, connectionId, documentId, { tries, signal });
      const isChanged = before?.raw !== status.raw;
      change({ askedCount: askedCount + 1, changedCount: changedCount + (isChanged ? 1 : 0) });
    } catch (error) {
      if (signal.aborted) break;
      const failure = failureOf(error) ?? appError('bug', 'asking for a status failed in an unexpected way').failure;
      change({ askedCount: askedCount + 1, failedCount: failedCount + 1 });
      if (ofDocument.has(failure.code)) continue;
      change({ state: 'failed', failure });
      break;
    }
  }
  if (refreshing.view.state === 'running') change({ state: signal.aborted ? 'stopped' : 'done' });
  tell.flush();
  tell.stop();
}
