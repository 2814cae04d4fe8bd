import type { Handlers } from '../../../contract/index.ts';
import type { Jobs } from './jobs.ts';

type Names = Extract<keyof Handlers, `activity.${string}`>;

export function activityCalls(jobs: Jobs): Pick<Handlers, Names> {
  return {
    'activity.list': async (query) => jobs.list(query),
    'activity.read': async (which) => jobs.read(which),
    'activity.takeOver': async ({ jobIds }) => ({ count: jobs.takeOver(jobIds) }),
    'activity.letGo': async ({ jobIds }) => ({ count: jobs.release(jobIds) }),
    'activity.batches': async (page) => jobs.batches(page),
    'activity.story': async ({ jobId }) => jobs.history(jobId),
    'activity.pause': async (scope) => {
      jobs.pause(scope);
      return null;
    },
    'activity.resume': async (scope) => {
      await jobs.resume(scope);
      return null;
    },
    'activity.tryNow': async ({ connectionId }) => {
      jobs.wake(connectionId);
      return null;
    },
    'activity.cancel': async ({ jobId }) => {
      await jobs.cancel(jobId);
      return null;
    },
    'activity.sendAgain': ({ jobId, secretWord }) => jobs.sendAgain(jobId, secretWord),
    'activity.retryAll': ({ states, batchId }) => jobs.retryAll(states, batchId),
    'activity.cancelWaiting': async (which) => ({ count: await jobs.cancelWaiting(which) }),
    'activity.decide': async ({ jobIds, decision }) => {
      await jobs.decide(jobIds, decision);
      return null;
    },
    'activity.lookFor': ({ jobId, documentId }) => jobs.reconcile(jobId, documentId),
    'activity.accept': async ({ jobId, documentId }) => {
      await jobs.accept(jobId, documentId);
      return null;
    },
    'activity.dismiss': async ({ jobIds }) => {
      await jobs.dismiss(jobIds);
      return null;
    },
  };
}
