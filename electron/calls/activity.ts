import type { Handlers } from '../../contract/index.ts';
import type { Jobs } from '../core/jobs/jobs.ts';

type Names = 'activity.list' | 'activity.cancel' | 'activity.sendAgain' | 'activity.dismiss';

export function activityCalls(jobs: Jobs): Pick<Handlers, Names> {
  return {
    'activity.list': async (query) => jobs.list(query),
    'activity.cancel': async ({ jobId }) => {
      await jobs.cancel(jobId);
      return null;
    },
    'activity.sendAgain': async ({ jobId }) => {
      await jobs.sendAgain(jobId);
      return null;
    },
    'activity.dismiss': async ({ jobIds }) => {
      await jobs.dismiss(jobIds);
      return null;
    },
  };
}
