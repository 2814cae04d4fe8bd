import { infiniteQueryOptions, skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallInput } from '../../../contract/index.ts';
import type { Batch, Job, JobState, ListedJobs } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import type { PagedList } from '../../features/list/pages.ts';

/** What the list of jobs is narrowed to: a state, a question about a duplicate, a countdown that nobody saw, what was taken off it, or what was corrected since it left. */
export type Filter = JobState | 'asking' | 'stopped' | 'dismissed' | 'corrected';

type Asked = Omit<CallInput<'jobs.list'>, 'offset' | 'limit'>;
/** What the log is searched for. */
export type Sought = Pick<Asked, 'search' | 'from' | 'to' | 'sent'>;

/** Of the log, which has also what was corrected since. */
export function statesOf(
  filter: Filter | null,
): Pick<Asked, 'states' | 'asking' | 'stopped' | 'dismissed' | 'corrected'> {
  if (filter === null) return { corrected: 'too' };
  if (filter === 'dismissed') return { dismissed: true };
  if (filter === 'corrected') return { corrected: 'only' };
  if (filter === 'asking') return { asking: true };
  if (filter === 'stopped') return { states: ['waiting'], stopped: true };
  return filter === 'waiting' ? { states: [filter], asking: false } : { states: [filter] };
}

const batchesPerPage = 50;

/** Batches, newest first, with their counts. */
export function useBatches() {
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['jobs', 'batches'],
      queryFn: ({ pageParam }) => askValue('jobs.batches', { offset: pageParam, limit: batchesPerPage }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const have = pages.reduce((sum, page) => sum + page.batches.length, 0);
        return last.batches.length > 0 && have < last.total ? have : null;
      },
    }),
  );
  const batches: readonly Batch[] = query.data?.pages.flatMap((page) => page.batches) ?? [];
  return {
    batches,
    dismissedCount: query.data?.pages[0]?.dismissedCount ?? 0,
    correctedCount: query.data?.pages[0]?.correctedCount ?? 0,
    query,
    loadMore: () => void (query.hasNextPage && !query.isFetchingNextPage && query.fetchNextPage()),
  };
}

/** A list of `count` jobs: of one batch (or all), in some states, or with a question about a duplicate. */
export function jobList(
  where: Omit<Asked, 'states'> & { readonly states?: readonly JobState[] | undefined },
  count: number,
): PagedList<Job> {
  return {
    key: ['jobs', 'jobs', where],
    count,
    read: async (offset, limit) => {
      const { states, ...rest } = where;
      const some = states && { states: [...states] };
      return (await askValue('jobs.list', { ...rest, ...some, offset, limit })).jobs;
    },
  };
}

/** The one job that a person opened, as a list; null until it is known, and once it is off the list. */
export function useAskedJob(jobId: string | null): PagedList<Job> | null {
  const key = ['jobs', 'jobs', { jobId }];
  const read = async () =>
    (await askValue('jobs.read', { jobIds: [jobId ?? ''] })).filter(({ isDismissed }) => !isDismissed);
  const { data } = useQuery({ queryKey: [...key, 0], queryFn: jobId === null ? skipToken : read });
  return data?.[0] ? { key, count: 1, read } : null;
}

/** How many jobs are found in each state; null where nothing is sought, or before the answer. */
export function useFound(sought: Sought | null): NonNullable<ListedJobs['found']> | null {
  const { data } = useQuery({
    queryKey: ['jobs', 'found', sought],
    queryFn:
      sought === null ? skipToken : async () => (await askValue('jobs.list', { ...sought, limit: 1 })).found ?? null,
    placeholderData: (before) => before,
  });
  return sought === null ? null : (data ?? null);
}

/** The history of a job, read again when the job changes. */
export function useJobHistory(job: Job) {
  return useQuery({
    queryKey: ['jobs', 'story', job.id, job.state, job.pausedBy, job.look?.askedAt],
    queryFn: () => askValue('jobs.history', { jobId: job.id }),
    placeholderData: (before) => before,
  });
}
