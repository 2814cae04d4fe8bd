import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useReducer } from 'react';
import type { Envelope } from '../../../contract/failure.ts';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import type { Batch, Job } from '../../../contract/jobs.ts';
import { ask, listen } from '../../bridge/client.ts';
import { readAgainEvery } from '../../bridge/queries.ts';
import { readTold } from '../../bridge/read-told.ts';
import { useLatest } from '../../parts/hooks/use-latest.ts';
import { emptyJobsView, isOnlyProgress, type JobsView, withUpdate } from './jobs-view.ts';

interface Jobs {
  readonly view: JobsView;
}

const JobsContext = createContext<Jobs | null>(null);
/** A separate context, so that components that only read again are not rendered at every progress event. */
const ReadAgainContext = createContext<(() => Promise<void>) | null>(null);
/** Minimum time between two reads of lists and counts. */
const readEveryMs = 400;

/** Follows the queue: counts, jobs that are being sent, speed; keeps the visible pages of jobs up to date. */
export function JobsProvider(props: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [view, dispatch] = useReducer(withUpdate, emptyJobsView);
  const latest = useLatest(view);

  useEffect(() => {
    const reading = readAgainEvery(client, readEveryMs, 'jobs');
    const stop = listen('jobs.changed', ({ jobs, batches, isIncomplete, ...queue }) => {
      const isProgress = !isIncomplete && isOnlyProgress(latest.current, jobs);
      dispatch({ kind: 'changed', queue, jobs, at: performance.now() });
      patchPages(client, jobs);
      patchBatches(client, batches);
      if (!isProgress) reading.request();
    });
    void readUnlessChanged({ states: ['sending'] }).then((read) => read && dispatch({ kind: 'read', ...read }));
    return () => {
      stop();
      reading.stop();
    };
  }, [client]);

  const readAgain = useCallback(async () => {
    const read = await readUnlessChanged({ limit: 1 });
    if (read) dispatch({ kind: 'read', queue: read.queue });
    await client.invalidateQueries({ queryKey: ['jobs'] });
  }, [client]);

  const value = useMemo(() => ({ view }), [view]);
  return (
    <ReadAgainContext value={readAgain}>
      <JobsContext value={value}>{props.children}</JobsContext>
    </ReadAgainContext>
  );
}

/** The queue and jobs; null if they cannot be read, or an event has brought newer ones meanwhile. */
async function readUnlessChanged(asked: CallInput<'jobs.list'>) {
  const read = await readTold<Envelope<CallOutput<'jobs.list'>> | null>(() => ask('jobs.list', asked), {
    'jobs.changed': () => null,
  });
  if (!read?.ok) return null;
  const { jobs, total: _total, found: _found, ...queue } = read.value;
  return { jobs, queue };
}

/** Puts changed jobs into the visible pages at once; the pages themselves are read again later. */
function patchPages(client: ReturnType<typeof useQueryClient>, jobs: readonly Job[]): void {
  const changed = new Map(jobs.map((job) => [job.id, job]));
  client.setQueriesData<readonly Job[]>({ queryKey: ['jobs', 'jobs'] }, (page) =>
    page?.some((job) => changed.has(job.id)) ? page.map((job) => changed.get(job.id) ?? job) : page,
  );
}

/** Puts the counts of changed batches into their headings together with their jobs: a heading never lags behind its rows. */
function patchBatches(client: ReturnType<typeof useQueryClient>, batches: readonly Batch[]): void {
  const changed = new Map(batches.map((batch) => [batch.batchId, batch]));
  client.setQueriesData<InfiniteData<{ readonly batches: readonly Batch[] }>>(
    { queryKey: ['jobs', 'batches'] },
    (read) =>
      read && {
        ...read,
        pages: read.pages.map((page) => ({
          ...page,
          batches: page.batches.map((batch) => changed.get(batch.batchId) ?? batch),
        })),
      },
  );
}

/** The queue. Only below JobsProvider. */
export function useJobs(): Jobs {
  const value = use(JobsContext);
  if (!value) throw new Error('useJobs outside JobsProvider');
  return value;
}

/** Reads everything again: after changes for which the core sends no event (dismissed jobs). Only below JobsProvider. */
export function useReadAgain(): () => Promise<void> {
  const readAgain = use(ReadAgainContext);
  if (!readAgain) throw new Error('useReadAgain outside JobsProvider');
  return readAgain;
}
