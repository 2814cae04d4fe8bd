import type { HandlersOf } from '../../../contract/index.ts';
import type { Jobs } from './jobs.ts';

/** Calls about the queue. */
export function activityCalls(jobs: Jobs): HandlersOf<'jobs'> {
  return {
    'jobs.list': async (query) => jobs.list(query),
    'jobs.read': async (which) => jobs.read(which),
    'jobs.takeOver': async ({ jobIds }) => ({ count: jobs.takeOver(jobIds) }),
    'jobs.release': async ({ jobIds }) => ({ count: jobs.release(jobIds) }),
    'jobs.batches': async (page) => jobs.batches(page),
    'jobs.history': async ({ jobId }) => jobs.history(jobId),
    'jobs.pause': async (scope) => {
      jobs.pause(scope);
      return null;
    },
    'jobs.resume': async (scope) => {
      await jobs.resume(scope);
      return null;
    },
    'jobs.tryNow': async ({ connectionId }) => {
      jobs.tryNow(connectionId);
      return null;
    },
    'jobs.takeBack': async (which) => ({ jobIds: await jobs.takeBack(which) }),
    'jobs.sendNow': async ({ batchId }) => {
      jobs.countdowns.sendNow(batchId);
      return null;
    },
    'jobs.cancel': async ({ jobId }) => {
      await jobs.cancel(jobId);
      return null;
    },
    'jobs.sendAgain': ({ jobId, secretWord }) => jobs.sendAgain(jobId, secretWord),
    'jobs.previewAgain': (which) => jobs.previewAgain(which),
    'jobs.retryAll': ({ states, batchId }) => jobs.retryAll(states, batchId),
    'jobs.cancelWaiting': async (which) => ({ count: await jobs.cancelWaiting(which) }),
    'jobs.decide': async ({ jobIds, decision }) => {
      await jobs.decide(jobIds, decision);
      return null;
    },
    'jobs.reconcile': ({ jobId, ...how }) => jobs.reconcile(jobId, how),
    'jobs.accept': async ({ jobId, documentId, isUnchecked }) => {
      await jobs.accept(jobId, documentId, isUnchecked ?? false);
      return null;
    },
    'jobs.undoAccept': async ({ jobId }) => {
      jobs.undoAccept(jobId);
      return null;
    },
    'jobs.dismiss': async ({ jobIds }) => {
      await jobs.dismiss(jobIds);
      return null;
    },
    'jobs.restoreDismissed': async ({ jobIds }) => ({ count: jobs.restoreDismissed(jobIds) }),
  };
}
